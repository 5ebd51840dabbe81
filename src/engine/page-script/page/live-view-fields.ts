import { clean } from '../dom/element-text.ts'
import { elementAt, type Point, toWindow } from '../dom/hit-test.ts'
import { isHtml, type FieldProperties, focusedIn } from '../dom/tree.ts'

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

const secretUse = /\b(?:(?:current|new)-password|one-time-code|cc-(?:number|csc|exp))/
const secretName = /passw|secret|token|\botp\b|cvc|cvv|card.?num/i
const shownFields = 'input:not([type=password],[type=hidden],[type=checkbox],[type=radio],[type=submit],[type=button])'

/** True if a picture of the page would show a secret that was entered: a card, a code or a readable password. */
export function showsSecret(): boolean {
  const fields = Array.from(document.querySelectorAll<HTMLInputElement>(shownFields))
  const isPaid = document.querySelector('iframe:is([title*=card i],[title*=payment i])') !== null
  return isPaid || fields.some((field) => field.value !== '' && isSecret(field))
}

const isSecret = ({ autocomplete, name, id }: HTMLInputElement) =>
  secretUse.test(autocomplete) || secretName.test(`${name} ${id}`)

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
  const element = point ? elementAt(point) : focusedIn(document)
  const field = element?.closest<HTMLSelectElement | HTMLInputElement>('select, input')
  if (!field || field.matches(':disabled')) return null
  const { x, y, width, height } = field.getBoundingClientRect()
  const box = { ...toWindow({ x, y }, field), width, height }
  const name = shorten(labelOf(field) ?? field.getAttribute('aria-label') ?? '')
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

/** A label around a field contains the texts of its options, which are not part of its name. */
const labelOf = (field: HTMLSelectElement | HTMLInputElement) =>
  field.labels?.[0] &&
  Array.from(field.labels[0].childNodes, (node) => (node.contains(field) ? '' : (node.textContent ?? ''))).join(' ')

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

const shorten = (text: string) => clean(text).slice(0, 200)

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
