import { EventTarget as DomEventTarget, parseHTML } from 'linkedom'

/** Stands where the DOM library builds a table of event listeners for every node and attribute. */
function WithoutListeners(): void {}
let isDone = false

/**
 * Lets the DOM library make nodes without listener tables, which nobody uses here and which cost a third of the parse.
 * Nodes keep every method. Where the library is built otherwise than expected nothing is changed.
 */
export function makeNodesLight(): void {
  if (isDone) return
  isDone = true
  const base: unknown = DomEventTarget
  let at: unknown = parseHTML('<p></p>').document.createElement('p').constructor
  while (typeof at === 'function') {
    const parent: unknown = Object.getPrototypeOf(at)
    if (parent === base) Object.setPrototypeOf(at, WithoutListeners)
    at = parent
  }
}
