import { isDocument, isElement, isFrame, isHtml, isShadowRoot } from './kinds.ts'

/** The document of a frame of the same site. */
export function frameDocument(element: Element): Document | null {
  return isFrame(element) ? element.contentDocument : null
}

/** The same, or the document of an embedded object. */
export function innerDocument(element: Element): Document | null {
  return isHtml(element, 'object') ? element.contentDocument : frameDocument(element)
}

const closedRoots = new WeakMap<Element, ShadowRoot>()
const asked = new WeakSet<Element>()
/** How many elements of a kind have been asked about, and the kinds that hide something. */
const askedOf = new Map<string, number>()
const closedKinds = new Set<string>()
/** Elements of other names cannot hold a shadow root (DOM 4.8, "attach a shadow root"). */
const mayHost = /-|^(?:article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/
const [mostAsked, mostSamples] = [100, 2]

/** The shadow root of an element: an open one, or a closed one that the browser has told. */
export const shadowOf = (element: Element): ShadowRoot | null => element.shadowRoot ?? closedRoots.get(element) ?? null

export function learnClosedRoot(root: ShadowRoot): void {
  closedRoots.set(root.host, root)
  closedKinds.add(kindOf(root.host))
}

/** Elements of one kind are made alike. */
const kindOf = ({ localName, className }: Element) =>
  localName.includes('-') ? localName : `${localName} ${String(className)}`

let hosts: Element[] = []

/**
 * Finds elements that may hide a closed shadow root and returns how many: those of a name of the page's own, and those that show
 * something without any content. Of each kind, a few are asked about, and the others only where those have such a root.
 */
export function findClosedHosts(): number {
  hosts = []
  for (const each of everyElement(document, '*', Infinity)) {
    if (hosts.length >= mostAsked) break
    if (asked.has(each) || !mayHost.test(each.localName) || shadowOf(each) || !seemsToHide(each)) continue
    const kind = kindOf(each)
    const before = askedOf.get(kind) ?? 0
    if (before >= mostSamples && !closedKinds.has(kind)) continue
    askedOf.set(kind, before + 1)
    asked.add(each)
    hosts.push(each)
  }
  return hosts.length
}

const seemsToHide = (element: Element) =>
  element.localName.includes('-') ? element.matches(':defined') : !element.hasChildNodes() && element.clientHeight > 0

export const closedHost = (nth: number): Element | undefined => hosts[nth]

/** Children as they are shown: those of the shadow root, and those assigned to a slot. */
export function childrenOf(node: Node): Iterable<Node> {
  if (!isElement(node)) return node.childNodes
  const shadow = shadowOf(node)
  if (shadow) return shadow.childNodes
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

/** Elements that match, in shadow roots and frames of the same site too. */
export function everyElement(root: ParentNode, selector: string, most: number): Element[] {
  const found: Element[] = []
  search(root)
  return found

  function search(within: ParentNode): void {
    for (const element of within.querySelectorAll('*')) {
      if (found.length >= most) return
      if (element.matches(selector)) found.push(element)
      const shadow = shadowOf(element)
      if (shadow) search(shadow)
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
  const inner = active && (shadowOf(active) ?? frameDocument(active))
  return inner ? (focusedIn(inner) ?? active) : active
}
