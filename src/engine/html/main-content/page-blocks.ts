import { classOf, type DomNode, type Element, elementsIn, isElement, nodeAfter } from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'
import { type Block, type Box, type BoxKind, isBlockName, readBlock } from './text-block.ts'
import type { Measures } from './measure.ts'
import { textFactsOf } from './text-facts.ts'

/** Weight of a class or id, computed from its words. */
export type NameWorth = (names: string) => number

/** Returns all blocks of a body in document order. */
export function blocksOf(body: Element, measures: Measures, worth: NameWorth, host: string): Block[] {
  const holders = inlineHolders(body)
  const found: Block[] = []
  const top = boxOf(body, undefined, 0, measures)
  // Inline nodes since the last block, the box of the first, and whether any is more than white space.
  let run: DomNode[] = []
  let runBox = top
  let isBlank = true
  walk(top)
  end()
  return found

  function add(box: Box, nodes: readonly DomNode[]): void {
    const block = readBlock(box, nodes, box.element.localName, host)
    if (block.length > 0 || block.images > 0) found.push(block)
  }

  function end(): void {
    if (isBlank) run.length = 0
    else {
      add(runBox, run)
      run = []
    }
    isBlank = true
  }

  function walk(box: Box): void {
    let before: Box | undefined
    for (let at = box.element.firstChild; at; at = at.nextSibling) {
      const isBlock = isElement(at) && isBlockName(at.localName)
      if (!isElement(at) || (!isBlock && !holders.has(at))) {
        if (run.length === 0) runBox = box
        run.push(at)
        isBlank &&= !isElement(at) && textFactsOf(at).characters === 0
        continue
      }
      // The text of an inline element around blocks continues the line before it; links around blocks become boxes.
      const isApart = isBlock || at.localName === 'a'
      if (isApart) end()
      const own = at.pairs ? worth(`${classOf(at)} ${at.getAttribute('id') ?? ''}`) : 0
      before = boxOf(at, box, own, measures, before)
      if (isWhole(at, measures)) add(before, [at])
      else walk(before)
      if (isApart) end()
    }
  }
}

/** Inline elements around blocks. */
function inlineHolders(body: Element): ReadonlySet<Element> {
  const holders = new Set<Element>()
  for (const element of elementsIn(body)) {
    if (!isBlockName(element.localName)) continue
    for (let up = element.parentNode; up && !isBlockName(up.localName) && !holders.has(up); up = up.parentNode)
      holders.add(up)
  }
  return holders
}

const kindByName: ReadonlyMap<string, BoxKind> = new Map(
  Object.entries({
    main: 'main',
    article: 'article',
    nav: 'nav',
    header: 'header',
    footer: 'footer',
    aside: 'aside',
    form: 'form',
    fieldset: 'form',
    ul: 'list',
    ol: 'list',
    dl: 'list',
    table: 'table',
    section: 'section',
    blockquote: 'quote',
  }),
)
const kindByRole: Readonly<Record<string, BoxKind>> = {
  main: 'main',
  article: 'article',
  navigation: 'nav',
  menu: 'nav',
  menubar: 'nav',
  toolbar: 'nav',
  search: 'nav',
  banner: 'header',
  contentinfo: 'footer',
  complementary: 'aside',
  list: 'list',
  dialog: 'overlay',
  alertdialog: 'overlay',
  alert: 'overlay',
  status: 'overlay',
  tablist: 'overlay',
}

const noKinds: Box['kinds'] = {
  main: 0,
  article: 0,
  nav: 0,
  header: 0,
  footer: 0,
  aside: 0,
  form: 0,
  list: 0,
  table: 0,
  section: 0,
  quote: 0,
  overlay: 0,
}

/** Returns the box of an element; `before` is the one before it in the same box, whose names are often the same. */
function boxOf(element: Element, up: Box | undefined, own: number, measures: Measures, before?: Box): Box {
  const name = element.localName
  const outer = up?.kinds ?? noKinds
  const box: Box = {
    element,
    up,
    depth: up ? up.depth + 1 : 0,
    kinds: kindsOf(element, outer),
    names: up ? (before?.names[0] === own ? before.names : namesOf(up.names, own)) : [0, 0, 0, 0, 0],
    path: before && hasNamesOf(element, before.element) ? before.path : pathOf(element, up?.path ?? ''),
    item: name === 'li' || name === 'blockquote' ? element : up?.item,
    row: name === 'tr' ? (isWritten(element) ? element : undefined) : up?.row,
    declared: declaresContent(element) ? element : apart.has(name) ? undefined : up?.declared,
    isLinked: name === 'a' || up?.isLinked === true,
    frame: up?.frame,
    prose: 0,
    level: -1,
  }
  box.frame ??= frameOf(box, outer, measures)
  return box
}

const hasNamesOf = (element: Element, other: Element) =>
  element.localName === other.localName && classOf(element) === classOf(other)

const pathOf = (element: Element, outer: string) =>
  `${outer.slice(-80)}/${element.localName}.${classOf(element).split(' ', 1)[0]!}`

const apart = new Set(['nav', 'footer', 'aside', 'form', 'dialog'])

const declaresContent = (element: Element) =>
  element.localName === 'main' || element.localName === 'article' || element.getAttribute('role') === 'main'

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

/** Counts the kinds of a box, each once: by name, by role and by microdata. */
function kindsOf(element: Element, outer: Box['kinds']): Box['kinds'] {
  const byName = kindByName.get(element.localName)
  if (!byName && !element.pairs) return outer
  const byRole = kindByRole[element.getAttribute('role')?.toLowerCase() ?? '']
  const isMarked = /articlebody/i.test(element.getAttribute('itemprop') ?? '')
  const isModal = element.getAttribute('aria-modal') === 'true'
  if (!byName && !byRole && !isMarked && !isModal) return outer
  const kinds = { ...outer }
  if (byName) kinds[byName]++
  if (byRole && byRole !== byName) kinds[byRole]++
  if (isMarked && byName !== 'article' && byRole !== 'article') kinds.article++
  if (isModal && byRole !== 'overlay') kinds.overlay++
  return kinds
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

/** True for a row of several cells, none of which contains a sign of a layout table. */
function isWritten(row: Element): boolean {
  return row.children.length > 1 && !elementsIn(row).some(({ localName }) => layoutSign.test(localName))
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

/** Removes a node; an empty box stays where a removed box kept inline content apart. */
function takeOut(node: DomNode): void {
  const isBox = isElement(node) && [node, ...node.children].some(({ localName }) => isBlockName(localName))
  const beside = [node.parentNode, shownBeside(node, 'previousSibling'), shownBeside(node, 'nextSibling')]
  if (isBox && beside.some((near) => near && !isBlockName(near.localName))) node.replaceWith(createElement('div'))
  else node.remove()
}

/** Maximum number of blank texts to skip: removed items leave many. */
const maxBlanks = 4

function shownBeside(node: DomNode, side: 'previousSibling' | 'nextSibling'): DomNode | undefined {
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
