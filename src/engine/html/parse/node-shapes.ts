import type { NodeKeys, RawNode, Samples } from './node-keys.ts'

/** Elements whose own class writes them differently, holds more, or answers what Readability asks of pictures. */
const ownClass = new Set('audio canvas img picture script source style template textarea title video'.split(' '))

type Maker<A extends unknown[]> = new (...args: A) => RawNode
export type Makers = {
  element: Maker<[document: unknown, name: string]>
  text: Maker<[document: unknown, data: string]>
  attribute: Maker<[document: unknown, name: string, value: string]>
}

/**
 * Makes the document build nearly all elements as one kind of object. The library has a class for each tag name, and code
 * that walks over dozens of kinds of objects is slow whatever it does (megamorphic, in the engine's words).
 */
export function unifyNodes(documentPrototype: RawNode, samples: Samples, keys: NodeKeys): void {
  const make = makersOf(samples, keys)
  const { value } = keys
  const createElement = documentPrototype['createElement'] as (...args: unknown[]) => unknown
  define(documentPrototype, 'createElement', function (this: RawNode, name: string, options?: unknown) {
    return ownClass.has(name) || options ? createElement.call(this, name, options) : new make.element(this, name)
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

/** The properties are those that the library sets, so that every method of the library finds what it looks for. */
function makersOf(samples: Samples, keys: NodeKeys): Makers {
  const { next, prev, start, end, private: hidden, classList, dataset, style, value, changed } = keys
  const End = maker(Object.prototype, function (this: RawNode, element: RawNode, document: unknown) {
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
    element: maker(Object.getPrototypeOf(samples.element), function (this: RawNode, document: unknown, name: string) {
      fill(this, document, name, 1)
      this[hidden] = null
      this[next] = this[end] = new End(this, document)
      this[classList] = null
      this[dataset] = null
      this[style] = null
    }),
    text: maker(Object.getPrototypeOf(samples.text), function (this: RawNode, document: unknown, data: string) {
      fill(this, document, '#text', 3)
      this[value] = data
    }),
    attribute: maker(
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

function maker<A extends unknown[]>(prototype: unknown, build: (this: RawNode, ...args: A) => void): Maker<A> {
  build.prototype = prototype
  return build as unknown as Maker<A>
}
