import type { PageTools } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: numbers for elements, which keep theirs while they live, and the ways through the tree. */
export function addRefs(tools: PageTools): void {
  const sweepEvery = 10_000

  tools.refOf = (element) => {
    const known = tools.numbers.get(element)
    if (known !== undefined) return known
    const ref = tools.next++
    if (ref % sweepEvery === 0) for (const [old, weak] of tools.elements) if (!weak.deref()) tools.elements.delete(old)
    tools.numbers.set(element, ref)
    tools.elements.set(ref, new WeakRef(element))
    return ref
  }
  tools.elementOf = (ref) => {
    const element = tools.elements.get(ref)?.deref()
    // What was in a frame that has left is connected to a document that nobody sees.
    return element?.isConnected && element.ownerDocument.defaultView ? element : undefined
  }
  tools.childrenOf = (node) => {
    const { shadowRoot, localName } = node as Element
    if (shadowRoot) return shadowRoot.childNodes
    if (localName !== 'slot') return node.childNodes
    const assigned = (node as HTMLSlotElement).assignedNodes({ flatten: true })
    return assigned.length > 0 ? assigned : node.childNodes
  }
  tools.parentOf = (node) =>
    (node as Element).assignedSlot ??
    node.parentNode ??
    (node as ShadowRoot).host ??
    (node as Document).defaultView?.frameElement ??
    null
  tools.everyElement = (root, selector, most) => {
    const found: Element[] = []
    search(root)
    return found

    function search(within: ParentNode): void {
      for (const element of within.querySelectorAll('*')) {
        if (found.length >= most) return
        if (element.matches(selector)) found.push(element)
        if (element.shadowRoot) search(element.shadowRoot)
        if (!/^i?frame$/.test(element.localName)) continue
        const inner = (element as HTMLIFrameElement).contentDocument
        if (inner) search(inner)
      }
    }
  }
}
