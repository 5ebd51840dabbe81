import { copyAs, createText, type ElementNode, type NodeParts, TreeNode } from '../dom/node.ts'

/** A node with the further members of the DOM that Readability uses, as far as a cleaned page brings it to use them. */
class ReadableNode extends TreeNode {
  /** Notes of Readability. */
  readability: unknown = undefined
  _readabilityDataTable: unknown = undefined
  private view: { of: readonly string[]; length: number; list: Attribute[] } | undefined = undefined
  /** What this is a copy of, where it is the whole page. */
  private source: TreeNode | undefined = undefined

  static copyOf(source: TreeNode): ReadableNode {
    const copy = copyAs(source, readable)
    copy.source = source
    return copy
  }

  /** Readability keeps the page as a string before each attempt, to begin anew; here its source is still there. */
  get innerHTML(): unknown {
    return this.source
  }
  set innerHTML(_kept: unknown) {
    this.textContent = ''
    if (this.source) this.append(...copyAs(this.source, readable).childNodes)
  }

  get tagName(): string | undefined {
    return this.nodeType === 1 ? upperCase(this.localName) : undefined
  }

  get nodeName(): string {
    return upperCase(this.localName)
  }

  get ownerDocument(): typeof factory {
    return factory
  }

  get className(): string {
    return this.getAttribute('class') ?? ''
  }
  set className(value: string) {
    this.setAttribute('class', value)
  }

  get id(): string {
    return this.getAttribute('id') ?? ''
  }
  set id(value: string) {
    this.setAttribute('id', value)
  }

  get src(): string | undefined {
    return this.localName === 'img' ? (this.getAttribute('src') ?? '') : undefined
  }

  get srcset(): string | undefined {
    return this.localName === 'img' ? (this.getAttribute('srcset') ?? '') : undefined
  }

  /** Readability asks for the list anew for each of its entries. */
  get attributes(): readonly Attribute[] {
    const { pairs = [], view } = this
    if (view?.of === pairs && view.length === pairs.length) return view.list
    const list = this.getAttributeNames().map((name) => new Attribute(this, name))
    this.view = { of: pairs, length: pairs.length, list }
    return list
  }

  setAttributeNode({ name, value }: Attribute): void {
    this.setAttribute(name, value)
  }

  getElementsByTagName(name: string): ElementNode[] {
    return this.descendants().filter(({ localName }) => localName === name)
  }

  removeChild(child: TreeNode): void {
    child.remove()
  }

  replaceChild(child: TreeNode, replaced: TreeNode): void {
    replaced.replaceWith(child)
  }
}

class Attribute {
  private readonly owner: TreeNode
  readonly name: string

  constructor(owner: TreeNode, name: string) {
    this.owner = owner
    this.name = name
  }

  get value(): string {
    return this.owner.getAttribute(this.name) ?? ''
  }

  cloneNode(): this {
    return this
  }
}

const readable = (...parts: NodeParts) => new ReadableNode(...parts)

/** Readability names what it makes in capitals. */
const factory = {
  createElement: (name: string) => readable(1, name.toLowerCase(), '', undefined),
  createTextNode: createText,
}

const maxNames = 1000
const upperNames = new Map<string, string>()

function upperCase(name: string): string {
  let upper = upperNames.get(name)
  if (upper === undefined) {
    upper = name.toUpperCase()
    // Bounded, because pages can invent names.
    if (upperNames.size < maxNames) upperNames.set(name, upper)
  }
  return upper
}

/** A document for Readability around a copy of a body. */
export function readableDocument(body: TreeNode) {
  const root = factory.createElement('html')
  const copy = ReadableNode.copyOf(body)
  root.append(factory.createElement('head'), copy)
  return {
    ...factory,
    documentElement: root,
    firstChild: root,
    body: copy,
    title: '',
    // Without a base, addresses stay as they are.
    baseURI: null,
    descendants: () => [root, ...root.descendants()],
    getElementsByTagName: (name: string) => root.getElementsByTagName(name),
  }
}
