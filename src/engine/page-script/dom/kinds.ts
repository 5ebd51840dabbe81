const html = 'http://www.w3.org/1999/xhtml'

export function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE
}

/** Whether a node is an HTML element of one of these names; `instanceof` does not know the elements of other frames. */
export function isHtml<K extends keyof HTMLElementTagNameMap>(
  node: Node | null | undefined,
  ...names: readonly K[]
): node is HTMLElementTagNameMap[K] {
  return node != null && isElement(node) && node.namespaceURI === html && names.some((name) => name === node.localName)
}

export function isFrame(node: Node): node is HTMLIFrameElement | HTMLFrameElement {
  return isElement(node) && node.namespaceURI === html && /^i?frame$/.test(node.localName)
}

export function isDocument(node: Node): node is Document {
  return node.nodeType === Node.DOCUMENT_NODE
}

export function isShadowRoot(node: Node): node is ShadowRoot {
  return node.nodeType === Node.DOCUMENT_FRAGMENT_NODE && 'host' in node
}

/** The properties of a field, each of which may be missing, as in an element that is none. */
export type FieldProperties = Partial<HTMLInputElement>

/** The `<label>`s of a field. */
export function labelElements(element: Element): HTMLLabelElement[] {
  const { labels }: FieldProperties = element
  return Array.from(labels ?? [])
}
