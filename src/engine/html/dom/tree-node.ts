const elementType = 1
const textType = 3

/** A node that may have attributes and children. */
export type ElementNode = TreeNode & { readonly nodeType: typeof elementType }

/**
 * Node of the parsed tree: an element or a text. Both have one object shape, because the reading steps visit each node
 * many times and V8 reads one shape in half the time of several. The tree has only the members that reading needs: no
 * comments, no documents, no live lists.
 */
export class TreeNode {
  /** 1 for an element, 3 for a text, as in the DOM. */
  readonly nodeType: typeof elementType | typeof textType
  /** Lower-case name; `#text` for a text. */
  readonly localName: string
  parentNode: ElementNode | null = null
  previousSibling: TreeNode | null = null
  nextSibling: TreeNode | null = null
  firstChild: TreeNode | null = null
  lastChild: TreeNode | null = null
  /** Alternating attribute names and values; undefined without attributes. */
  pairs: string[] | undefined
  /** Data that a step of the reader attaches, such as text statistics. */
  notes: object | undefined = undefined
  /** Characters of a text node. */
  private characters: string

  constructor(
    type: typeof elementType | typeof textType,
    name: string,
    characters: string,
    pairs: string[] | undefined,
  ) {
    this.nodeType = type
    this.localName = name
    this.characters = characters
    this.pairs = pairs
  }

  get children(): ElementNode[] {
    const result: ElementNode[] = []
    for (let at = this.firstChild; at; at = at.nextSibling)
      if (at.nodeType === elementType) result.push(at as ElementNode)
    return result
  }

  get childNodes(): TreeNode[] {
    const result: TreeNode[] = []
    for (let at = this.firstChild; at; at = at.nextSibling) result.push(at)
    return result
  }

  get firstElementChild(): ElementNode | null {
    let at = this.firstChild
    while (at && at.nodeType !== elementType) at = at.nextSibling
    return at as ElementNode | null
  }

  get nextElementSibling(): ElementNode | null {
    let at = this.nextSibling
    while (at && at.nodeType !== elementType) at = at.nextSibling
    return at as ElementNode | null
  }

  get textContent(): string {
    const { firstChild } = this
    if (!firstChild) return this.characters
    if (!firstChild.nextSibling && !firstChild.firstChild) return firstChild.characters
    let text = ''
    for (let at: TreeNode | null = firstChild; at; at = following(at, this)) text += at.characters
    return text
  }

  set textContent(text: string) {
    if (this.nodeType === textType) {
      this.characters = text
      this.notes = undefined
      return
    }
    while (this.firstChild) this.firstChild.remove()
    if (text !== '') link(createText(text), this as ElementNode, null)
  }

  /** Returns the descendant elements that pass, in document order. */
  descendants(passes?: (element: ElementNode) => boolean): ElementNode[] {
    const result: ElementNode[] = []
    for (let at = this.firstChild; at; at = following(at, this))
      if (at.nodeType === elementType && (!passes || passes(at as ElementNode))) result.push(at as ElementNode)
    return result
  }

  contains(node: TreeNode | null): boolean {
    for (let at = node; at; at = at.parentNode) if (at === this) return true
    return false
  }

  getAttribute(name: string): string | null {
    const { pairs } = this
    if (pairs) for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === name) return pairs[at + 1] as string
    return null
  }

  getAttributeNames(): string[] {
    return this.pairs?.filter((_, at) => at % 2 === 0) ?? []
  }

  hasAttribute(name: string): boolean {
    const { pairs } = this
    if (pairs) for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === name) return true
    return false
  }

  setAttribute(name: string, value: string): void {
    const pairs = (this.pairs ??= [])
    let at = 0
    while (at < pairs.length && pairs[at] !== name) at += 2
    pairs[at] = name
    pairs[at + 1] = value
  }

  removeAttribute(name: string): void {
    const { pairs } = this
    if (!pairs) return
    for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === name) return void pairs.splice(at, 2)
  }

  remove(): void {
    const { parentNode: parent, previousSibling: before, nextSibling: after } = this
    if (!parent) return
    if (before) before.nextSibling = after
    else parent.firstChild = after
    if (after) after.previousSibling = before
    else parent.lastChild = before
    this.parentNode = this.previousSibling = this.nextSibling = null
  }

  insertBefore(node: TreeNode, before: TreeNode | null): void {
    if (node === before) return
    node.remove()
    link(node, this as ElementNode, before)
  }

  appendChild(node: TreeNode): void {
    node.remove()
    link(node, this as ElementNode, null)
  }

  append(...nodes: (TreeNode | string)[]): void {
    for (const node of nodes) this.appendChild(asNode(node))
  }

  prepend(...nodes: (TreeNode | string)[]): void {
    const first = this.firstChild
    for (const node of nodes) this.insertBefore(asNode(node), first)
  }

  before(...nodes: (TreeNode | string)[]): void {
    for (const node of nodes) this.parentNode?.insertBefore(asNode(node), this)
  }

  after(...nodes: (TreeNode | string)[]): void {
    const next = this.nextSibling
    for (const node of nodes) this.parentNode?.insertBefore(asNode(node), next)
  }

  replaceWith(...nodes: (TreeNode | string)[]): void {
    this.before(...nodes)
    this.remove()
  }

  /** Copies this node with its descendants, without recursion. */
  cloneNode(): this {
    const root = this.copy()
    let into = root
    for (let at = this.firstChild; at;) {
      const copy = at.copy()
      link(copy, into, null)
      if (at.firstChild) {
        into = copy
        at = at.firstChild
        continue
      }
      while (at && !at.nextSibling) {
        at = at.parentNode === this ? null : at.parentNode
        into = into.parentNode ?? into
      }
      at = at?.nextSibling ?? null
    }
    return root as this
  }

  private copy(): ElementNode {
    return new TreeNode(this.nodeType, this.localName, this.characters, this.pairs?.slice()) as ElementNode
  }
}

export const createElement = (name: string, pairs?: string[]): ElementNode =>
  new TreeNode(elementType, name, '', pairs) as ElementNode

/** Creates an element with the given contents; a string becomes a text node. */
export function createAround(name: string, ...contents: (TreeNode | string)[]): ElementNode {
  const element = createElement(name)
  element.append(...contents)
  return element
}

export const createText = (characters: string): TreeNode => new TreeNode(textType, '#text', characters, undefined)

const asNode = (node: TreeNode | string) => (typeof node === 'string' ? createText(node) : node)

/** Inserts a node that has no parent before another one, or at the end. */
export function link(node: TreeNode, parent: ElementNode, before: TreeNode | null): void {
  const previous = before ? before.previousSibling : parent.lastChild
  node.parentNode = parent
  node.previousSibling = previous
  node.nextSibling = before
  if (previous) previous.nextSibling = node
  else parent.firstChild = node
  if (before) before.previousSibling = node
  else parent.lastChild = node
}

/** Returns the next node in document order within `root`. */
function following(node: TreeNode, root: TreeNode): TreeNode | null {
  if (node.firstChild) return node.firstChild
  for (let at: TreeNode | null = node; at && at !== root; at = at.parentNode) if (at.nextSibling) return at.nextSibling
  return null
}
