import { elementOf, refOf } from '../dom/refs.ts'
import { roleOf } from '../dom/roles.ts'
import { optionText, statesOf, valueOf } from '../dom/states.ts'
import { clean, textOf } from '../dom/text.ts'
import { everyElement } from '../dom/tree.ts'
import { isDisabled } from '../dom/visibility.ts'

/** How a field takes input: by keys, by its value, by options, or not at all. */
export type FieldKind = 'text' | 'value' | 'options' | 'toggle' | 'file' | 'none' | 'gone' | 'disabled' | 'read-only'
export type FieldState = { value: string; checked: boolean; isSecret: boolean }

const fieldSelector = 'input:not([type=hidden]),textarea,select,[contenteditable]:not([contenteditable=false])'

const fieldOf = (ref: number) => elementOf(ref) as HTMLInputElement | undefined

/** The field of a ref, or the one that the element labels or contains. */
export function resolveField(ref: number): { ref: number; kind: FieldKind } {
  const at = elementOf(ref)
  if (!at) return { ref, kind: 'gone' }
  const inner = at.matches(fieldSelector) ? [] : everyElement(at.shadowRoot ?? at, fieldSelector, 2)
  const field = (at as HTMLLabelElement).control ?? (inner.length === 1 && inner[0] ? inner[0] : at)
  return { ref: refOf(field), kind: kindOf(field as HTMLInputElement) }
}

function kindOf(element: HTMLInputElement): FieldKind {
  const { localName, type } = element
  if (isDisabled(element)) return 'disabled'
  if (element.readOnly && /^(?:input|textarea)$/.test(localName)) return 'read-only'
  if (localName === 'select') return 'options'
  if (localName === 'textarea' || element.isContentEditable) return 'text'
  if (localName !== 'input') {
    const isToggle = /^(?:checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(roleOf(element))
    return isToggle ? 'toggle' : 'none'
  }
  if (/^(?:checkbox|radio)$/.test(type)) return 'toggle'
  if (type === 'file') return 'file'
  return /^(?:date|time|datetime-local|month|week|color|range)$/.test(type) ? 'value' : 'text'
}

/** Focuses a field with all of its text selected, so that typing replaces it. */
export function selectAll(ref: number): void {
  const field = fieldOf(ref)
  if (!field) return
  field.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  field.focus()
  if (field.localName === 'input' || field.localName === 'textarea') return field.select()
  field.ownerDocument.getSelection()?.selectAllChildren(field)
}

export function focusElement(ref: number): void {
  const element = fieldOf(ref)
  if (element && element.ownerDocument.activeElement !== element) element.focus()
}

/** Sets the value as the browser's own picker would. A field that does not take it stays empty. */
export function setValue(ref: number, value: string): void {
  const field = fieldOf(ref)
  if (!field) return
  field.focus()
  field.value = value
  announceInput(field)
}

function announceInput(field: Element): void {
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }))
}

/** Chooses options by value or text. Where some do not exist, chooses none and returns them with those that do. */
export function chooseOptions(ref: number, wanted: readonly string[]): { missing: string[]; options: string[] } {
  const list = elementOf(ref) as HTMLSelectElement
  const all = Array.from(list.options)
  const matches = wanted.map((text) => matchOption(all, text))
  const missing = wanted.filter((_, at) => !matches[at] || matches[at].disabled)
  if (missing.length > 0) return { missing, options: all.map(optionText) }
  list.focus()
  if (list.multiple) for (const option of all) option.selected = matches.includes(option)
  else list.selectedIndex = all.indexOf(matches.at(-1) as HTMLOptionElement)
  announceInput(list)
  return { missing, options: [] }
}

const lower = (text: string) => clean(text).toLowerCase()

/** The one with this value or text, else in any case, else the only one whose text contains it. */
function matchOption(all: readonly HTMLOptionElement[], wanted: string): HTMLOptionElement | undefined {
  const exact =
    all.find((option) => option.value === wanted || optionText(option) === wanted) ??
    all.find((option) => lower(optionText(option)) === lower(wanted))
  if (exact) return exact
  const containing = all.filter((option) => optionText(option).toLowerCase().includes(wanted.toLowerCase()))
  return containing.length === 1 ? containing[0] : undefined
}

/** What a field contains now. */
export function readField(ref: number): FieldState | undefined {
  const field = fieldOf(ref)
  if (!field) return undefined
  const role = roleOf(field)
  const text = field.isContentEditable ? field.innerText.replace(/\n$/, '') : (field.value ?? textOf(field, 200))
  return {
    value: field.localName === 'select' ? (valueOf(field, role) ?? '') : text,
    checked: statesOf(field, role).some((state) => /^(?:checked|pressed|selected)$/.test(state)),
    isSecret: field.type === 'password',
  }
}
