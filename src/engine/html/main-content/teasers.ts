import { classOf, type Element, elementsIn, isElement, oneLine, visit } from '../dom/dom.ts'
import { isPartOfText, withoutPartsOfText } from '../dom/part-of-text.ts'
import type { Measures, TextStats } from './measure.ts'
import type { PageKind } from './page-kind.ts'
import { opensRelated } from './words/headings.ts'

const heading = /^h[2-6]$/
const cardName = /^(?:div|li|article|section|a|figure)$/
/** Characters of one teaser: a title, perhaps a date and a few lines of the text. */
const minCard = 12
const maxCard = 700
const minCards = 2
/** Prose (in characters) that an article has beside its teasers; with less it is a list itself. */
const minProse = 600

/** Removes teasers of other texts from an article: rows of cards that each lead to another page, and lines such as "Read also: …". */
export function dropTeasers(root: Element, measures: Measures, kind: PageKind): void {
  if (!kind.article || kind.product || kind.forum) return
  dropPointers(root, measures)
  const { proseText, text } = measures.of(root)
  if (proseText < minProse) return
  const all = rowsOfCards(root, measures)
  const own = proseText - all.reduce((sum, row) => sum + row.proseText, 0)
  const inRows = all.reduce((sum, row) => sum + row.text, 0)
  if (own < minProse || inRows > 0.5 * text) return
  const atEnd = rowsAtEnd(all, root, measures)
  const rows = all.filter((row) => row.proseText === 0 || (row.proseText < own && atEnd.has(row)))
  for (const { cards } of rows) {
    const title = titleOver(cards, root, measures)
    for (const card of cards) measures.remove(card)
    if (title) measures.remove(title)
  }
}

type Row = { cards: Element[]; text: number; proseText: number }

function rowsOfCards(root: Element, measures: Measures): Row[] {
  const rows: Row[] = []
  visit(root, (box) => {
    const found = Map.groupBy(withoutPartsOfText(box.children.filter((child) => isCard(child, measures))), shapeOf)
    const cards = [...found.values()].filter((each) => each.length >= minCards).flat()
    if (cards.length === 0) return undefined
    const sum = (key: keyof TextStats) => cards.reduce((all, card) => all + measures.of(card)[key], 0)
    rows.push({ cards, text: sum('text'), proseText: sum('proseText') })
    return 'skip'
  })
  return rows
}

/** Rows after the last paragraph of prose: the entries of an article that is a list are followed by further text. */
function rowsAtEnd(rows: readonly Row[], root: Element, measures: Measures): ReadonlySet<Row> {
  const rowOf = new Map(rows.flatMap((row) => row.cards.map((card) => [card, row] as const)))
  const atEnd = new Set<Row>()
  visit(root, (element) => {
    const row = rowOf.get(element)
    if (row) atEnd.add(row)
    const { proses, text, linkText } = measures.of(element)
    if (row) return 'skip'
    if (proses === 0) return undefined
    if (element.localName === 'p' && linkText < 0.5 * text) atEnd.clear()
    return undefined
  })
  return atEnd
}

/** Children of one list have one name and mostly one class. */
const shapeOf = (element: Element) => `${element.localName} ${classOf(element).split(/\s+/)[0] ?? ''}`

/** A box whose title is a link, or that is a link with a title, and that leads to one page. */
function isCard(element: Element, measures: Measures): boolean {
  if (!cardName.test(element.localName)) return false
  const { text, links, h1, pre } = measures.of(element)
  if (text < minCard || text > maxCard || h1 + pre > 0) return false
  if (element.localName === 'a') return measures.of(element).headings > 0 || measures.of(element).images > 0
  if (links === 0 || links > 6) return false
  const inner = elementsIn(element)
  const titles = inner.filter(({ localName }) => heading.test(localName))
  if (titles.length > 2) return false
  const isLinked = titles.some((title) => {
    const { text: all, linkText } = measures.of(title)
    return all > 0 && (linkText > 0.7 * all || isInLink(title, element))
  })
  return isLinked
}

function isInLink(title: Element, card: Element): boolean {
  for (let up = title.parentNode; up && up !== card; up = up.parentNode) if (up.localName === 'a') return true
  return false
}

/** The heading right before a row of cards or before the box around it. */
function titleOver(cards: readonly Element[], root: Element, measures: Measures): Element | undefined {
  let box: Element | null = cards[0] ?? null
  for (let climb = 0; box && box !== root && climb < 3; climb++, box = box.parentNode) {
    const before = elementBefore(box)
    if (!before) continue
    const { text, h1, headings } = measures.of(before)
    if (heading.test(before.localName) || (headings > 0 && h1 === 0 && text <= 60)) return before
    return undefined
  }
  return undefined
}

function elementBefore(element: Element): Element | undefined {
  for (let at = element.previousSibling; at; at = at.previousSibling) if (isElement(at)) return at
  return undefined
}

const pointer = /^(?:p|div|li|section|span|strong|em|h[2-6]|blockquote)$/
const maxPointer = 250

/** Removes lines such as "Read also: …" that are mostly a link. */
function dropPointers(root: Element, measures: Measures): void {
  visit(root, (element) => {
    if (!pointer.test(element.localName)) return undefined
    const { text, linkText, links, h1 } = measures.of(element)
    if (text > maxPointer || links === 0 || linkText < 0.35 * text || h1 > 0) return undefined
    if (!opensRelated(oneLine(element.textContent)) || isPartOfText(element)) return undefined
    measures.remove(element)
    return 'skip'
  })
}
