import type { NodeKeys, RawNode } from './node-keys.ts'

type Class = { setAttributeNode(attribute: RawNode): unknown; getAttributeNode(name: string): { value: string } | null }
type ElementNode = RawNode & Class & { localName: string; ownerDocument: { createAttribute(name: string): RawNode } }

/** Gives elements the same answers as the library's, made more cheaply: these are asked for all the time. */
export function shortenLookups(elementPrototype: RawNode, textPrototype: RawNode, keys: NodeKeys): void {
  const list = Reflect.get(elementPrototype, 'getElementsByTagName') as (name: string) => unknown[]
  replace(elementPrototype, 'className', classNameOf(keys))
  replace(elementPrototype, 'textContent', { get: textIn(keys) })
  replace(elementPrototype, 'tagName', { get: upperName })
  replace(elementPrototype, 'nodeName', { get: upperName })
  replace(elementPrototype, 'nextSibling', { get: nextSiblingOf(keys) })
  replace(textPrototype, 'toString', { value: escapedText(keys) })
  replace(elementPrototype, 'getElementsByTagName', { value: elementsNamed(keys, list) })
  Object.defineProperty(elementPrototype, 'descendants', { value: elementsUnder(keys) })
}

/** Nodes are one list in document order, which needs no climbing. */
function elementsUnder({ next, end }: NodeKeys): (this: RawNode) => RawNode[] {
  return function () {
    const found: RawNode[] = []
    const last = this[end]
    for (let at = this[next] as RawNode; at !== last; at = at[next] as RawNode) if (at['nodeType'] === 1) found.push(at)
    return found
  }
}

/** On the prototype that has the property, the rest of which stays. */
function replace(from: object, name: string, part: PropertyDescriptor): void {
  let owner: object | null = from
  while (owner && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner) as object | null
  if (owner) Object.defineProperty(owner, name, { ...Object.getOwnPropertyDescriptor(owner, name), ...part })
}

/** Without a token list, which the library builds for every class attribute it parses; the words are the same, each once. */
function classNameOf({ classList, value }: NodeKeys): PropertyDescriptor {
  return {
    get(this: ElementNode) {
      return this.getAttributeNode('class')?.value ?? ''
    },
    set(this: ElementNode, text: unknown) {
      this[classList] = null
      const words = eachOnce(String(text))
      const known = this.getAttributeNode('class')
      if (known) known.value = words
      else {
        const attribute = this.ownerDocument.createAttribute('class')
        attribute[value] = words
        this.setAttributeNode(attribute)
      }
    },
  }
}

function eachOnce(text: string): string {
  if (!/\s/.test(text)) return text
  const words = text.split(/[^\S ]/.test(text) ? /\s+/ : ' ')
  return [...new Set(words)].filter(Boolean).join(' ')
}

function textIn({ next, end, value }: NodeKeys): (this: RawNode) => string {
  return function () {
    let text = ''
    for (let at = this[next] as RawNode; at !== this[end]; at = at[next] as RawNode)
      if (at['nodeType'] === 3 || at['nodeType'] === 4) text += at[value] as string
    return text
  }
}

/** Without a call for each character: a page full of them would take hundreds of megabytes. */
function escapedText({ value }: NodeKeys): (this: RawNode) => string {
  return function () {
    const text = this[value] as string
    if (!/[&<>\xA0]/.test(text)) return text
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\xA0', '&#160;')
  }
}

function nextSiblingOf({ next, end }: NodeKeys): (this: RawNode) => unknown {
  return function () {
    const after = (this[end] as RawNode)[next] as RawNode | null
    return after && after['nodeType'] !== -1 ? after : null
  }
}

const maxNames = 1000
const upperNames = new Map<string, string>()

function upperName(this: { localName: string }): string {
  const { localName } = this
  let upper = upperNames.get(localName)
  if (upper === undefined) {
    upper = localName.toUpperCase()
    // Pages can make names up.
    if (upperNames.size < maxNames) upperNames.set(localName, upper)
  }
  return upper
}

/** The library makes the upper-case name of every element it passes. */
function elementsNamed({ next, end }: NodeKeys, otherwise: (name: string) => unknown[]): (name: string) => unknown[] {
  return function (this: RawNode, name: string) {
    if (name !== name.toLowerCase()) return otherwise.call(this, name)
    const found = otherwise.call({ [next]: null, [end]: null }, name)
    for (let at = this[next] as RawNode; at !== this[end]; at = at[next] as RawNode)
      if (at['nodeType'] === 1 && at['localName'] === name) found.push(at)
    return found
  }
}
