import { isControl } from './roles.ts'
import { clean, textOf } from './text.ts'
import { isDisabled, isShown } from './visibility.ts'

/** The states of a control that hold, in words: `checked`, `expanded`, `disabled`. */
export function statesOf(element: Element, role: string): string[] {
  const is = (name: string) => element.getAttribute(`aria-${name}`) === 'true'
  const { checked, indeterminate, readOnly, required } = element as HTMLInputElement
  const native = element.localName === 'input' && (role === 'checkbox' || role === 'radio' || role === 'switch')
  const mixed = element.matches('[aria-checked=mixed],[aria-pressed=mixed]')
  const expanded = element.getAttribute('aria-expanded') ?? detailsState(element, role)
  const list: [string, boolean][] = [
    ['checked', native ? checked && !indeterminate : is('checked')],
    ['mixed', mixed || (native && indeterminate)],
    ['pressed', is('pressed')],
    ['selected', is('selected') || (role === 'option' && (element as HTMLOptionElement).selected)],
    ['expanded', expanded === 'true'],
    ['collapsed', expanded === 'false'],
    ['current', element.matches('[aria-current]:not([aria-current=false],[aria-current=""])')],
    ['disabled', isControl(role) && isDisabled(element)],
    ['read-only', readOnly === true || is('readonly')],
    ['required', required === true || is('required')],
    ['focused', focusedElement(element.ownerDocument) === element],
  ]
  return list.filter(([, holds]) => holds).map(([name]) => name)
}

function detailsState(element: Element, role: string): string | null {
  if (role !== 'disclosure') return null
  return String((element.parentElement as HTMLDetailsElement | null)?.open === true)
}

function focusedElement({ activeElement }: Document): Element | null {
  let at = activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return at
}

/** What is written in or chosen by a control. A password is never returned. */
export function valueOf(element: Element, role: string): string | undefined {
  const field = element as HTMLInputElement
  if (/^(?:input|textarea|select)$/.test(element.localName)) return fieldValue(field, role)
  if (/^(?:progress|meter)$/.test(element.localName)) return `${field.value}/${field.max || 1}`
  if (role === 'editor' || role === 'textbox') return clean((element as HTMLElement).innerText)
  const spoken = element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow')
  return spoken ?? (role === 'combobox' ? textOf(element, 80) : undefined)
}

function fieldValue(field: HTMLInputElement, role: string): string | undefined {
  if (field.localName === 'select')
    return Array.from((field as unknown as HTMLSelectElement).selectedOptions, optionText).join(', ')
  if (field.type === 'password') return field.value === '' ? '' : '•••'
  if (field.type === 'file') return Array.from(field.files ?? [], ({ name }) => name).join(', ')
  return /^(?:checkbox|radio|switch|button)$/.test(role) ? undefined : field.value
}

export const optionText = (option: HTMLOptionElement): string => clean(option.label || option.text)

/** Why a field is invalid, in the words of the page or the browser; undefined where it is valid. */
export function validationError(element: Element): string | undefined {
  const root = element.getRootNode() as Document | ShadowRoot
  const isInvalid = /^(?:true|grammar|spelling)$/.test(element.getAttribute('aria-invalid') ?? '')
  if (isInvalid) {
    const ids = [element.getAttribute('aria-errormessage'), element.getAttribute('aria-describedby')]
      .join(' ')
      .split(/\s+/)
    const messages = ids.flatMap((id) => (id && id !== 'null' ? (root.getElementById(id) ?? []) : []))
    return clean(messages.map((each) => (isShown(each) ? textOf(each, 120) : '')).join(' ')) || 'invalid'
  }
  // Not before somebody has used it: otherwise every empty required field would count as invalid.
  return element.matches(':user-invalid')
    ? clean((element as HTMLInputElement).validationMessage) || 'invalid'
    : undefined
}

/** What a field accepts: its options, range, date format or kinds of files. */
export function acceptedInput(element: Element): string | undefined {
  if (element.localName === 'select') {
    const options = Array.from((element as HTMLSelectElement).options, optionText)
    const all = options.join(' | ')
    return all.length <= 120 ? all : `${all.slice(0, 100)}… ${options.length} options`
  }
  const { type, min, max, accept } = element as HTMLInputElement
  if (type === 'range') return `${min || 0}–${max || 100}`
  if (/^(?:date|time|month|week|datetime-local)$/.test(type))
    return { date: 'yyyy-mm-dd', time: 'hh:mm', month: 'yyyy-mm', week: 'yyyy-Www' }[type] ?? 'yyyy-mm-ddThh:mm'
  return type === 'file' && accept ? accept : undefined
}
