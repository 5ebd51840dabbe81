import type { Point } from '../dom/hit-test.ts'
import { isHtml, isFrame, frameDocument, shadowOf, type FieldProperties, focusedIn } from '../dom/tree.ts'

const maxText = 1_000_000
const keyboardModes: Record<string, string> = {
  number: 'decimal',
  tel: 'tel',
  email: 'email',
  url: 'url',
  search: 'search',
  text: 'text',
  password: 'text',
}

/** Returns the selected text, except from password fields. */
export function selectedText(): string {
  const field = focusedIn(document)
  if (isHtml(field, 'input') && field.type === 'password') return ''
  if (isHtml(field, 'input', 'textarea') && field.selectionStart !== null)
    return field.value.slice(field.selectionStart, field.selectionEnd ?? undefined).slice(0, maxText)
  return String((field?.ownerDocument ?? document).getSelection() ?? '').slice(0, maxText)
}

/** Offers a text to the page's own paste handler, which editors and code fields have; false if there is none. */
export function pasteText(text: string): boolean {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true })
  return !(focusedIn(document) ?? document.documentElement).dispatchEvent(event)
}

/** Returns the `inputmode` of the focused element; null if it takes no text. */
export function keyboardMode(): string | null {
  const element = focusedIn(document)
  const field: FieldProperties = element ?? {}
  if (!element || field.readOnly || field.disabled) return null
  if (isHtml(element, 'textarea') || field.isContentEditable) return field.inputMode || 'text'
  const mode = isHtml(element, 'input') ? keyboardModes[element.type] : undefined
  return mode === undefined ? null : field.inputMode || mode
}

/** Innermost element at a point or with the focus, and the origin of its frame in the window. */
type Located = { element: Element | null; origin: Point }

/** Locates the element at a point of the window, or with the focus, including shadow roots and same-origin frames. */
function locate(point: Point | null): Located {
  let origin = { x: 0, y: 0 }
  let element: Element | null = null
  for (let root: Document | ShadowRoot | null = document; root;) {
    const hit: Element | null = point
      ? root.elementFromPoint(point.x - origin.x, point.y - origin.y)
      : root.activeElement
    if (!hit || hit === element) break
    element = hit
    root = shadowOf(hit)
    if (root || !isFrame(hit)) continue
    const { x, y } = hit.getBoundingClientRect()
    root = frameDocument(hit)
    origin = { x: origin.x + x + hit.clientLeft, y: origin.y + y + hit.clientTop }
  }
  return { element, origin }
}

let foreignFrame: Element | undefined

/** Returns the origin of the cross-origin frame at a point or with the focus; null if there is none. */
export function locateForeignFrame(point: Point | null): Point | null {
  const { element, origin } = locate(point)
  const isForeign = element !== null && isFrame(element) && !frameDocument(element)
  if (!isForeign) return null
  foreignFrame = element
  return origin
}

/** Returns the frame located last. */
export function locatedFrame(): Element | undefined {
  return foreignFrame
}

type Box = { x: number; y: number; width: number; height: number }
type Option = { text: string; group: string; disabled: boolean; selected: boolean }
/** A field whose popup is not part of the page's picture, so the viewer draws one. */
export type PopupField =
  | { kind: 'list'; name: string; box: Box; options: Option[] }
  | { kind: 'input'; name: string; box: Box; inputType: string; value: string; min: string; max: string; step: string }

const inputTypes = /^(?:date|time|datetime-local|month|week|color)$/
const maxOptions = 2000
let current: HTMLSelectElement | HTMLInputElement | undefined

/** Returns the field with a popup at a point, or with the focus. Focuses the field and stores it until it is set. */
export function openPopupField(point: Point | null): PopupField | null {
  const { element, origin } = locate(point)
  const field = element?.closest<HTMLSelectElement | HTMLInputElement>('select, input')
  if (!field || field.matches(':disabled')) return null
  const { x, y, width, height } = field.getBoundingClientRect()
  const box = { x: x + origin.x, y: y + origin.y, width, height }
  const name = shorten(field.labels?.[0]?.innerText ?? field.getAttribute('aria-label') ?? '')
  if (isHtml(field, 'select')) {
    if (field.multiple || field.size > 1) return null
    remember(field)
    return { kind: 'list', name, box, options: Array.from(field.options).slice(0, maxOptions).map(optionOf) }
  }
  if (!inputTypes.test(field.type) || field.readOnly) return null
  remember(field)
  const { type: inputType, value, min, max, step } = field
  return { kind: 'input', name, box, inputType, value, min, max, step }
}

function remember(field: HTMLSelectElement | HTMLInputElement): void {
  current = field
  field.focus({ preventScroll: true })
}

function optionOf(option: HTMLOptionElement): Option {
  const group = option.parentElement?.localName === 'optgroup' ? option.parentElement : undefined
  const disabled = option.disabled || group?.hasAttribute('disabled') === true || option.hasAttribute('hidden')
  const text = shorten(option.label || option.text)
  return { text, group: shorten(group?.getAttribute('label') ?? ''), disabled, selected: option.selected }
}

function shorten(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200)
}

/** Sets the stored field like its popup would. False if it has left the page or rejects the value. */
export function setPopupField(value: number | string): boolean {
  const field = current
  current = undefined
  if (!field?.isConnected) return false
  const before = field.value
  if (isHtml(field, 'select')) {
    const option = field.options[Number(value)]
    if (!option || option.disabled) return false
    if (field.selectedIndex === option.index) return true
    field.selectedIndex = option.index
  } else {
    field.value = String(value)
    if (field.value !== String(value)) field.value = before
    if (field.value === before) return before === String(value)
  }
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}
