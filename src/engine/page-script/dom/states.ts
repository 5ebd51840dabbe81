import { ariaOf, type FieldProperties, focusedIn, isHtml } from './tree.ts'
import { isControl } from '../snapshot/page-outline.ts'
import { isDisabled, textSight } from './sight.ts'
import { clean, textOf } from './element-text.ts'

export function statesOf(element: Element, role: string): string[] {
  const is = (name: string) => ariaOf(element, name) === 'true'
  const { checked, indeterminate, readOnly, required }: FieldProperties = element
  const isNative = element.localName === 'input' && /^(?:checkbox|radio|switch)$/.test(role)
  const mixed = ['checked', 'pressed'].some((name) => ariaOf(element, name) === 'mixed')
  const expanded = ariaOf(element, 'expanded') ?? detailsState(element, role)
  const list: [string, boolean][] = [
    ['checked', isNative ? checked === true && !indeterminate : is('checked')],
    ['mixed', mixed || (isNative && indeterminate === true)],
    ['pressed', is('pressed')],
    ['selected', is('selected') || (isHtml(element, 'option') && element.selected)],
    ['expanded', expanded === 'true'],
    ['collapsed', expanded === 'false'],
    ['current', element.matches('[aria-current]:not([aria-current=false],[aria-current=""])')],
    ['disabled', isControl(role) && isDisabled(element)],
    ['read-only', readOnly === true || is('readonly')],
    ['required', required === true || is('required')],
    ['focused', focusedIn(element.ownerDocument) === element],
  ]
  return list.filter(([, holds]) => holds).map(([name]) => name)
}

function detailsState(element: Element, role: string): string | null {
  if (role !== 'disclosure') return null
  const { parentElement } = element
  return String(isHtml(parentElement, 'details') && parentElement.open)
}

const maxEditor = 400

/** Returns the text or choice of a control. A password is never returned. */
export function valueOf(element: Element, role: string): string | undefined {
  if (isHtml(element, 'select')) return Array.from(element.selectedOptions, optionText).join(', ')
  if (isHtml(element, 'textarea')) return textSight(element) === 'seen' ? element.value : undefined
  if (isHtml(element, 'input')) return inputValue(element, role)
  if (isHtml(element, 'progress', 'meter')) return `${element.value}/${element.max || 1}`
  if (role === 'editor' || role === 'textbox') return textOf(element, maxEditor)
  const spoken = ariaOf(element, 'valuetext') ?? ariaOf(element, 'valuenow')
  return spoken ?? (role === 'combobox' ? textOf(element, 80) : undefined)
}

function inputValue(field: HTMLInputElement, role: string): string | undefined {
  if (field.type === 'password') return field.value === '' ? '' : '•••'
  if (field.type === 'file') return Array.from(field.files ?? [], ({ name }) => name).join(', ')
  const isText = role === 'slider' || (!/^(?:checkbox|radio|switch|button)$/.test(role) && textSight(field) === 'seen')
  return isText ? field.value : undefined
}

export const optionText = (option: HTMLOptionElement): string => clean(option.label || option.text)

/** Returns what a field accepts: its options, range, date format or file types. */
export function acceptedInput(element: Element): string | undefined {
  if (isHtml(element, 'select')) {
    const options = Array.from(element.options, optionText)
    const all = options.join(' | ')
    return all.length <= 120 ? all : `${all.slice(0, 100)}… ${options.length} options`
  }
  if (!isHtml(element, 'input')) return undefined
  const { type, min, max, accept } = element
  if (type === 'range') return `${min || 0}–${max || 100}`
  if (/^(?:date|time|month|week|datetime-local)$/.test(type))
    return { date: 'yyyy-mm-dd', time: 'hh:mm', month: 'yyyy-mm', week: 'yyyy-Www' }[type] ?? 'yyyy-mm-ddThh:mm'
  return type === 'file' && accept ? accept : undefined
}
