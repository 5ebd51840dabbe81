/** The document of a frame of the same site. */
export function frameDocument(element: Element): Document | null {
  return /^i?frame$/.test(element.localName) ? (element as HTMLIFrameElement).contentDocument : null
}

/** Children as they are shown: those of the open shadow root, and those assigned to a slot. */
export function childrenOf(node: Node): Iterable<Node> {
  const { shadowRoot, localName } = node as Element
  if (shadowRoot) return shadowRoot.childNodes
  if (localName !== 'slot') return node.childNodes
  const assigned = (node as HTMLSlotElement).assignedNodes({ flatten: true })
  return assigned.length > 0 ? assigned : node.childNodes
}

/** The parent as it is shown, out of slots, shadow roots and frames of the same site. */
export function parentOf(node: Node): Node | null {
  return (
    (node as Element).assignedSlot ??
    node.parentNode ??
    (node as ShadowRoot).host ??
    (node as Document).defaultView?.frameElement ??
    null
  )
}

/** Elements that match, in open shadow roots and frames of the same site too. */
export function everyElement(root: ParentNode, selector: string, most: number): Element[] {
  const found: Element[] = []
  search(root)
  return found

  function search(within: ParentNode): void {
    for (const element of within.querySelectorAll('*')) {
      if (found.length >= most) return
      if (element.matches(selector)) found.push(element)
      if (element.shadowRoot) search(element.shadowRoot)
      const inner = frameDocument(element)
      if (inner) search(inner)
    }
  }
}

/** The focused element, in shadow roots and frames of the same site too. */
export function focusedIn(root: DocumentOrShadowRoot): Element | null {
  const active = root.activeElement
  const inner = active && (active.shadowRoot ?? frameDocument(active))
  return inner ? (focusedIn(inner) ?? active) : active
}
