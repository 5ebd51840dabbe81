/** A linkedom node: plain properties, and links to its neighbours under symbols. */
export type RawNode = Record<PropertyKey, unknown>

const shapes = {
  element: 'classList dataset end localName next nodeType ownerDocument parentNode prev private style',
  end: 'next nodeType ownerDocument parentNode prev start',
  text: 'localName next nodeType ownerDocument parentNode prev value',
  attribute: 'changed localName name next nodeType ownerDocument ownerElement parentNode prev value',
}
const named = ['next', 'prev', 'private', 'end', 'start', 'classList', 'dataset', 'style', 'value', 'changed'] as const
type LinkSymbols = Record<(typeof named)[number], symbol>

/** One new node of each kind, created by linkedom. */
export type SampleNodes = { element: RawNode; text: RawNode; attribute: RawNode }

/** The symbols under which linkedom keeps its links; undefined when its nodes have an unexpected shape. */
export function linkSymbolsOf({ element, text, attribute }: SampleNodes): LinkSymbols | undefined {
  const symbols = new Map([element, text, attribute].flatMap(symbolsOf))
  const end = element[symbols.get('end') ?? ''] as RawNode | undefined
  if (!end) return undefined
  for (const [name, symbol] of symbolsOf(end)) symbols.set(name, symbol)
  const isAsExpected = Object.entries({ element, end, text, attribute }).every(
    ([kind, node]) => shapeOf(node) === shapes[kind as keyof typeof shapes],
  )
  return isAsExpected ? (Object.fromEntries(named.map((name) => [name, symbols.get(name)])) as LinkSymbols) : undefined
}

function symbolsOf(node: RawNode): [string, symbol][] {
  return Object.getOwnPropertySymbols(node).map((symbol) => [symbol.description ?? '', symbol])
}

function shapeOf(node: RawNode): string {
  const names = Reflect.ownKeys(node).map((key) => (typeof key === 'symbol' ? (key.description ?? '') : key))
  return names.sort().join(' ')
}

/** Elements whose linkedom class serialises differently, has more state, or has image members that Readability reads. */
const specialElements = new Set('audio canvas img picture script source style template textarea title video'.split(' '))

type NodeConstructor<A extends unknown[]> = new (...args: A) => RawNode
type NodeConstructors = {
  element: NodeConstructor<[document: unknown, name: string]>
  text: NodeConstructor<[document: unknown, data: string]>
  attribute: NodeConstructor<[document: unknown, name: string, value: string]>
}

/**
 * Makes the document create nearly all elements with one object shape. linkedom has a class per tag name, which makes every
 * property access megamorphic.
 */
export function unifyNodes(documentPrototype: RawNode, samples: SampleNodes, keys: LinkSymbols): void {
  const make = nodeConstructors(samples, keys)
  const { value } = keys
  const createElement = documentPrototype['createElement'] as (...args: unknown[]) => unknown
  define(documentPrototype, 'createElement', function (this: RawNode, name: string, options?: unknown) {
    return specialElements.has(name) || options ? createElement.call(this, name, options) : new make.element(this, name)
  })
  define(documentPrototype, 'createTextNode', function (this: RawNode, data: unknown) {
    return new make.text(this, String(data))
  })
  define(documentPrototype, 'createAttribute', function (this: RawNode, name: unknown) {
    return new make.attribute(this, String(name), '')
  })
  define(make.text.prototype as RawNode, 'cloneNode', function (this: RawNode) {
    return new make.text(this['ownerDocument'], this[value] as string)
  })
  define(make.attribute.prototype as RawNode, 'cloneNode', function (this: RawNode) {
    return new make.attribute(this['ownerDocument'], this['name'] as string, this[value] as string)
  })
}

function define(prototype: RawNode, name: string, value: unknown): void {
  Object.defineProperty(prototype, name, { value, configurable: true, writable: true })
}

/** Sets the same properties as linkedom, so that all of its methods work. */
function nodeConstructors(samples: SampleNodes, keys: LinkSymbols): NodeConstructors {
  const { next, prev, start, end, private: hidden, classList, dataset, style, value, changed } = keys
  const End = constructorWith(Object.prototype, function (this: RawNode, element: RawNode, document: unknown) {
    this[next] = null
    this[prev] = element
    this[start] = element
    this['nodeType'] = -1
    this['ownerDocument'] = document
    this['parentNode'] = null
  })
  const fill = (node: RawNode, document: unknown, name: string, type: number) => {
    node['ownerDocument'] = document
    node['localName'] = name
    node['nodeType'] = type
    node['parentNode'] = null
    node[next] = null
    node[prev] = null
  }
  return {
    element: constructorWith(
      Object.getPrototypeOf(samples.element),
      function (this: RawNode, document: unknown, name: string) {
        fill(this, document, name, 1)
        this[hidden] = null
        this[next] = this[end] = new End(this, document)
        this[classList] = null
        this[dataset] = null
        this[style] = null
      },
    ),
    text: constructorWith(
      Object.getPrototypeOf(samples.text),
      function (this: RawNode, document: unknown, data: string) {
        fill(this, document, '#text', 3)
        this[value] = data
      },
    ),
    attribute: constructorWith(
      Object.getPrototypeOf(samples.attribute),
      function (this: RawNode, document: unknown, name: string, text: string) {
        fill(this, document, name, 2)
        this['ownerElement'] = null
        this['name'] = name
        this[value] = text
        this[changed] = false
      },
    ),
  }
}

function constructorWith<A extends unknown[]>(
  prototype: unknown,
  build: (this: RawNode, ...args: A) => void,
): NodeConstructor<A> {
  build.prototype = prototype
  return build as unknown as NodeConstructor<A>
}

type Class = { setAttributeNode(attribute: RawNode): unknown; getAttributeNode(name: string): { value: string } | null }
type ElementNode = RawNode & Class & { localName: string; ownerDocument: { createAttribute(name: string): RawNode } }

/** Replaces frequently used lookups by faster ones with the same results. */
export function replaceLookups(elementPrototype: RawNode, textPrototype: RawNode, keys: LinkSymbols): void {
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

/** linkedom keeps nodes as one list in document order, so no climbing is needed. */
function elementsUnder({ next, end }: LinkSymbols): (this: RawNode) => RawNode[] {
  return function () {
    const found: RawNode[] = []
    const last = this[end]
    for (let at = this[next] as RawNode; at !== last; at = at[next] as RawNode) if (at['nodeType'] === 1) found.push(at)
    return found
  }
}

/** Replaces part of a property descriptor on the prototype that owns the property. */
function replace(from: object, name: string, part: PropertyDescriptor): void {
  let owner: object | null = from
  while (owner && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner) as object | null
  if (owner) Object.defineProperty(owner, name, { ...Object.getOwnPropertyDescriptor(owner, name), ...part })
}

/** Avoids the token list that linkedom builds for every class attribute; the words are the same, each once. */
function classNameOf({ classList, value }: LinkSymbols): PropertyDescriptor {
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

function textIn({ next, end, value }: LinkSymbols): (this: RawNode) => string {
  return function () {
    let text = ''
    for (let at = this[next] as RawNode; at !== this[end]; at = at[next] as RawNode)
      if (at['nodeType'] === 3 || at['nodeType'] === 4) text += at[value] as string
    return text
  }
}

/** Avoids a callback per character, which costs hundreds of megabytes on a page full of them. */
function escapedText({ value }: LinkSymbols): (this: RawNode) => string {
  return function () {
    const text = this[value] as string
    if (!/[&<>\xA0]/.test(text)) return text
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\xA0', '&#160;')
  }
}

function nextSiblingOf({ next, end }: LinkSymbols): (this: RawNode) => unknown {
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
    // Bounded, because pages can invent names.
    if (upperNames.size < maxNames) upperNames.set(localName, upper)
  }
  return upper
}

/** linkedom computes the upper-case name of every element it passes. */
function elementsNamed(
  { next, end }: LinkSymbols,
  otherwise: (name: string) => unknown[],
): (name: string) => unknown[] {
  return function (this: RawNode, name: string) {
    if (name !== name.toLowerCase()) return otherwise.call(this, name)
    const found = otherwise.call({ [next]: null, [end]: null }, name)
    for (let at = this[next] as RawNode; at !== this[end]; at = at[next] as RawNode)
      if (at['nodeType'] === 1 && at['localName'] === name) found.push(at)
    return found
  }
}
