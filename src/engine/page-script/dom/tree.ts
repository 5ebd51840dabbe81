import { isDocument, isElement, isFrame, isHtml, isShadowRoot } from './kinds.ts'

/** The document of a frame of the same site. */
export function frameDocument(element: Element): Document | null {
  return isFrame(element) ? element.contentDocument : null
}

/** The same, or the document of an embedded object. */
export function innerDocument(element: Element): Document | null {
  return isHtml(element, 'object') ? element.contentDocument : frameDocument(element)
}

/** Children as they are shown: those of the open shadow root, and those assigned to a slot. */
export function childrenOf(node: Node): Iterable<Node> {
  if (!isElement(node)) return node.childNodes
  if (node.shadowRoot) return node.shadowRoot.childNodes
  const assigned = isHtml(node, 'slot') ? node.assignedNodes({ flatten: true }) : []
  return assigned.length > 0 ? assigned : node.childNodes
}

/** The parent as it is shown, out of slots, shadow roots and frames of the same site. */
export function parentOf(node: Node): Node | null {
  const slot = isElement(node) ? node.assignedSlot : null
  const parent = slot ?? node.parentNode
  if (parent) return parent
  if (isShadowRoot(node)) return node.host
  return isDocument(node) ? (node.defaultView?.frameElement ?? null) : null
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

/** The elements whose ids an attribute lists, such as aria-labelledby. */
export function elementsById(element: Element, attribute: string): Element[] {
  const root = element.getRootNode()
  if (!isDocument(root) && !isShadowRoot(root)) return []
  const ids = element.getAttribute(attribute)?.split(/\s+/) ?? []
  return ids.flatMap((id) => (id ? (root.getElementById(id) ?? []) : []))
}

/** The focused element, in shadow roots and frames of the same site too. */
export function focusedIn(root: DocumentOrShadowRoot): Element | null {
  const active = root.activeElement
  const inner = active && (active.shadowRoot ?? frameDocument(active))
  return inner ? (focusedIn(inner) ?? active) : active
}
