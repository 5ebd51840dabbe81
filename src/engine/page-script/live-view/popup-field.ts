import type { Point } from '../dom/hit-test.ts'
import { isHtml } from '../dom/kinds.ts'
import { locate } from './locate.ts'

type Box = { x: number; y: number; width: number; height: number }
type Option = { text: string; group: string; disabled: boolean; selected: boolean }
/** A field whose popup is not part of the page's picture, so that the viewer draws one. */
export type PopupField =
  | { kind: 'list'; name: string; box: Box; options: Option[] }
  | { kind: 'input'; name: string; box: Box; inputType: string; value: string; min: string; max: string; step: string }

const inputTypes = /^(?:date|time|datetime-local|month|week|color)$/
const maxOptions = 2000
let current: HTMLSelectElement | HTMLInputElement | undefined

/** The field with a popup at a point, or with the focus. It gets the focus, and is remembered until it is set. */
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

/** Sets the remembered field as its popup would. False when it has left the page or does not take the value. */
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
