import { type DomNode, type Element, elementsIn, isElement } from '../dom/dom-tree.ts'
import { type Weight, weigh } from './block-model.ts'
import { type Block, type Box, isHeading } from './text-block.ts'

/** Input for the decision: the blocks of a page before any is dropped. */
export type Evidence = {
  blocks: readonly Block[]
  chances: Float32Array
  /** Title and posts of a discussion, which stay regardless of their chances. */
  certain: ReadonlySet<Element>
  /** True for pages that are neither article nor discussion: their declared content contains little else. */
  isReference: boolean
}

/**
 * Decides which blocks stay: those above the threshold, then neighbours by structure. Lists and table rows stay or go
 * as a whole, nothing is removed between two kept paragraphs, and headings stay with their sections.
 */
export function decide(evidence: Evidence, threshold: number): Uint8Array {
  const { blocks } = evidence
  const keep = keptByChance(evidence, threshold)
  keepBetween(blocks, keep)
  keepAfterColon(blocks, keep)
  keepRows(blocks, keep)
  keepItems(blocks, keep)
  keepFolds(blocks, keep)
  keepAsides(blocks, keep)
  keepHeadings(blocks, keep)
  keepUnderHeadings(blocks, keep)
  keepPictures(blocks, keep)
  keepBylines(blocks, keep)
  keepNotes(blocks, keep)
  decideLoneHeadings(evidence, keep, threshold)
  return keep
}

/** Returns the list of a block that is a list item. */
const listOf = ({ tag, box }: Block) => (/^(?:li|dt|dd)$/.test(tag) ? box.up?.element : undefined)

function keptByChance(evidence: Evidence, threshold: number): Uint8Array {
  const { blocks, chances, certain, isReference } = evidence
  const lists = weigh(blocks, listOf, weightOf, (i) => chances[i]!)
  // Links before the title are a breadcrumb or a menu.
  const title = blocks.findIndex(({ tag, box }) => tag === 'h1' && certain.has(box.element))
  const declared = isReference ? declaredContent(evidence, blocks[title]) : undefined
  return Uint8Array.from(blocks, (block, i) => {
    if (certain.size > 0 && someBox(block.box, ({ element }) => certain.has(element))) return 1
    if (i < title && !mayStay(block)) return 0
    const list = lists.get(listOf(block)!)
    const isDeclared = declared !== undefined && i > title && block.box.declared === declared
    const least = isDeclared ? Math.min(threshold, minWithin) : threshold
    return block.length > 0 && (list ? list.kept / list.text : chances[i]!) >= least ? 1 : 0
  })
}

/** Returns the weight of a block; short blocks count for more than their length. */
const weightOf = ({ length }: Block) => length + 15

function boxAbove(box: Box, passes: (box: Box) => boolean, limit = Infinity): Box | undefined {
  let at: Box | undefined = box
  for (let k = 0; at && k < limit; k++, at = at.up) if (passes(at)) return at
  return undefined
}

const someBox = (...query: Parameters<typeof boxAbove>) => boxAbove(...query) !== undefined

const minParagraph = 20
/** Blocks with a larger share of link text do not stay by chance alone. */
const maxLinks = 0.6
const mayStay = ({ length, link, tag }: Block) => length > 0 && (link < maxLinks * length || isHeading(tag))

/** Maximum characters of a line that mostly is one link, such as a byline or a source. */
const maxLine = 100
const isLineOfLink = ({ links, link, length }: Block) => links === 1 && link < length && length < maxLine

/** After a heading, a text with a control may be a notice about cookies or a newsletter. */
const mayStandBetween = (block: Block, from: Block) =>
  (mayStay(block) || isLineOfLink(block)) && (block.control === 0 || isParagraph(from))

/** Keeps everything between two kept paragraphs or headings of one box, except links that are not part of a line. */
function keepBetween(blocks: readonly Block[], keep: Uint8Array): void {
  const last = new Map<Element, number>()
  blocks.forEach((block, i) => {
    const parent = (listOf(block) ? block.box.up?.up : block.box.up)?.element
    if (!keep[i] || !parent) return
    if (!isParagraph(block) && !isHeading(block.tag)) return
    const from = last.get(parent) ?? i
    for (let j = from + 1; j < i; j++)
      if (mayStandBetween(blocks[j]!, blocks[from]!) && isWithin(blocks[j]!.box, parent)) keep[j] = 1
    last.set(parent, i)
  })
}

/** True if a box is within a few levels of `parent` with no menu, form or footer between. */
function isWithin(box: Box, parent: Element): boolean {
  let at: Box | undefined = box
  for (let k = 0; at && k < 4; k++, at = at.up) {
    if (at.element === parent) return true
    if (/^(?:nav|footer|aside|form|fieldset|dialog)$/.test(at.element.localName)) return false
  }
  return false
}

function isParagraph({ tag, length, link }: Block): boolean {
  return /^(?:p|pre|li|table)$/.test(tag) && length >= minParagraph && link < 0.5 * length
}

/** Inside the page's declared main content, blocks below this chance are dropped. */
const minWithin = 0.12
/** Minimum share of likely text in declared main content. Shorter content (characters) is too little to judge by. */
const minDeclared = 0.7
const shortContent = 600

/**
 * Returns the element that the page declares as main content, if little else is likely to be in it: the one around the
 * title, if it has paragraphs and is not around the one with most text; otherwise that one.
 */
function declaredContent({ blocks, chances }: Evidence, title: Block | undefined): Element | undefined {
  const places = weigh(
    blocks,
    ({ box }) => box.declared,
    ({ length }) => length,
    (i) => chances[i]!,
  )
  const [most] = [...places.keys()].sort((one, other) => places.get(other)!.text - places.get(one)!.text)
  const own = title?.box.declared
  const textIn = (place: Element) => places.get(place)?.text ?? 0
  const best = own && most && 2 * textIn(own) >= textIn(most) && !own.contains(most) ? own : most
  const sum = best && places.get(best)
  return sum && (sum.text < shortContent || sum.kept >= minDeclared * sum.text) ? best : undefined
}

const endsWithColon = ({ last }: Block) => last === 58 || last === 0xff1a

/** Keeps a list after a kept line that ends in a colon. */
function keepAfterColon(blocks: readonly Block[], keep: Uint8Array): void {
  for (let i = 1; i < blocks.length; i++) {
    const before = blocks[i - 1]!
    const list = listOf(blocks[i]!)
    if (keep[i] || !list || !keep[i - 1] || listOf(before) === list || !endsWithColon(before)) continue
    if (list.parentNode !== before.box.up?.element && list.parentNode !== before.box.element) continue
    for (let j = i; j < blocks.length && list.contains(blocks[j]!.box.element); j++) keep[j] = 1
  }
}

/** Returns the table row of a cell if the row is written as one. */
const rowOf = ({ box, tag }: Block) => (box.kinds.table === 0 || tag === 'table' ? undefined : box.row)

/** Keeps the cells of a row together. */
function keepRows(blocks: readonly Block[], keep: Uint8Array): void {
  const kept = new Set(blocks.filter((_, i) => keep[i]).map(rowOf))
  kept.delete(undefined)
  if (kept.size > 0)
    blocks.forEach((block, i) => {
      if (kept.has(rowOf(block))) keep[i] = 1
    })
}

/** Keeps the text of a fold if most of the text around it stays, and the summary of a fold with kept text. */
function keepFolds(blocks: readonly Block[], keep: Uint8Array): void {
  blocks.forEach(({ tag, box: { up } }, i) => {
    if (tag !== 'summary' || !up?.up) return
    let end = i + 1
    while (end < blocks.length && up.element.contains(blocks[end]!.box.element)) end++
    const around = textAround(blocks, keep, up.up.element, i)
    if (around.kept >= 0.5 * around.text)
      for (let j = i + 1; j < end; j++) if (mayStay(blocks[j]!) && isWithin(blocks[j]!.box, up.up.element)) keep[j] = 1
    if (keep.subarray(i + 1, end).includes(1)) keep[i] = 1
  })
}

/**
 * Keeps an aside with a paragraph and no links, such as a warning with its title, where most of the text around it
 * stays.
 */
function keepAsides(blocks: readonly Block[], keep: Uint8Array): void {
  for (let i = 0, end = 0; i < blocks.length; i = end) {
    end = i + 1
    const aside =
      blocks[i]!.box.kinds.aside > 0 && boxAbove(blocks[i]!.box, ({ element }) => element.localName === 'aside')
    if (!aside || !aside.up) continue
    while (aside.element.contains(blocks[end]?.box.element ?? null)) end++
    const own = blocks.slice(i, end)
    if (own.some(({ link, control }) => link + control > 0) || !own.some(isParagraph)) continue
    const around = textAround(blocks, keep, aside.up.element, i)
    if (around.kept >= 0.5 * around.text) keep.fill(1, i, end)
  }
}

/** Keeps whole items and quotations of several blocks if most of their text stays; lone controls may go. */
function keepItems(blocks: readonly Block[], keep: Uint8Array): void {
  const items = weigh(
    blocks,
    ({ box }) => box.item,
    ({ length, control }) => length - control,
    (i) => keep[i]!,
  )
  blocks.forEach((block, i) => {
    const sum = items.get(block.box.item!)
    if (sum && sum.kept >= 0.5 * sum.text && sum.kept > 0 && block.control < block.length) keep[i] = 1
  })
}

/** Keeps headings of sections that stay, with what is between the heading and the first kept block, except links. */
function keepHeadings(blocks: readonly Block[], keep: Uint8Array): void {
  for (let i = blocks.length - 1; i >= 0; i--) {
    const { tag, box } = blocks[i]!
    if (keep[i] || !isHeading(tag)) continue
    let j = i + 1
    const end = Math.min(blocks.length, i + maxSection)
    const endsSection = (block: Block) => isHeading(block.tag) && block.tag <= tag
    while (j < end && !endsSection(blocks[j]!) && !(keep[j] && isInSection(blocks[i]!, blocks[j]!))) j++
    if (j === end || endsSection(blocks[j]!)) continue
    keep[i] = 1
    for (let k = i + 1; k < j; k++) if (mayStay(blocks[k]!) && isWithin(blocks[k]!.box, box.up!.element)) keep[k] = 1
  }
}

/** Keeps the text directly under a kept heading that would otherwise stand alone. */
function keepUnderHeadings(blocks: readonly Block[], keep: Uint8Array): void {
  blocks.forEach((heading, i) => {
    if (!keep[i] || !isHeading(heading.tag)) return
    let end = i + 1
    while (end < blocks.length && !isHeading(blocks[end]!.tag)) end++
    const own = (heading.box.up ?? heading.box).element
    if (keep.subarray(i + 1, end).includes(1) || (blocks[end]?.tag ?? '') > heading.tag) return
    for (let j = i + 1; j < end; j++) if (mayStay(blocks[j]!) && isWithin(blocks[j]!.box, own)) keep[j] = 1
  })
}

/**
 * Drops headings over nothing but dropped links and controls; keeps the section without controls if it is likely
 * enough.
 */
function decideLoneHeadings({ blocks, chances, certain }: Evidence, keep: Uint8Array, threshold: number): void {
  for (let i = blocks.length - 1; i >= 0; i--) {
    const heading = blocks[i]!
    if (!keep[i] || !isHeading(heading.tag) || certain.has(heading.box.element)) continue
    const { around, end } = sectionOf(blocks, i)
    if (!around || end === i + 1 || keep.subarray(i + 1, end).includes(1)) continue
    const section = blocks.slice(i, end)
    if (section.slice(1).some((block) => mayStay(block) && !isControl(block))) continue
    const weight = section.reduce((sum, block) => sum + weightOf(block), 0)
    const likely = section.reduce((sum, block, j) => sum + weightOf(block) * chances[i + j]!, 0)
    const stays = (block: Block) => block === heading || (!isControl(block) && isWithin(block.box, around.element))
    if (likely < threshold * weight) keep[i] = 0
    else section.forEach((block, j) => (keep[i + j] = stays(block) ? 1 : 0))
  }
}

/** True for a block of buttons and labels. */
const isControl = ({ control, length }: Block) => control > 0 && control >= 0.5 * length

/**
 * Returns the box of a heading's section, and the index after the section. The box is the one around the heading, or
 * the next outer one if that contains only the heading.
 */
function sectionOf(blocks: readonly Block[], i: number): { around: Box | undefined; end: number } {
  const { tag, box } = blocks[i]!
  const isIn = (up: Box | undefined, block: Block | undefined) =>
    block && up?.element.contains(block.box.element) && !(isHeading(block.tag) && block.tag <= tag)
  // Words beside the heading in a box of its own, such as a link to edit the section, belong to its line.
  const isAlone = !isIn(box.up, blocks[i + 1]) || blocks[i + 1]!.box === box.up
  const around = isAlone ? box.up?.up : box.up
  let end = i + 1
  while (end < i + maxSection && isIn(around, blocks[end])) end++
  return { around, end }
}

/** Maximum number of blocks to check after a heading. */
const maxSection = 500

/** True if one of the three nearest boxes around a heading contains a later block. */
function isInSection(heading: Block, other: Block): boolean {
  return (
    heading.box.up !== undefined && someBox(heading.box.up, ({ element }) => element.contains(other.box.element), 3)
  )
}

/** Keeps pictures, figures with their captions, and tables of facts if most of the text around them stays. */
function keepPictures(blocks: readonly Block[], keep: Uint8Array): void {
  blocks.forEach((block, i) => {
    const isFigure = block.tag === 'figure' && (block.images > 0 || mayStay(block))
    if (block.length > 0 && (keep[i] || !(isFigure || isFactTable(block)))) return
    const own = isFigure ? 0 : block.length
    someBox(block.box, ({ element }) => {
      const around = textAround(blocks, keep, element, i)
      const text = around.text - own
      if (text > 0) keep[i] = around.kept >= 0.5 * text ? 1 : 0
      return text > 0
    })
  })
}

/** True for a table with row headings in the declared main content, such as the facts of an encyclopaedia. */
const isFactTable = (block: Block) =>
  block.tag === 'table' &&
  block.box.kinds.main + block.box.kinds.article > 0 &&
  mayStay(block) &&
  elementsIn(block.box.element).some((cell) => cell.getAttribute('scope') === 'row')

/** Returns the text near a block within an element, and how much of it stays. */
function textAround(blocks: readonly Block[], keep: Uint8Array, element: Element, from: number): Weight {
  const sum = { text: 0, kept: 0 }
  const add = (j: number) => {
    const block = blocks[j]
    if (!block || !element.contains(block.box.element)) return false
    if (block.tag === 'figure') return true
    sum.text += block.length
    if (keep[j]) sum.kept += block.length
    return true
  }
  for (let j = from; from - j < maxNear && add(j); j--);
  for (let j = from + 1; j - from < maxNear && add(j); j++);
  return sum
}

const maxNear = 200

const maxByline = 200

/** Keeps marked authors and dates next to a kept block in their box or the box around it. */
function keepBylines(blocks: readonly Block[], keep: Uint8Array): void {
  const bylines = blocks.map((block, i) => !keep[i] && isByline(block))
  for (const step of [1, -1])
    for (let i = step > 0 ? 1 : blocks.length - 2; blocks[i]; i += step) {
      const beside = blocks[i - step]!.box.element
      if (bylines[i] && keep[i - step] && someBox(blocks[i]!.box, ({ element }) => element.contains(beside), 2))
        keep[i] = 1
    }
}

function isByline({ nodes, box, length }: Block): boolean {
  const { nav, footer, aside, form } = box.kinds
  if (length === 0 || length > maxByline || nav + footer + aside + form > 0) return false
  return (
    marksByline(box.element) ||
    nodes.some((node: DomNode) => isElement(node) && [node, ...elementsIn(node)].some(marksByline))
  )
}

const marksByline = (element: Element) =>
  element.localName === 'time' ||
  element.getAttribute('rel') === 'author' ||
  /^(?:author|date(?:Published|Modified|Created))$/.test(element.getAttribute('itemprop') ?? '')

/** Maximum characters of a link to a note: a number or a sign, perhaps in brackets. */
const maxMark = 6

/** Keeps notes that a number or sign in an earlier kept block links to. */
function keepNotes(blocks: readonly Block[], keep: Uint8Array): void {
  const wanted = new Map<string, Element>()
  const isNamed = (element: Element, note: Element) => {
    const from = wanted.get(element.getAttribute('id') ?? '')
    return from !== undefined && !note.contains(from)
  }
  // The name of a note may be on its box, or on the number at its start.
  let numbered: Element | undefined
  blocks.forEach((block, i) => {
    const { nodes, inner, box } = block
    if (wanted.size > 0) {
      const [first] = nodes
      if (isElement(first) && isNamed(first, box.element)) numbered = box.element
      const follows =
        numbered && (mayStay(block) || block.links === 1) && block.control === 0 && isWithin(box, numbered)
      if (box.element === numbered || follows || someBox(box, ({ element }) => isNamed(element, element), 4))
        keep[i] = 1
    }
    if (keep[i] && inner > 0) for (const id of notesFrom(nodes)) wanted.set(id, box.element)
  })
}

/** Returns the ids that numbers and signs link to. */
function notesFrom(nodes: readonly DomNode[]): string[] {
  return nodes
    .flatMap((node) => (isElement(node) ? [node, ...elementsIn(node)] : []))
    .flatMap((link) => {
      const [, id] = /^[^#]*#(.+)$/.exec((link.localName === 'a' && link.getAttribute('href')) || '') ?? []
      const mark = id ? link.textContent.trim() : ''
      return id && mark && mark.length <= maxMark && !/\p{L}{2}/u.test(mark) ? id : []
    })
}
