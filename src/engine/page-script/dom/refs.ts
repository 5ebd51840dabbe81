/** Differs from document to document. */
export const documentId = String(Math.random())

const sweepEvery = 10_000
const refs = new WeakMap<Element, number>()
const elements = new Map<number, WeakRef<Element>>()
let next = 1

/** Refs go on from page to page, so that one of an earlier page never means an element of a later one. */
export function startRefsAt(first: number): void {
  next = Math.max(next, first)
}

export function nextRef(): number {
  return next
}

/** The number of an element, which it keeps as long as it lives. */
export function refOf(element: Element): number {
  const known = refs.get(element)
  if (known !== undefined) return known
  const ref = next++
  if (ref % sweepEvery === 0) for (const [old, weak] of elements) if (!weak.deref()) elements.delete(old)
  refs.set(element, ref)
  elements.set(ref, new WeakRef(element))
  return ref
}

/** Undefined once the element is no longer in the document. */
export function elementOf(ref: number): Element | undefined {
  const element = elements.get(ref)?.deref()
  // An element of a frame that was removed is connected to a document that nobody sees.
  return element?.isConnected && element.ownerDocument.defaultView ? element : undefined
}
