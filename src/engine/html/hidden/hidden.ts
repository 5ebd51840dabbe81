import {
  classOf,
  closest,
  oneLine,
  type Element,
  elementsIn,
  unwrap,
  visit,
  type DomNode,
  isElement,
  nodeAfter,
} from '../dom/dom-tree.ts'
import type { Measures } from '../main-content/measure.ts'
import { isHiddenByStyle, movingStyles } from './style-sheets.ts'
import { createElement } from '../dom/tree-node.ts'

/** Elements whose text is not visible in the page itself. */
const unreadable = new Set(
  `script style template iframe svg meta link head title object embed canvas dialog datalist audio video source-map frame noembed amp-ad amp-embed amp-sticky-ad`.split(
    /\s+/,
  ),
)
const videoHost =
  /^(?:https?:)?\/\/(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|loom\.com|wistia\.(?:com|net)|codepen\.io)\//i

/** Form fields: not text of the page, but part of its HTML. */
const fields = new Set(['input', 'select', 'option', 'optgroup', 'textarea'])

/**
 * Removes scripts, styles and similar elements, hidden form fields, and with 'no fields' all form fields. Formulas,
 * video embeds and task check boxes stay.
 */
export function dropUnreadable(root: Element, form: 'no fields' | 'fields' = 'no fields'): void {
  for (let at: DomNode | null = root.firstChild; at;) {
    const keep = isElement(at) ? readableForm(at, form) : at
    const next: DomNode | null = (keep === at && isElement(at) && at.firstChild) || nodeAfter(at, root)
    if (keep === undefined) at.remove()
    else if (keep !== at) at.replaceWith(keep)
    at = next
  }
}

function readableForm(element: Element, form: 'no fields' | 'fields'): Element | undefined {
  const name = element.localName
  if (fields.has(name))
    return (form === 'fields' && !isHiddenField(element)) || isTaskBox(element) ? element : undefined
  if (!unreadable.has(name)) return element
  if (name === 'script') return formula(element)
  if (name === 'iframe') return videoHost.test(element.getAttribute('src') ?? '') ? element : undefined
  return undefined
}

/** MathJax stores TeX in scripts; the normaliser and the writer expect formulas as `<code data-math>`. */
function formula(script: Element): Element | undefined {
  const type = script.getAttribute('type') ?? ''
  if (!type.startsWith('math/tex')) return undefined
  const code = createElement('code', ['data-math', type.includes('display') ? 'block' : 'inline', 'data-script', ''])
  code.textContent = script.textContent
  return code
}

const isHiddenField = (field: Element) => /^hidden$/i.test(field.getAttribute('type') ?? '')

/** True for a check box in a list item, or a disabled one in a table cell. */
function isTaskBox(input: Element): boolean {
  const isShown = input.hasAttribute('disabled')
  return (
    input.localName === 'input' &&
    input.getAttribute('type') === 'checkbox' &&
    closest(input, ({ localName }) => localName === 'li' || (localName === 'td' && isShown), 4) !== undefined
  )
}

/** Removes the form fields that were kept for the HTML. */
export function dropFields(root: Element): void {
  for (const element of elementsIn(root)) if (fields.has(element.localName) && !isTaskBox(element)) element.remove()
}

/** True for elements that cover the page or show its state, such as menus and dialogs. */
export const isOverlay = (element: Element) =>
  overlayClass.test(`${classOf(element)} ${element.getAttribute('id') ?? ''}`) ||
  overlayRole.test(element.getAttribute('role') ?? '')

const overlayRole = /^(?:menu|listbox|dialog|alertdialog|tooltip|status|alert|navigation|search)$/
const panelClass = /accordion|collaps|faq|(?:^|[-_\s])(?:tabs?|tab-?panel|expand\w*|answer)(?:$|[-_\s])/i
const tabClass = /(?:^|[-_\s])tab-?(?:pane|panel|content|item)(?:$|[-_\s])/i
const overlayClass = /modal|popup|popover|dialog|overlay|drawer|off-?canvas|menu|tooltip|dropdown|navbar|\bnav\b/i

/** Class names of text that only screen readers see. */
export const screenReaderClass = /(?:^|\s)(?:screen-reader-text|sr-only|visually-?hidden)(?:\s|$)/i

/**
 * Hidden text that makes up more than this share of the page is kept: such pages reveal it with a script after loading.
 */
const maxHiddenShare = 0.4
const maxHiddenShareByStyle = 0.9

/** If style sheets hide more than this share of the page, everything they hide is kept. */
const maxHiddenShareBySheets = 0.1

/** Removes text that a visitor would not see. `measures` must be up to date, and is updated. */
export function dropHidden(root: Element, measures: Measures, bySheets: ReadonlySet<Element>): void {
  unwrapNoscript(root, measures)
  const inSheets = [...bySheets].filter((element) => root.contains(element))
  const sheetText = inSheets.reduce((sum, element) => sum + measures.of(element).text, 0)
  // Most pages hide nothing, so their text is not measured.
  const isFew = inSheets.length > 0 && sheetText <= maxHiddenShareBySheets * measures.of(root).text
  let page: { text: number; rows: Rows; moving: ReadonlySet<string | null> } | undefined
  visit(root, (element) => {
    const share = maxHiddenShareOf(element) || (isFew && bySheets.has(element) ? maxHiddenShareBySheets : 0)
    if (share === 0 || isNameOfBox(element, measures)) return undefined
    // Measured lazily, because many pages hide nothing.
    page ??= { text: measures.of(root).text || 1, rows: createRows(controlsOf(root)), moving: movingStyles(root) }
    if (page.moving.has(element.getAttribute('style')) && !element.hasAttribute('hidden')) return undefined
    if (measures.of(element).text > share * page.text || isPanel(element, page.rows)) return undefined
    if (page.rows.isFirstHiddenPrice(element)) keepScreenReaderText(element)
    measures.remove(element)
    return 'skip'
  })
}

/** Caches facts about sibling boxes; each row is scanned once. */
function createRows(controls: ReadonlyMap<string, Element>) {
  const priced = new WeakSet<Element>()
  const open = new WeakMap<Element, { named: Element[]; controls: ReadonlySet<Element | undefined> }>()
  const controlOf = (element: Element) => controls.get(element.getAttribute('id') ?? '')
  const openIn = (parent: Element) => {
    const shown = parent.children.filter((child) => maxHiddenShareOf(child) === 0)
    const named = shown.filter((child) => tabClass.test(classOf(child)))
    const row = { named, controls: new Set(shown.map(controlOf)) }
    open.set(parent, row)
    return row
  }
  return {
    controlOf,
    /** True if a box hides a number from screen readers and no earlier sibling does. */
    isFirstHiddenPrice(hidden: Element): boolean {
      const { parentNode } = hidden
      if (!parentNode || priced.has(parentNode)) return false
      if (hidden.getAttribute('aria-hidden') !== 'true' || !/\d/.test(hidden.textContent)) return false
      priced.add(parentNode)
      return true
    },
    /** True for one of several adjacent tab panels if another is open, by its class or the list that controls both. */
    hasOpenTabBeside(element: Element): boolean {
      const { parentNode } = element
      if (!parentNode) return false
      const beside = open.get(parentNode) ?? openIn(parentNode)
      const control = controlOf(element)
      if (control && maxHiddenShareOf(element) > 0 && beside.controls.has(control)) return true
      if (!tabClass.test(classOf(element))) return false
      const tabs = beside.named
      const isSibling = (tab: Element | undefined) => tab?.parentNode === parentNode
      while (tabs.length > 0 && !isSibling(tabs.at(-1))) tabs.pop()
      const last = tabs.at(-1)
      return last !== element ? last !== undefined : tabs.some((tab) => tab !== element && isSibling(tab))
    },
  }
}

type Rows = ReturnType<typeof createRows>

const maxName = 100

/** True for a visible title that assistive technology skips because the box around it has the same name. */
function isNameOfBox(element: Element, measures: Measures): boolean {
  if (element.getAttribute('aria-hidden') !== 'true' || measures.of(element).text > maxName) return false
  const name = oneLine(element.textContent)
  return (
    name !== '' &&
    !isUnseen(element) &&
    closest(element, (up) => oneLine(up.getAttribute('aria-label') ?? '') === name, 3) !== undefined
  )
}

/** Shows the screen-reader copy of a hidden price, which is then its only copy. */
function keepScreenReaderText(hidden: Element): void {
  for (const other of hidden.parentNode?.children ?? [])
    if (screenReaderClass.test(classOf(other)) && /\d/.test(other.textContent)) other.removeAttribute('class')
}

const mayControl = /^(?:a|button|li|h[1-6])$/
const targetAttributes = ['href', 'data-target', 'data-bs-target']

/** Returns the list around the button, tab or link that toggles an element, by the id of the element. */
function controlsOf(root: Element): ReadonlyMap<string, Element> {
  const controls = new Map<string, Element>()
  visit(root, (element) => {
    const targets = controlledBy(element)
    if (targets.length === 0) return
    const list = closest(element, isTabList, 4) ?? element
    for (const id of targets) if (!controls.has(id)) controls.set(id, list)
  })
  return controls
}

/** Returns the ids of what a button, tab or link shows. */
export function controlledBy(element: Element): string[] {
  const targets = element.getAttribute('aria-controls')?.split(/\s+/) ?? []
  if (mayControl.test(element.localName))
    for (const name of targetAttributes) {
      const target = element.getAttribute(name)
      if (target?.startsWith('#') && target !== '#') targets.push(target.slice(1))
    }
  return targets
}

export const isTabList = (element: Element) =>
  /^[uo]l$/.test(element.localName) || element.getAttribute('role') === 'tablist'

/**
 * True for content one click away (tabs, accordions) and for the hidden boxes into which React streams late content
 * (`S:…`).
 */
function isPanel(element: Element, rows: Rows): boolean {
  const id = element.getAttribute('id') ?? ''
  const role = element.getAttribute('role') ?? ''
  const names = `${classOf(element)} ${id}`
  if (/^S:[\da-f]+$/.test(id)) return true
  if (isOverlay(element)) return false
  if (role === 'tabpanel' || rows.hasOpenTabBeside(element)) return true
  const mayOpen = role === 'region' || panelClass.test(names)
  return mayOpen && rows.controlOf(element) !== undefined
}

/** Returns the maximum share of the page's text to drop for this way of hiding; 0 if the element is not hidden. */
function maxHiddenShareOf(element: Element): number {
  if (element.hasAttribute('hidden') && element.getAttribute('hidden') !== 'until-found') return maxHiddenShareByStyle
  if (element.getAttribute('aria-hidden') === 'true') return maxHiddenShare
  const style = element.getAttribute('style')
  if (!style || !isHiddenByStyle(style, element)) return 0
  // Transparent text fades in.
  return /opacity/i.test(style) && !/display\s*:\s*none/i.test(style) ? maxHiddenShare : maxHiddenShareByStyle
}

/** True if an element is invisible by its own attributes, even if a click shows it. */
export function isUnseen(element: Element): boolean {
  if (element.hasAttribute('hidden')) return true
  const style = element.getAttribute('style')
  return style !== null && style !== '' && isHiddenByStyle(style, element)
}

/**
 * Some sites put the whole page into noscript or noframes, which is then read; otherwise these repeat content or
 * request JavaScript.
 */
function unwrapNoscript(root: Element, measures: Measures): void {
  if (!elementsIn(root).some(isNoscript)) return
  const total = measures.of(root).text
  visit(root, (element) => {
    if (!isNoscript(element)) return undefined
    const { text } = measures.of(element)
    if (text > 0.5 * total && (text > 300 || element.localName === 'noframes')) unwrap(element)
    else measures.remove(element)
    return 'skip'
  })
}

const isNoscript = ({ localName }: Element) => localName === 'noscript' || localName === 'noframes'
