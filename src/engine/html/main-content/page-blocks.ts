import { classOf, type DomNode, type Element, elementsIn, isElement, nodeAfter } from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'
import { type Block, type Box, type BoxKind, isBlockName, readBlock } from './text-block.ts'
import type { Measures } from './measure.ts'

/** Weight of a class or id, computed from its words. */
export type NameWorth = (names: string) => number

/** Returns all blocks of a body in document order. */
export function blocksOf(body: Element, measures: Measures, worth: NameWorth, host: string): Block[] {
  const holders = inlineHolders(body)
  const found: Block[] = []
  const add = (box: Box, nodes: readonly DomNode[]) => {
    const block = readBlock(box, nodes, box.element.localName, host)
    if (block.length > 0 || block.images > 0) found.push(block)
  }
  let run: { box: Box; nodes: DomNode[] } | undefined
  const end = () => {
    if (run) add(run.box, run.nodes)
    run = undefined
  }
  walk(boxOf(body, undefined, 0, measures))
  end()
  return found

  function walk(box: Box): void {
    for (let at = box.element.firstChild; at; at = at.nextSibling) {
      if (!isElement(at) || (!isBlockName(at.localName) && !holders.has(at))) {
        run ??= { box, nodes: [] }
        run.nodes.push(at)
        continue
      }
      // The text of an inline element around blocks continues the line before it; links around blocks become boxes.
      const isApart = isBlockName(at.localName) || at.localName === 'a'
      if (isApart) end()
      const inner = boxOf(at, box, worth(`${classOf(at)} ${at.getAttribute('id') ?? ''}`), measures)
      if (isWhole(at, measures)) add(inner, [at])
      else walk(inner)
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

const kindByName: Readonly<Record<string, BoxKind>> = {
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
}
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

const outermost = {
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
  depth: -1,
  path: '',
  isLinked: false,
  frame: undefined,
}

function boxOf(element: Element, up: Box | undefined, own: number, measures: Measures): Box {
  const outer = up ?? outermost
  const name = element.localName
  const box: Box = {
    ...outer,
    element,
    up,
    depth: outer.depth + 1,
    names: up ? namesOf(up.names, own) : [0, 0, 0, 0, 0],
    isRow: name === 'tr' && isWritten(element),
    isLinked: outer.isLinked || name === 'a',
    path: `${outer.path.slice(-80)}/${name}.${classOf(element).split(' ', 1)[0]!}`,
  }
  countKinds(box)
  box.frame ??= frameOf(box, outer, measures)
  return box
}

/** Elements that may have a header, a menu and a footer of their own. */
const holdsFrame = /^(?:section|aside|blockquote|details|dialog|fieldset|figure|li|td)$/

/** Returns the part of the site's frame that begins with a box: a menu, a footer, or a header without a heading. */
function frameOf(box: Box, outer: Record<BoxKind, number>, measures: Measures): Box['frame'] {
  if (holdsFrame.test(box.element.localName)) return 'none'
  if (box.nav > outer.nav || box.footer > outer.footer) return box
  if (box.header === outer.header) return undefined
  const { h1, headings } = measures.of(box.element)
  return h1 + headings === 0 ? box : undefined
}

/** Counts the kinds of a box, each once: by name, by role and by microdata. */
function countKinds(box: Box): void {
  const { element } = box
  const byName = kindByName[element.localName]
  if (byName) box[byName]++
  if (!element.pairs) return
  const byRole = kindByRole[element.getAttribute('role')?.toLowerCase() ?? '']
  if (byRole && byRole !== byName) box[byRole]++
  const isArticle = byName === 'article' || byRole === 'article'
  if (!isArticle && /articlebody/i.test(element.getAttribute('itemprop') ?? '')) box.article++
  if (byRole !== 'overlay' && element.getAttribute('aria-modal') === 'true') box.overlay++
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
