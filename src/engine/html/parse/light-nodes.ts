import { EventTarget as DomEventTarget, parseHTML } from 'linkedom'
import { leapOverText } from './leaps.ts'
import { keysOf, type RawNode, type Samples } from './node-keys.ts'
import { shortenLookups } from './node-lookups.ts'
import { unifyNodes } from './node-shapes.ts'

/** Stands where the DOM library builds a table of event listeners for every node and attribute. */
function WithoutListeners(): void {}
let isDone = false

/**
 * Makes the nodes of the DOM library cheap, for this whole thread: no listener tables, which nobody uses here; one kind of
 * object for nearly all elements; shorter ways to the same answers. Half of the time of a page went there.
 * Nodes keep every method. Where the library is built otherwise than expected nothing is changed.
 */
export function makeNodesLight(): void {
  if (isDone) return
  isDone = true
  leapOverText()
  const { document } = parseHTML('<html></html>')
  const samples = {
    element: document.createElement('section'),
    text: document.createTextNode('x'),
    attribute: document.createAttribute('x'),
  } as unknown as Samples
  dropListeners(samples.element)
  const keys = keysOf(samples)
  if (!keys) return
  unifyNodes(Object.getPrototypeOf(document) as RawNode, samples, keys)
  shortenLookups(
    Object.getPrototypeOf(samples.element) as RawNode,
    Object.getPrototypeOf(samples.text) as RawNode,
    keys,
  )
}

function dropListeners(element: RawNode): void {
  const base: unknown = DomEventTarget
  let at: unknown = element.constructor
  while (typeof at === 'function') {
    const parent: unknown = Object.getPrototypeOf(at)
    if (parent === base) Object.setPrototypeOf(at, WithoutListeners)
    at = parent
  }
}
