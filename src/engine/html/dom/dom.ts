import { createElement, type ElementNode, type TreeNode } from './node.ts'

export type DomNode = TreeNode
export type Element = ElementNode

export function isElement(node: DomNode | null | undefined): node is Element {
  return node?.nodeType === 1
}

export function isText(node: DomNode): boolean {
  return node.nodeType === 3
}

/** The next node in document order that is not inside `node`, within `root`. */
export function nodeAfter(node: DomNode, root: DomNode): DomNode | null {
  for (let at: DomNode | null = node; at && at !== root; at = at.parentNode) {
    const next = at.nextSibling
    if (next) return next
  }
  return null
}

/** All elements under `root` in document order, as a list, so that the caller may change the tree meanwhile. */
export function elementsIn(root: Element): Element[] {
  return root.descendants()
}

/** Visits elements in document order. Returning 'skip', or removing the element, keeps the walk out of it. */
export function visit(root: Element, see: (element: Element) => 'skip' | void): void {
  for (let at: DomNode | null = root.firstChild; at;) {
    const sibling: DomNode | null = at.nextSibling
    const parent: Element | null = at.parentNode
    const isEntered: boolean = isElement(at) && see(at) !== 'skip' && at.parentNode === parent
    at = (isEntered && isElement(at) && at.firstChild) || sibling || (parent && nodeAfter(parent, root))
  }
}

/** The nearest ancestor or self that passes, within `limit` generations. */
export function closest(element: Element, passes: (candidate: Element) => boolean, limit = 200): Element | undefined {
  let at: Element | null = element
  for (let i = 0; at && isElement(at) && i < limit; i++, at = at.parentNode) if (passes(at)) return at
  return undefined
}

export function classOf(element: Element): string {
  return element.getAttribute('class') ?? ''
}

export function moveChildren(from: Element, to: Element): void {
  for (let child = from.firstChild; child; child = from.firstChild) to.appendChild(child)
}

/** Wraps the contents of an element in a link. */
export function linkContents(element: Element, href: string): void {
  const link = createElement('a', ['href', href])
  moveChildren(element, link)
  element.append(link)
}

/** Replaces an element by its children. */
export function unwrap(element: Element): void {
  const parent = element.parentNode
  if (!parent) return
  for (let child = element.firstChild; child; child = element.firstChild) parent.insertBefore(child, element)
  element.remove()
}

/** Replaces an element by one of another name with the same children and no attributes. */
export function rename(element: Element, name: string): Element {
  const renamed = createElement(name)
  moveChildren(element, renamed)
  element.replaceWith(renamed)
  return renamed
}

/** White space other than a single space; most text has none. */
const unevenSpace = / \s+|[^\S ]\s*/g

export function oneLine(text: string): string {
  return (hasEvenSpace(text) ? text : text.replace(unevenSpace, ' ')).trim()
}

/** True when all white space is single spaces. */
export function hasEvenSpace(text: string): boolean {
  return !text.includes('  ') && !/[^\S ]/.test(text)
}
