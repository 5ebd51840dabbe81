import { isElement, isFrame, isHtml, childrenOf, labelled, listens, refOf, shadowOf } from '../dom/tree.ts'
import { nameOf, roleOf, statesOf } from '../dom/roles-and-names.ts'
import { clean, textOf } from '../dom/element-text.ts'
import { boxSight, hasHandCursor, isShown, startsHandCursor, textSight } from '../dom/sight.ts'
import {
  cellsOf,
  controlNode,
  groupLines,
  isHeadCell,
  type Item,
  leafNodes,
  rowsOf,
  isOffered,
} from './outline-nodes.ts'
import { isControl, type PageNode } from './page-outline.ts'

/** Handling of invisible text: omitted, or printed and marked as such. */
export type HiddenText = 'left out' | 'marked'
type TextRules = {
  /** Long texts are cut around this lower-case text. */
  sought?: string
  hidden?: HiddenText
}

const maxText = 1200
const maxBeside = 160

function textItems({ nodeValue }: Node, parent: Element, { sought, hidden }: TextRules): Item[] {
  const text = nodeValue ?? ''
  if (text.trim() === '' || textSight(parent) === 'seen') return [shortText(text, sought)]
  return hidden === 'marked' ? [{ role: 'hidden text', name: shortText(clean(text), sought) }] : []
}

function unseenNodes(element: Element, role: string, { hidden }: TextRules): Item[] {
  if (hidden !== 'marked') return []
  const { states = [], ...node } = controlNode(element, role)
  const name = node.name ?? textOf(element, maxText, ['aside', 'masked', 'gone'])
  return [{ ...node, ...(name && { name }), states: ['hidden', ...states] }]
}

function shortText(text: string, sought = ''): string {
  if (text.length <= maxText) return text
  const at = sought === '' ? -1 : text.toLowerCase().indexOf(sought)
  if (at < 0) return `${text.slice(0, maxText)}…`
  return `…${text.slice(Math.max(0, at - maxBeside), at + sought.length + maxBeside)}…`
}

/** Remaining number of elements that a walk may visit: in view, out of view and in total. */
export type Budget = TextRules & {
  inView: number
  above: number
  below: number
  beside: number
  left: number
  depth?: number
  /** True inside an element with `aria-hidden`. */
  isUnspoken?: boolean
}

/** Visible part of the page. */
type View = { top: number; bottom: number; left: number; right: number }

export const everywhere: View = { top: -1e9, left: -1e9, bottom: 1e9, right: 1e9 }

const silent = /^(?:script|style|template|noscript|head|meta|link|title|datalist|legend|caption|colgroup)$/
const maxDepth = 700
const maxRows = 2000

const fieldSelector = 'input,select,textarea,[contenteditable],[role=checkbox],[role=radio],[role=switch]'

/** Clipped fields that pages usually replace by a drawing. A clipped text field is instead a trap for bots. */
const drawnSelector = 'input:is([type=checkbox],[type=radio],[type=range])'

/** True if the element and its contents are hidden. A field represented by a drawing counts as shown. */
function isLeftOut(element: Element): boolean {
  if (element.matches('input[type=file]')) return false
  const sight = boxSight(element)
  if (sight === 'seen' || sight === 'gone') return sight === 'gone'
  return !element.matches(fieldSelector) && !element.querySelector(sight === 'aside' ? drawnSelector : fieldSelector)
}

/** Collects visible content into `out`, in tree order. */
export function walk(element: Element, out: Item[], view: View, budget: Budget): void {
  if (silent.test(element.localName) || budget.left-- <= 0) return
  const box = element.getBoundingClientRect()
  const where = outOfView(box, view)
  if (--budget[where ?? 'inView'] < 0) return
  const style = getComputedStyle(element)
  if (budget.hidden !== 'marked' && isLeftOut(element)) return
  if (element.getAttribute('aria-hidden') === 'true' && !budget.isUnspoken)
    return void out.push(...unspokenNodes(element, view, budget))
  const inside = viewInside(element, style, box, view)
  if (style.display.startsWith('inline') || style.display === 'contents')
    return visit(element, style, out, inside, budget)
  const items: Item[] = []
  visit(element, style, items, inside, budget)
  const block = where ? groupLines(items).map((node) => ({ ...node, where: node.where ?? where })) : items
  out.push(null)
  for (const item of block) out.push(item)
  out.push(null)
}

function viewInside(element: Element, style: CSSStyleDeclaration, box: DOMRect, view: View): View {
  const { overflowX, overflowY, position } = style
  const { body, documentElement, defaultView } = element.ownerDocument
  const { innerHeight, innerWidth } = defaultView ?? window
  const around = position === 'fixed' ? { ...view, top: 0, left: 0, bottom: innerHeight, right: innerWidth } : view
  const isOpen = overflowX === 'visible' && overflowY === 'visible'
  if (element === body || element === documentElement || isOpen || (box.width === 0 && box.height === 0)) return around
  return {
    ...around,
    top: Math.max(around.top, box.top),
    bottom: Math.min(around.bottom, box.bottom),
    left: Math.max(around.left, box.left),
    right: Math.min(around.right, box.right),
  }
}

/** Returns the side on which a box is out of view. Elements without a box may still have children with one. */
function outOfView({ top, bottom, left, right, width, height }: DOMRect, view: View): PageNode['where'] {
  if (width === 0 && height === 0) return undefined
  if (top >= view.bottom) return 'below'
  if (bottom <= view.top) return 'above'
  return left >= view.right || right <= view.left ? 'beside' : undefined
}

/** Returns visible content hidden from screen readers, except decoration and content that they get elsewhere. */
function unspokenNodes(element: Element, view: View, budget: Budget): Item[] {
  const items: Item[] = []
  budget.isUnspoken = true
  walk(element, items, view, budget)
  budget.isUnspoken = false
  const children = groupLines(items)
  const isDecoration = children.every(({ role }) => role === 'text') && (isGlyph(element) || hasSpokenTwin(element))
  return children.length === 0 || isDecoration ? [] : [{ role: 'aria-hidden', children }]
}

const plain = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '')

/** True for punctuation, and for a symbol that an icon font draws instead of a word. */
function isGlyph(element: Element): boolean {
  const length = plain(element.textContent ?? '').length
  const { width } = element.getBoundingClientRect()
  return length === 0 || (length > 2 && width <= Number.parseFloat(getComputedStyle(element).fontSize) * 1.2)
}

function hasSpokenTwin({ textContent, parentElement }: Element): boolean {
  const spoken = parentElement ? plain(textOf(parentElement, maxText, ['aside', 'masked'])) : ''
  const text = plain(textContent ?? '')
  return spoken.includes(text) || (/\d/.test(text) && spoken.replace(/\D/g, '').includes(text.replace(/\D/g, '')))
}

const containers =
  /^(?:alert|alertdialog|article|banner|complementary|contentinfo|dialog|figure|form|group|list|listbox|listitem|log|main|menu|menubar|navigation|radiogroup|region|search|status|tablist|tabpanel|toolbar|tooltip|tree|iframe|scroll area)$/

const leafRoles = /^(?:h\d|img|code|progressbar|meter|video|audio|canvas)$/

const isLeaf = (role: string): boolean => leafRoles.test(role)

function visit(element: Element, style: CSSStyleDeclaration, out: Item[], view: View, budget: Budget): void {
  const role = style.visibility === 'hidden' ? '' : shownRole(element, style)
  if (isHtml(element, 'label')) return visitLabel(element, out, view, budget)
  if (element.localName === 'br') return void out.push(' ')
  if (role === 'table' && isDataTable(element)) return void out.push(tableNode(element, view, budget))
  const leaf = isLeaf(role) ? leafNodes(element, role) : []
  if (isLeaf(role) && (leaf.length > 0 || budget.hidden !== 'marked')) return void out.push(...leaf)
  if (isControl(role)) return visitControl(element, role, out, view, budget)
  if (!containers.test(role)) return walkChildren(element, out, view, budget, 'shown')
  out.push(...containerNodes(element, role, view, budget))
}

function visitControl(element: Element, role: string, out: Item[], view: View, budget: Budget): void {
  const isOut = !isOffered(element, role)
  if (!hasContent(element, role))
    return void out.push(...(isOut ? unseenNodes(element, role, budget) : [controlNode(element, role)]))
  if (isOut) return walkChildren(element, out, view, budget, 'shown')
  out.push(...containerNodes(element, role, view, budget))
}

function walkChildren(element: Element, out: Item[], view: View, budget: Budget, texts: 'shown' | 'hidden'): void {
  // A script can nest deeper than the stack allows.
  const { depth = 0 } = budget
  if (depth > maxDepth) return
  budget.depth = depth + 1
  for (const child of childrenOf(element)) {
    if (isElement(child)) walk(child, out, view, budget)
    else if (child.nodeType === Node.TEXT_NODE && texts === 'shown') out.push(...textItems(child, element, budget))
  }
  budget.depth = depth
}

/** Returns the role of a visible element, even if only its style reveals it. */
export function shownRole(element: Element, style: CSSStyleDeclaration): string {
  const role = roleOf(element)
  if ((role !== '' && role !== 'none') || element.localName === 'label') return role
  const { body, documentElement } = element.ownerDocument
  if (element === body || element === documentElement || isAroundControl(element)) return role
  const { tabIndex }: Partial<HTMLElement> = element
  if (element.hasAttribute('onclick') || tabIndex === 0)
    return isScrollable(element, style) ? 'scroll area' : 'clickable'
  if (startsHandCursor(element) || (listens(element) && !fillsWindow(element))) return 'clickable'
  return isScrollable(element, style) ? 'scroll area' : role
}

function isScrollable({ scrollHeight, clientHeight }: Element, { overflowY }: CSSStyleDeclaration): boolean {
  return /auto|scroll/.test(overflowY) && clientHeight > 60 && scrollHeight > clientHeight + 40
}

/** A listener on a large element usually serves the elements inside it. */
function fillsWindow(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width * height > (innerWidth * innerHeight) / 4
}

/** True for a custom element that shows a control of its own. */
function isAroundControl(element: Element): boolean {
  const shadow = shadowOf(element)
  return shadow !== null && hasInside(shadow, nested)
}

const nested =
  'a[href],button,input,select,textarea,[contenteditable],[tabindex],[role=group],[role=menu],[role=tree],[role=option],[role=button]'

/** True if an element that matches is rendered inside a node. */
const hasInside = (node: Node, selector: string): boolean =>
  Array.from(childrenOf(node)).some((each) => isElement(each) && (each.matches(selector) || hasInside(each, selector)))

/** True if a control contains others and is printed as a container. */
function hasContent(element: Element, role: string): boolean {
  if (!/^(?:clickable|treeitem|menuitem|option|combobox|listbox)$/.test(role) || element.localName === 'select')
    return false
  const hasOptions = role === 'listbox' && element.childElementCount > 0
  return hasOptions || hasInside(element, nested)
}

/** The text of a label is the name of its control, and is not printed twice. */
function visitLabel(element: HTMLLabelElement, out: Item[], view: View, budget: Budget): void {
  const control = labelled(element)
  if (!control) return walkChildren(element, out, view, budget, 'shown')
  if (!isShown(control) && roleOf(control) !== 'file') return void out.push(controlNode(control, roleOf(control)))
  const items: Item[] = []
  walkChildren(element, items, view, budget, 'hidden')
  for (const item of items) {
    if (typeof item === 'string') continue
    if (item?.role === 'text') out.push(...(item.parts ?? []).filter((part) => typeof part === 'object'))
    else out.push(item)
  }
}

/** Roles printed as containers only if they have a name. */
const namedOnly = /^(?:group|figure|form|region|article|toolbar|radiogroup|tooltip)$/
const ariaLabelOnly = /^(?:alert|status|log|listitem|list|scroll area|tooltip|clickable|option|menuitem|treeitem)$/
/** Roles without a ref, because they are never acted on as a whole. */
const withoutRef = /^(?:listitem|alert|status|article|tooltip|list)$/

function containerNodes(element: Element, role: string, view: View, budget: Budget): Item[] {
  if (role === 'iframe' && isFrame(element)) return frameNodes(element, budget)
  const children = contentNodes(element, view, budget)
  const name = ariaLabelOnly.test(role) ? clean(element.getAttribute('aria-label')) : nameOf(element, role)
  if (children.length === 0 && !(isControl(role) && isShown(element))) return []
  if (!name && namedOnly.test(role)) return [null, ...children, null]
  return [{ ...containerNode(element, role), ...(name && { name: name.slice(0, 100) }), children }]
}

function containerNode(element: Element, role: string): PageNode {
  const states = isControl(role) ? statesOf(element, role) : []
  const total = role === 'list' || role === 'listbox' ? element.childElementCount : 0
  const hasRef = isControl(role) || !withoutRef.test(role) || total > 3
  const isModal = role.endsWith('dialog') && element.matches(':modal,[aria-modal=true]')
  return {
    role,
    ...(hasRef && { ref: refOf(element) }),
    ...(states.length > 0 && { states }),
    ...(total > 0 && { total }),
    ...(role === 'scroll area' && { note: scrollNote(element) }),
    ...(isModal && { isModal }),
  }
}

function scrollNote({ scrollTop, scrollHeight, clientHeight }: Element): string {
  const above = (scrollTop / clientHeight).toFixed(1)
  const below = ((scrollHeight - scrollTop - clientHeight) / clientHeight).toFixed(1)
  return `↑ ${above} ↓ ${below} screens`
}

/** Returns a frame, with its content if it is of the same origin. */
function frameNodes(element: HTMLIFrameElement | HTMLFrameElement, budget: Budget): PageNode[] {
  const { width, height } = element.getBoundingClientRect()
  if (width < 20 || height < 20) return []
  const name = nameOf(element, 'iframe')
  const node: PageNode = { role: 'iframe', ref: refOf(element), ...(name && { name }) }
  const body = element.contentDocument?.body
  const inner = element.contentWindow
  if (!element.contentDocument) return [{ ...node, url: element.src, isForeign: true, children: [] }]
  if (!body || !inner) return [node]
  const items: Item[] = []
  walk(body, items, { top: 0, left: 0, bottom: inner.innerHeight, right: inner.innerWidth }, budget)
  return [{ ...node, children: groupLines(items) }]
}

/** False for tables used only for layout (after WHATWG HTML 4.9.1). */
function isDataTable(table: Element): boolean {
  if (table.hasAttribute('role') || table.querySelector(':scope > caption,th')) return true
  const rows = rowsOf(table).slice(0, 5)
  return rows.length > 1 && !table.querySelector('table') && rows.every((row) => cellsOf(row).length > 1)
}

function tableNode(table: Element, view: View, budget: Budget): PageNode {
  const rows = rowsOf(table)
  const name = nameOf(table, 'table')
  const children = rows.slice(0, maxRows).flatMap((row) => rowNodes(row, view, budget))
  return { role: 'table', ref: refOf(table), ...(name && { name }), total: rows.length, children }
}

function rowNodes(row: Element, view: View, budget: Budget): PageNode[] {
  const box = row.getBoundingClientRect()
  if (box.height === 0 && !isShown(row)) return []
  const where = aboveOrBelow(box, view)
  if (budget.left-- <= 0 || --budget[where ?? 'inView'] < 0) return []
  const cells = cellsOf(row)
  const isHead = cells.length > 0 && cells.every((cell) => isHeadCell(cell))
  const isClickable = !isHead && hasHandCursor(row) && !hasHandCursor(row.parentElement)
  return [
    {
      role: isHead ? 'head' : 'row',
      ...(isClickable && { ref: refOf(row) }),
      ...(where && { where }),
      cells: cells.map((cell) => (isClickable ? contentNodes : cellNodes)(cell, view, budget)),
    },
  ]
}

/** Returns whether a row is above or below the view. Rows are printed whole, however wide they are. */
function aboveOrBelow({ top, bottom }: DOMRect, view: View): PageNode['where'] {
  return top >= view.bottom ? 'below' : bottom <= view.top ? 'above' : undefined
}

function cellNodes(cell: Element, view: View, budget: Budget): PageNode[] {
  const { tabIndex }: Partial<HTMLElement> = cell
  const isButton = hasHandCursor(cell) || tabIndex === 0
  if (isButton && !cell.querySelector('a[href],button,input,select')) return [controlNode(cell, 'clickable')]
  return contentNodes(cell, view, budget)
}

export function contentNodes(element: Element, view: View, budget: Budget): PageNode[] {
  const items: Item[] = []
  walkChildren(element, items, view, budget, 'shown')
  return groupLines(items)
}
