import { type DomNode, type Element, isElement } from '../dom/dom-tree.ts'
import { joinedHash, textFactsOf } from './text-facts.ts'

const blockNames = new Set(
  `address article aside blockquote body caption center col colgroup dd details dir div dl dt fieldset figcaption figure
   footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul`.split(
    /\s+/,
  ),
)

export const isBlockName = (name: string) => blockNames.has(name)
export const isHeading = (name: string) => name.length === 2 && name >= 'h1' && name <= 'h6'

/** Number of boxes of each kind outside of all boxes. An overlay covers the page or shows its state. */
export const noKinds = {
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
export type BoxKind = keyof typeof noKinds

/** A box around blocks. */
export type Box = {
  element: Element
  up: Box | undefined
  depth: number
  /** Number of boxes of each kind around the contents, including this one; one object for all boxes that add none. */
  kinds: Readonly<Record<BoxKind, number>>
  /** Weights of the class and id names: own, nearest, decayed sum, minimum and maximum. */
  names: readonly [number, number, number, number, number]
  /** Names of the ancestors, each with its first class: equal for all entries of a list. */
  path: string
  /** Nearest list item or quotation around the contents. */
  item: Element | undefined
  /** Nearest table row, if it is written as one. */
  row: Element | undefined
  /** Nearest element declared as main content or article, unless a menu, footer or aside is between. */
  declared: Element | undefined
  /** True inside a link. */
  isLinked: boolean
  /** The outermost header, menu or footer around the contents; `none` inside elements that have their own. */
  frame: Box | 'none' | undefined
  /** Amount of prose near this box, and number of levels above the box with the most; -1 if not around that box. */
  prose: number
  level: number
}

/** Content of one block element between its inner blocks, or a whole table, list item, listing or figure. */
export class Block {
  readonly box: Box
  readonly nodes: readonly DomNode[]
  readonly tag: string
  /** The first characters, on one line. */
  text = ''
  /** Number of characters in total and in links, bold text and controls, followed by numbers of elements. */
  length = 0
  link = 0
  bold = 0
  control = 0
  marks = 0
  commas = 0
  digits = 0
  capitals = 0
  spaces = 0
  signs = 0
  images = 0
  links = 0
  /** Number of links within the page, and to other hosts. */
  inner = 0
  outer = 0
  /** Character code of the last character. */
  last = 0
  hash = 0

  constructor(box: Box, nodes: readonly DomNode[]) {
    this.box = box
    this.nodes = nodes
    this.tag = box.element.localName
  }
}

/** Context of a text: inside a link, bold text or a control. */
type Around = { link: boolean; bold: boolean; control: boolean }

/** Number of characters after which no further text is stored. */
const maxText = 200
const controlNames = new Set(['button', 'label', 'select', 'textarea', 'input'])

/** Reads the statistics of a block. */
export function readBlock(box: Box, nodes: readonly DomNode[], host: string): Block {
  const block = new Block(box, nodes)
  const around = { link: box.isLinked, bold: false, control: false }
  let gap = false
  for (const node of nodes) gap = addNode(block, node, around, gap, host)
  block.text = block.text.trim()
  return block
}

/** Counts the contents of a node. Takes and returns whether white space precedes the next character. */
function addNode(block: Block, node: DomNode, outer: Around, gapBefore: boolean, host: string): boolean {
  if (!isElement(node)) return addText(block, node, outer, gapBefore)
  const name = node.localName
  const isBlock = isBlockName(name)
  let gap = gapBefore || isBlock || name === 'br'
  if (name === 'img') block.images++
  else if (name === 'a') countLink(block, node.getAttribute('href') ?? '', host)
  const inner = insideOf(name, node.getAttribute('role'), outer)
  for (let child = node.firstChild; child; child = child.nextSibling) gap = addNode(block, child, inner, gap, host)
  return gap || isBlock
}

function insideOf(name: string, role: string | null, outer: Around): Around {
  const link = name === 'a'
  const bold = name === 'b' || name === 'strong'
  const control = role === 'button' || controlNames.has(name)
  if (!link && !bold && !control) return outer
  return { link: outer.link || link, bold: outer.bold || bold, control: outer.control || control }
}

/** Counts the characters of a text. */
function addText(block: Block, node: DomNode, { link, bold, control }: Around, gapBefore: boolean): boolean {
  const facts = textFactsOf(node)
  if (block.text.length < maxText) block.text += facts.isEven ? node.textContent : node.textContent.replace(/\s+/g, ' ')
  const hasGap = gapBefore || facts.startsWithGap
  if (facts.characters === 0) return hasGap
  const spaces = facts.gaps + (hasGap && block.length > 0 ? 1 : 0)
  const added = facts.characters + spaces
  block.length += added
  block.spaces += spaces
  block.capitals += facts.capitals
  block.digits += facts.digits
  block.commas += facts.commas
  block.marks += facts.marks
  block.signs += facts.signs
  block.last = facts.last
  block.hash = joinedHash(block.hash, facts)
  if (link) block.link += added
  if (bold) block.bold += added
  if (control) block.control += added
  return facts.endsWithGap
}

function countLink(block: Block, href: string, host: string): void {
  block.links++
  if (href === '' || href.startsWith('#') || href.startsWith('javascript:')) block.inner++
  else if (/^(?:https?:)?\/\//i.test(href) && hostOf(href) !== host) block.outer++
}

/** Returns the last two labels of the host name in a URL. */
export function hostOf(url: string): string {
  const host = /^(?:https?:)?\/\/([^/?#:]+)/i.exec(url)?.[1] ?? ''
  return host.toLowerCase().split('.').slice(-2).join('.')
}

/** Returns, for each block, the index of its section's heading; -1 before the first. */
export function sectionsOf(blocks: readonly Block[]): Int32Array {
  const sections = new Int32Array(blocks.length)
  let last = -1
  blocks.forEach(({ tag }, i) => {
    if (isHeading(tag)) last = i
    sections[i] = last
  })
  return sections
}
