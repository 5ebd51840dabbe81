/** The members of the DOM that the HTML reader uses; another tree that offers them can replace linkedom. */
export type DomNode = {
  readonly nodeType: number
  readonly parentNode: Element | null
  readonly nextSibling: DomNode | null
  readonly previousSibling: DomNode | null
  textContent: string
  remove(): void
  before(...nodes: (DomNode | string)[]): void
  after(...nodes: (DomNode | string)[]): void
  replaceWith(...nodes: (DomNode | string)[]): void
}

export type Element = DomNode & {
  /** In lower case, whatever the page wrote. */
  readonly localName: string
  readonly ownerDocument: Document
  readonly firstChild: DomNode | null
  readonly lastChild: DomNode | null
  readonly firstElementChild: Element | null
  readonly nextElementSibling: Element | null
  readonly children: Element[]
  readonly childNodes: DomNode[]
  innerHTML: string
  readonly outerHTML: string
  getAttribute(name: string): string | null
  getAttributeNode(name: string): { value: string } | null
  getAttributeNames(): string[]
  hasAttribute(name: string): boolean
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  append(...nodes: (DomNode | string)[]): void
  prepend(...nodes: (DomNode | string)[]): void
  appendChild(node: DomNode): DomNode
  insertBefore(node: DomNode, before: DomNode | null): DomNode
  cloneNode(deep: true): Element
  contains(node: DomNode): boolean
  querySelectorAll(selector: string): Element[]
  /** All elements inside, in document order; missing where linkedom could not be patched. */
  descendants?(): Element[]
}

export type Document = {
  readonly childNodes: DomNode[]
  readonly documentElement: Element | null
  readonly body: Element
  createElement(name: string): Element
  createTextNode(text: string): DomNode
  querySelectorAll(selector: string): Element[]
}

export function isElement(node: DomNode | null | undefined): node is Element {
  return node?.nodeType === 1
}

export function isText(node: DomNode): boolean {
  return node.nodeType === 3 || node.nodeType === 4
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
  if (root.descendants) return root.descendants()
  const found: Element[] = []
  for (let at: DomNode | null = root.firstChild; at;) {
    if (isElement(at)) found.push(at)
    at = (isElement(at) && at.firstChild) || nodeAfter(at, root)
  }
  return found
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

/** Reads the class attribute without the token list that linkedom would build. */
export function classOf(element: Element): string {
  return element.getAttributeNode('class')?.value ?? ''
}

export function moveChildren(from: Element, to: Element): void {
  for (let child = from.firstChild; child; child = from.firstChild) to.appendChild(child)
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
  const renamed = element.ownerDocument.createElement(name)
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
