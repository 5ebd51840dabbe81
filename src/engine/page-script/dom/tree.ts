const sweepEvery = 10_000
const refs = new WeakMap<Element, number>()
const elements = new Map<number, WeakRef<Element>>()
let next = 1

/** Refs continue from page to page, so a ref of an earlier page never denotes an element of a later one. */
export function startRefsAt(first: number): void {
  next = Math.max(next, first)
}

export function nextRef(): number {
  return next
}

/** Returns the number of an element, which is stable for its lifetime. */
export function refOf(element: Element): number {
  const known = refs.get(element)
  if (known !== undefined) return known
  const ref = next++
  if (ref % sweepEvery === 0) for (const [old, weak] of elements) if (!weak.deref()) elements.delete(old)
  refs.set(element, ref)
  elements.set(ref, new WeakRef(element))
  return ref
}

/** Returns undefined once the element is no longer in the document. */
export function elementOf(ref: number): Element | undefined {
  const element = elements.get(ref)?.deref()
  // An element of a removed frame is connected to a document that is not displayed.
  return element?.isConnected && element.ownerDocument.defaultView ? element : undefined
}

const html = 'http://www.w3.org/1999/xhtml'

export function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE
}

/** True if a node is an HTML element with one of these names; `instanceof` fails for elements of other frames. */
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

/** Properties of a field, each of which may be missing, because the element may not be a field. */
export type FieldProperties = Partial<HTMLInputElement>

/** Returns the labels of a field; the only field inside a custom element has the labels of that element. */
export function labelElements(element: Element): HTMLLabelElement[] {
  const { labels }: FieldProperties = element
  const root = element.getRootNode()
  const place = element.localName.includes('-') ? root : isShadowRoot(root) ? root.host.getRootNode() : undefined
  if (labels?.length || !place) return Array.from(labels ?? [])
  return Array.from((place as ParentNode).querySelectorAll('label')).filter((each) => labelled(each) === element)
}

/** Fields that a press on the label changes even if the field has no box. */
const pressedByLabel = 'input:is([type=checkbox],[type=radio],[type=file])'

/** Returns the usable field of a label, including one inside the custom element that the label names. */
export function labelled({ control }: HTMLLabelElement): Element | null {
  const inside = control && !internals.has(control) && shadowOf(control)
  const [field = control, ...more] = inside ? everyElement(inside, 'input,select,textarea', 2) : []
  const isUsable = field?.matches(pressedByLabel) || field?.checkVisibility()
  return more.length > 0 ? control : isUsable ? field : null
}

export function frameDocument(element: Element): Document | null {
  return isFrame(element) ? element.contentDocument : null
}

export const isForeignFrame = (element: Element): boolean => isFrame(element) && !element.contentDocument

export function innerDocument(element: Element): Document | null {
  return isHtml(element, 'object') ? element.contentDocument : frameDocument(element)
}

/** Returns the image whose image map contains an area; undefined for any other element. */
export function mapImage(element: Element): HTMLImageElement | undefined {
  const name = isHtml(element, 'area') ? element.closest('map')?.name : undefined
  if (!name) return undefined
  const root = element.getRootNode() as ParentNode
  return root.querySelector<HTMLImageElement>(`img[usemap="#${CSS.escape(name)}"]`) ?? undefined
}

const closedRoots = new WeakMap<Element, ShadowRoot>()
const checked = new WeakSet<Element>()
/** Number of elements checked per kind; `closedKinds` are the kinds with closed roots. */
const checkedOfKind = new Map<string, number>()
const closedKinds = new Set<string>()
/** Elements with other names cannot have a shadow root (DOM 4.8, "attach a shadow root"). */
const mayHost = /-|^(?:article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/
const [maxChecked, maxSamples] = [100, 2]

/** Returns the shadow root of an element: an open one, or a closed one that the browser has reported. */
export const shadowOf = (element: Element): ShadowRoot | null => element.shadowRoot ?? closedRoots.get(element) ?? null

export function learnClosedRoot(root: ShadowRoot): void {
  closedRoots.set(root.host, root)
  closedKinds.add(kindOf(root.host))
}

/** Returns the kind of an element; elements of one kind have the same structure. */
const kindOf = ({ localName, className }: Element) =>
  localName.includes('-') ? localName : `${localName} ${String(className)}`

const listening = new WeakSet<Element>()

/** True if the browser has reported a listener for presses on the element. */
export const listens = (element: Element): boolean => listening.has(element)

export const learnListener = (element: Element): void => void listening.add(element)

/** Role, label and properties (`checked`, `selected` …) of an element in the browser's accessibility tree. */
export type Internals = Readonly<Record<string, string>>

const internals = new WeakMap<Element, Internals>()
/** True for the kinds of custom elements that set a role by `ElementInternals`, which scripts cannot read. */
const statesRole = new Map<string, boolean>()
const roleKinds = () => Array.from(statesRole).flatMap(([kind, states]) => (states ? CSS.escape(kind) : []))

/** Extends a selector by the kinds of elements that set a role by `ElementInternals`. */
export const withInternals = (selector: string): string => [selector, ...roleKinds()].join()

/** Returns a property of an element: its `aria-` attribute, otherwise the one set by `ElementInternals`. */
export const ariaOf = (element: Element, name: string): string | null =>
  element.getAttribute(`aria-${name}`) ?? internals.get(element)?.[name] ?? null

export const internalsOf = (element: Element): Internals | undefined => internals.get(element)

/**
 * Elements to look up in the browser: `closed` may have a closed shadow root, `silent` a role that scripts cannot read.
 */
let hosts: { closed: Element[]; silent: Element[] } = { closed: [], silent: [] }

/**
 * Finds possible closed shadow roots (custom elements, and visible ones without content), and custom elements without
 * a role that may set one by `ElementInternals`. Finds a few of each kind, and all of a kind that is confirmed.
 */
export function findHosts(): { closed: number; silent: number } {
  hosts = { closed: [], silent: [] }
  const samples = new Map<string, number>()
  for (const each of everyElement(document, '*', Infinity)) {
    if (hosts.closed.length < maxChecked && mayHideRoot(each)) hosts.closed.push(each)
    if (hosts.silent.length >= maxChecked || !mayStateRole(each)) continue
    const before = samples.get(each.localName) ?? 0
    samples.set(each.localName, before + 1)
    if (before < maxSamples || statesRole.get(each.localName)) hosts.silent.push(each)
  }
  return { closed: hosts.closed.length, silent: hosts.silent.length }
}

function mayHideRoot(element: Element): boolean {
  if (checked.has(element) || !mayHost.test(element.localName) || shadowOf(element) || !seemsToHide(element))
    return false
  const kind = kindOf(element)
  const before = checkedOfKind.get(kind) ?? 0
  if (before >= maxSamples && !closedKinds.has(kind)) return false
  checkedOfKind.set(kind, before + 1)
  checked.add(element)
  return true
}

const mayStateRole = (element: Element) =>
  element.localName.includes('-') &&
  statesRole.get(element.localName) !== false &&
  !element.hasAttribute('role') &&
  element.checkVisibility()

const seemsToHide = (element: Element) =>
  element.localName.includes('-') ? element.matches(':defined') : !element.hasChildNodes() && element.clientHeight > 0

export const hostAt = (kind: 'closed' | 'silent', nth: number): Element | undefined => hosts[kind][nth]

/** Stores the answers for the silent hosts, in the same order; null for hosts that the accessibility tree omits. */
export function learnInternals(answers: readonly (Internals | null)[]): void {
  for (const [nth, { localName }] of hosts.silent.entries()) {
    const known = answers[nth]
    const states = known?.['role'] !== 'generic'
    if (known) statesRole.set(localName, states || statesRole.get(localName) === true)
    if (known && states) internals.set(hosts.silent[nth]!, known)
  }
}

/** Returns the children as rendered: those of the shadow root, and those assigned to a slot. */
export function childrenOf(node: Node): Iterable<Node> {
  if (!isElement(node)) return node.childNodes
  const shadow = shadowOf(node)
  if (shadow) return shadow.childNodes
  const assigned = isHtml(node, 'slot') ? node.assignedNodes({ flatten: true }) : []
  return assigned.length > 0 ? assigned : node.childNodes
}

/** Returns the slot that shows a node; browsers do not name one of a closed root. */
export function slotOf(node: Node): HTMLSlotElement | null | undefined {
  const { assignedSlot }: Partial<Element> = node as Element
  const closed = node.parentElement && closedRoots.get(node.parentElement)
  if (assignedSlot || !closed) return assignedSlot
  return Array.from(closed.querySelectorAll('slot')).find((slot) => slot.assignedNodes().includes(node as Element))
}

/** Returns the parent as rendered, across slots, shadow roots and same-origin frames. */
export function parentOf(node: Node): Node | null {
  const parent = slotOf(node) ?? node.parentNode
  if (parent) return parent
  if (isShadowRoot(node)) return node.host
  return isDocument(node) ? (node.defaultView?.frameElement ?? null) : null
}

/** Returns up to `max` matching elements, including those in shadow roots and same-origin frames. */
export function everyElement(root: ParentNode, selector: string, max: number): Element[] {
  const matches: Element[] = []
  search(root)
  return matches

  function search(within: ParentNode): void {
    for (const element of within.querySelectorAll('*')) {
      if (matches.length >= max) return
      if (element.matches(selector)) matches.push(element)
      const shadow = shadowOf(element)
      if (shadow) search(shadow)
      const inner = innerDocument(element)
      if (inner) search(inner)
    }
  }
}

export function elementsById(element: Element, attribute: string): Element[] {
  const root = element.getRootNode()
  if (!isDocument(root) && !isShadowRoot(root)) return []
  const ids = element.getAttribute(attribute)?.split(/\s+/) ?? []
  return ids.flatMap((id) => (id ? (root.getElementById(id) ?? []) : []))
}

/** Returns the focused element, including shadow roots and same-origin frames. */
export function focusedIn(root: DocumentOrShadowRoot): Element | null {
  const active = root.activeElement
  const inner = active && (shadowOf(active) ?? frameDocument(active))
  return inner ? (focusedIn(inner) ?? active) : active
}
