import {
  classOf,
  type DomNode,
  type Element,
  elementsIn,
  isElement,
  nodeAfter,
  type Side,
  sides,
} from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'
import { type Block, type Box, type BoxKind, isBlockName, noKinds, readBlock } from './text-block.ts'
import type { Measures } from './measure.ts'
import { textFactsOf } from './text-facts.ts'

/** Weight of a class or id, computed from its words. */
export type NameWorth = (names: string) => number

/** Returns all blocks of a body in document order. */
export function blocksOf(body: Element, measures: Measures, worth: NameWorth, host: string): Block[] {
  const holders = inlineHolders(body)
  const blocks: Block[] = []
  const top = boxOf(body, undefined, 0, measures)
  // Inline nodes since the last block, the box of the first, and whether any is more than white space.
  const run: DomNode[] = []
  let count = 0
  let runBox = top
  let isBlank = true
  walk(top)
  end()
  return blocks

  function add(box: Box, nodes: readonly DomNode[]): void {
    const block = readBlock(box, nodes, host)
    if (block.length > 0 || block.images > 0) blocks.push(block)
  }

  function ownWorth(element: Element): number {
    return element.pairs ? worth(`${classOf(element)} ${element.getAttribute('id') ?? ''}`) : 0
  }

  function end(): void {
    if (!isBlank) add(runBox, run.slice(0, count))
    count = 0
    isBlank = true
  }

  function walk(box: Box): void {
    let before: Box | undefined
    for (let at = box.element.firstChild; at; at = at.nextSibling) {
      const isBlock = isElement(at) && isBlockName(at.localName)
      if (!isElement(at) || (!isBlock && !holders.has(at))) {
        if (count === 0) runBox = box
        run[count++] = at
        isBlank &&= !isElement(at) && textFactsOf(at).characters === 0
        continue
      }
      // The text of an inline element around blocks continues the line before it; links around blocks become boxes.
      const isApart = isBlock || at.localName === 'a'
      if (isApart) end()
      before = boxOf(at, box, ownWorth(at), measures, before)
      if (isWhole(at, measures)) add(before, [at])
      else walk(before)
      if (isApart) end()
    }
  }
}

/** Inline elements around blocks. */
function inlineHolders(body: Element): ReadonlySet<Element> {
  const holders = new Set<Element>()
  for (const element of body.descendants(({ localName }) => isBlockName(localName)))
    for (let up = element.parentNode; up && !isBlockName(up.localName) && !holders.has(up); up = up.parentNode)
      holders.add(up)
  return holders
}

/** Kinds of boxes with the names of their elements and their roles. */
const kindTable: readonly (readonly [kind: BoxKind, names: string, roles: string])[] = [
  ['main', 'main', 'main'],
  ['article', 'article', 'article'],
  ['nav', 'nav', 'navigation menu menubar toolbar search'],
  ['header', 'header', 'banner'],
  ['footer', 'footer', 'contentinfo'],
  ['aside', 'aside', 'complementary'],
  ['form', 'form fieldset', ''],
  ['list', 'ul ol dl', 'list'],
  ['table', 'table', ''],
  ['section', 'section', ''],
  ['quote', 'blockquote', ''],
  ['overlay', '', 'dialog alertdialog alert status tablist'],
]
const kindsBy = (column: 1 | 2) =>
  new Map(kindTable.flatMap((row) => (row[column].match(/\w+/g) ?? []).map((name) => [name, row[0]])))
const kindByName = kindsBy(1)
const kindByRole = kindsBy(2)

const outermost: Omit<Box, 'element' | 'up' | 'prose' | 'level'> = {
  depth: -1,
  kinds: noKinds,
  names: [0, 0, 0, 0, 0],
  path: '',
  item: undefined,
  row: undefined,
  declared: undefined,
  isLinked: false,
  frame: undefined,
}

/** Returns the box of an element; `before` is the previous one in the same box, which often has the same names. */
function boxOf(element: Element, up: Box | undefined, own: number, measures: Measures, before?: Box): Box {
  const name = element.localName
  const outer = up ?? outermost
  const box: Box = {
    element,
    up,
    depth: outer.depth + 1,
    kinds: kindsOf(element, outer.kinds),
    names: before?.names[0] === own ? before.names : namesOf(outer.names, own),
    path: before && hasNamesOf(element, before.element) ? before.path : pathOf(element, outer.path),
    item: name === 'li' || name === 'blockquote' ? element : outer.item,
    row: name === 'tr' ? writtenRow(element) : outer.row,
    declared: declaredAround(element, outer.declared),
    isLinked: outer.isLinked || name === 'a',
    frame: outer.frame,
    prose: 0,
    level: -1,
  }
  box.frame ??= frameOf(box, outer.kinds, measures)
  return box
}

const hasNamesOf = (element: Element, other: Element) =>
  element.localName === other.localName && classOf(element) === classOf(other)

const pathOf = (element: Element, outer: string) =>
  `${outer.slice(-80)}/${element.localName}.${classOf(element).split(' ', 1)[0]!}`

const apart = new Set(['nav', 'footer', 'aside', 'form', 'dialog'])

function declaredAround(element: Element, outer: Element | undefined): Element | undefined {
  const name = element.localName
  if (name === 'main' || name === 'article' || element.getAttribute('role') === 'main') return element
  return apart.has(name) ? undefined : outer
}

/** Elements that may have a header, a menu and a footer of their own. */
const holdsFrame = new Set('section aside blockquote details dialog fieldset figure li td'.split(' '))

/** Returns the part of the site's frame that begins with a box: a menu, a footer, or a header without a heading. */
function frameOf(box: Box, outer: Box['kinds'], measures: Measures): Box['frame'] {
  const { element, kinds } = box
  if (holdsFrame.has(element.localName)) return 'none'
  if (kinds.nav > outer.nav || kinds.footer > outer.footer) return box
  if (kinds.header === outer.header) return undefined
  const { h1, headings } = measures.of(element)
  return h1 + headings === 0 ? box : undefined
}

function kindsOf(element: Element, outer: Box['kinds']): Box['kinds'] {
  const own = ownKinds(element, outer.quote > 0)
  if (own.length === 0) return outer
  const kinds = { ...outer }
  for (const kind of own) kinds[kind]++
  return kinds
}

/** Returns the kind of an element by its name. The footer of a quote has no kind: it names the author. */
const kindNamed = (name: string, isInQuote: boolean) =>
  isInQuote && name === 'footer' ? undefined : kindByName.get(name)

/** Returns the kinds of an element, each once: by name, by role and by microdata. */
function ownKinds(element: Element, isInQuote: boolean): BoxKind[] {
  const byName = kindNamed(element.localName, isInQuote)
  const own = byName ? [byName] : []
  if (!element.pairs) return own
  const byRole = kindByRole.get(element.getAttribute('role')?.toLowerCase() ?? '')
  if (byRole && byRole !== byName) own.push(byRole)
  if (!own.includes('article') && /articlebody/i.test(element.getAttribute('itemprop') ?? '')) own.push('article')
  if (byRole !== 'overlay' && element.getAttribute('aria-modal') === 'true') own.push('overlay')
  return own
}

function namesOf([, nearest, sum, least, most]: Box['names'], own: number): Box['names'] {
  return [own, own || nearest, sum * 0.8 + own, Math.min(least, own), Math.max(most, own)]
}

const prosaic = /^(?:p|ul|ol|li|pre|blockquote|br|table|thead|tbody|tr|td|th|dl|dt|dd|figure|figcaption)$/

/** True for elements that are kept or dropped as a whole. */
function isWhole(element: Element, measures: Measures): boolean {
  const name = element.localName
  if (name === 'pre') return true
  if (name !== 'li' && name !== 'figure' && name !== 'table') return false
  const { text, headings, pre, proses } = measures.of(element)
  if (name === 'figure') return text < 1500 && headings === 0 && proses < 3
  if (name === 'table') return isData(element, headings + pre)
  return text < 3000 && headings === 0 && holdsOnly(element, prosaic)
}

/** Returns a row of several cells, none of which contains a sign of a layout table. */
function writtenRow(row: Element): Element | undefined {
  const isWritten = row.children.length > 1 && !elementsIn(row).some(({ localName }) => layoutSign.test(localName))
  return isWritten ? row : undefined
}

const layoutSign = /^(?:h[1-3]|table|pre|article|section|main|nav|aside|form)$/

function holdsOnly(element: Element, allowed: RegExp): boolean {
  return elementsIn(element).every(({ localName }) => !isBlockName(localName) || allowed.test(localName))
}

/** True for a data table: several rows of several cells, with neither headings nor tables inside. */
function isData(table: Element, headings: number): boolean {
  const inner = elementsIn(table)
  if (inner.some(({ localName }) => localName === 'th' || localName === 'caption'))
    return !inner.some(({ localName }) => localName === 'table' || localName === 'form' || localName === 'h1')
  if (headings > 0 || table.getAttribute('role') === 'presentation') return false
  let rows = 0
  let cells = 0
  for (const { localName } of inner) {
    if (localName === 'tr') rows++
    else if (localName === 'td') cells++
    else if (/^(?:table|form|h[1-6]|article|section|nav)$/.test(localName)) return false
  }
  return rows > 1 && cells >= 2 * rows
}

/** Removes blocks, and the boxes that contained nothing else. */
export function removeBlocks(dropped: readonly Block[], root: Element): void {
  for (const { nodes } of dropped)
    for (const node of nodes) {
      let up = node.parentNode
      takeOut(node)
      while (up && up !== root && isEmpty(up)) {
        const outer: Element | null = up.parentNode
        takeOut(up)
        up = outer
      }
    }
}

/** Removes a node; leaves an empty box if the node separates inline content. */
function takeOut(node: DomNode): void {
  const isBox = isElement(node) && (!isInline(node) || !node.children.every(isInline))
  if (isBox && (isInline(node.parentNode) || sides.some((side) => isInline(shownBeside(node, side)))))
    node.replaceWith(createElement('div'))
  else node.remove()
}

const isInline = (node: DomNode | null | undefined) =>
  node !== null && node !== undefined && !isBlockName(node.localName)

/** Maximum number of blank texts to skip: removed items leave many. */
const maxBlanks = 4

function shownBeside(node: DomNode, side: Side): DomNode | undefined {
  let at = node[side]
  for (let k = 0; at && k < maxBlanks; k++, at = at[side]) if (isElement(at) || at.textContent.trim() !== '') return at
  return undefined
}

const full = /^(?:img|iframe|input|code|math|hr|video|audio)$/

function isEmpty(element: Element): boolean {
  for (let at: DomNode | null = element.firstChild; at;) {
    if (isElement(at) ? full.test(at.localName) : at.textContent.trim() !== '') return false
    at = at.firstChild ?? nodeAfter(at, element)
  }
  return true
}
