import { createElement, type ElementNode, type TreeNode } from './tree-node.ts'

export type DomNode = TreeNode
export type Element = ElementNode

export function isElement(node: DomNode | null | undefined): node is Element {
  return node?.nodeType === 1
}

export function isText(node: DomNode): boolean {
  return node.nodeType === 3
}

/**
 * Returns the next node in document order, within `root`, that is not inside `node`; calls `leave` for every node that
 * ends before it.
 */
export function nodeAfter(node: DomNode, root: DomNode, leave?: (left: DomNode) => void): DomNode | null {
  for (let at: DomNode | null = node; at && at !== root; at = at.parentNode) {
    leave?.(at)
    const next = at.nextSibling
    if (next) return next
  }
  return null
}

/**
 * Returns all elements under `root` in document order, as a list, so the caller may change the tree while iterating.
 */
export function elementsIn(root: Element): Element[] {
  return root.descendants()
}

/** Calls `see` for each element in document order; skips its descendants if `see` returns 'skip' or removes it. */
export function visit(root: Element, see: (element: Element) => 'skip' | void): void {
  for (let at: DomNode | null = root.firstChild; at;) {
    const sibling: DomNode | null = at.nextSibling
    const parent: Element | null = at.parentNode
    const isEntered: boolean = isElement(at) && see(at) !== 'skip' && at.parentNode === parent
    at = (isEntered && isElement(at) && at.firstChild) || sibling || (parent && nodeAfter(parent, root))
  }
}

export const elementsById = (elements: readonly Element[]): ReadonlyMap<string, Element> =>
  new Map(
    elements.flatMap((element) => {
      const id = element.getAttribute('id')
      return id ? [[id, element] as const] : []
    }),
  )

/** Returns the nearest ancestor, or the element itself, that passes, within `limit` levels. */
export function closest(element: Element, passes: (candidate: Element) => boolean, limit = 200): Element | undefined {
  let at: Element | null = element
  for (let i = 0; at && isElement(at) && i < limit; i++, at = at.parentNode) if (passes(at)) return at
  return undefined
}

export function previousElement(node: DomNode): Element | null {
  let at = node.previousSibling
  while (at && !isElement(at)) at = at.previousSibling
  return at
}

export function classOf(element: Element): string {
  return element.getAttribute('class') ?? ''
}

/** Returns the lower-case name of a meta element, which is its property or its name. */
export const metaName = (meta: Element) =>
  (meta.getAttribute('property') ?? meta.getAttribute('name') ?? '').trim().toLowerCase()

export function moveChildren(from: Element, to: Element): void {
  for (let child = from.firstChild; child; child = from.firstChild) to.appendChild(child)
}

/** Replaces an element with its children. */
export function unwrap(element: Element): void {
  const parent = element.parentNode
  if (!parent) return
  for (let child = element.firstChild; child; child = element.firstChild) parent.insertBefore(child, element)
  element.remove()
}

/** Replaces an element with one of another name that has the same children and only the given attributes. */
export function rename(element: Element, name: string, pairs?: string[]): Element {
  const renamed = createElement(name, pairs)
  moveChildren(element, renamed)
  element.replaceWith(renamed)
  return renamed
}

/** White space other than a single space; most text contains none. */
const unevenSpace = / \s+|[^\S ]\s*/g

export function oneLine(text: string): string {
  return (hasEvenSpace(text) ? text : text.replace(unevenSpace, ' ')).trim()
}

/** True if all white space is single spaces. */
export function hasEvenSpace(text: string): boolean {
  return !text.includes('  ') && !/[^\S ]/.test(text)
}

const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Elements whose text is serialized without escaping. */
const raw = new Set('script style xmp iframe noembed noframes plaintext'.split(' '))

/** Serializes the contents of an element (HTML standard, 13.3: serializing HTML fragments). */
export function innerHtml(root: Element): string {
  const out: string[] = []
  const writeEnd = (left: DomNode) => {
    if (isElement(left) && !voids.has(left.localName)) out.push(`</${left.localName}>`)
  }
  for (let at: DomNode | null = root.firstChild; at;) {
    if (isElement(at)) writeStart(at, out)
    else out.push(raw.has(at.parentNode?.localName ?? '') ? at.textContent : escaped(at.textContent))
    at = (isElement(at) && at.firstChild) || nodeAfter(at, root, writeEnd)
  }
  return out.join('')
}

function writeStart({ localName, pairs = [] }: Element, out: string[]): void {
  out.push('<', localName)
  for (let at = 0; at < pairs.length; at += 2)
    out.push(' ', pairs[at] ?? '', '="', escaped(pairs[at + 1] ?? '', 'attribute'), '"')
  out.push('>')
}

function escaped(text: string, place: 'text' | 'attribute' = 'text'): string {
  if (!/[&<>"\xA0]/.test(text)) return text
  const plain = text.replaceAll('&', '&amp;').replaceAll('\xA0', '&nbsp;')
  return place === 'attribute' ? plain.replaceAll('"', '&quot;') : plain.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Block elements. All others, custom elements included, count as inline. */
const blocks = new Set(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
   h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td tfoot th
   thead tr ul`.split(/\s+/),
)
const isBlock = ({ localName }: DomNode) => blocks.has(localName)
const words = /[\p{L}\p{N}]/u
const code = /^(?:pre|code|samp|kbd)$/
/** Maximum number of nodes without words to skip between an element and the words next to it. */
const maxGap = 200

/**
 * True if removing the element would leave a gap in the text: it is inside code, or it is inline with words next to it
 * in its block.
 */
export function isPartOfText(element: Element): boolean {
  const { parentNode } = element
  if (parentNode && closest(parentNode, ({ localName }) => code.test(localName))) return true
  if (isBlock(element) || !/\S/.test(element.textContent) || elementsIn(element).some(isBlock)) return false
  const { before, after } = wordsBeside(element)
  return before + after !== ''
}

/** Returns the nearest texts with words before and after an element in its block; '' if there are none. */
export function wordsBeside(element: Element): { before: string; after: string } {
  const textOn = (side: Side) => nearestText(element, side, isBlock, maxGap)?.textContent ?? ''
  return { before: textOn('previousSibling'), after: textOn('nextSibling') }
}

export const sides = ['previousSibling', 'nextSibling'] as const
export type Side = (typeof sides)[number]

/** Returns the nearest text with words on one side of an element, searching up to the first node that is an end. */
export function nearestText(
  element: Element,
  side: Side,
  isEnd: (node: DomNode) => boolean,
  maxNodes = Infinity,
): DomNode | undefined {
  const edge = side === 'nextSibling' ? 'firstChild' : 'lastChild'
  let at: DomNode = element
  let isEntered = false
  for (let count = 0; count < maxNodes; count++) {
    const next: DomNode | null = (isEntered && at[edge]) || at[side]
    const to: DomNode | null = next ?? at.parentNode
    if (!to || isEnd(to)) return undefined
    if (isText(to) && words.test(to.textContent)) return to
    isEntered = next !== null
    at = to
  }
  return undefined
}

/**
 * Maximum number of nodes in a line, in a link around a picture or in a table cell. Larger elements are boxes, and
 * reading one again for each of its parts would take quadratic time.
 */
export const maxLineNodes = 80

/** True if a box contains more nodes or more characters of text than given; does not count further. */
export function exceedsSize(box: Element, most: number, mostCharacters = Infinity): boolean {
  let [nodes, characters] = [0, 0]
  for (let at: DomNode | null = box.firstChild; at; at = at.firstChild ?? nodeAfter(at, box)) {
    if (isText(at)) characters += at.textContent.length
    if (++nodes > most || characters > mostCharacters) return true
  }
  return false
}
