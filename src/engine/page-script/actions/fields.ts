import type { PageTools } from '../snapshot/tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** How a field takes what is to be filled in: by keys, by its value, by options, or not at all. */
export type FieldKind = 'text' | 'value' | 'options' | 'toggle' | 'file' | 'none' | 'gone' | 'disabled' | 'read-only'
export type Held = { kind: FieldKind; value: string; checked: boolean; complaint?: string; isSecret: boolean }

/** Runs in the page: the field at a ref, or the one that it stands for or holds. */
export function fieldAt(tools: PageTools, ref: number): { ref: number; kind: FieldKind } {
  const at = tools.elementOf(ref)
  if (!at) return { ref, kind: 'gone' }
  const fields = 'input:not([type=hidden]),textarea,select,[contenteditable]:not([contenteditable=false])'
  const inner = at.matches(fields) ? [] : tools.everyElement(at.shadowRoot ?? at, fields, 2)
  const field = (at as HTMLLabelElement).control ?? (inner.length === 1 && inner[0] ? inner[0] : at)
  return { ref: tools.refOf(field), kind: kindOf(field as HTMLInputElement) }

  function kindOf(element: HTMLInputElement): FieldKind {
    if (tools.isDisabled(element)) return 'disabled'
    if (element.readOnly && /^(?:input|textarea)$/.test(element.localName)) return 'read-only'
    if (element.localName === 'select') return 'options'
    if (element.localName === 'textarea' || element.isContentEditable) return 'text'
    if (element.localName !== 'input')
      return /^(?:checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(tools.roleOf(element))
        ? 'toggle'
        : 'none'
    if (/^(?:checkbox|radio)$/.test(element.type)) return 'toggle'
    if (element.type === 'file') return 'file'
    return /^(?:date|time|datetime-local|month|week|color|range)$/.test(element.type) ? 'value' : 'text'
  }
}

/** Runs in the page: puts the caret into a field with all of its text selected, so that what is typed takes its place. */
export function selectAll(tools: PageTools, ref: number): void {
  const field = tools.elementOf(ref) as HTMLInputElement | undefined
  field?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  field?.focus()
  if (field?.localName === 'input' || field?.localName === 'textarea') return field.select()
  if (field) field.ownerDocument.getSelection()?.selectAllChildren(field)
}

/** Runs in the page: keys go to this element. */
export function focusOn(tools: PageTools, ref: number): void {
  const element = tools.elementOf(ref) as HTMLElement | undefined
  if (element && element.ownerDocument.activeElement !== element) element.focus()
}

/** Runs in the page: sets the value as the browser's own picker would. What the field does not take leaves it empty. */
export function setValue(tools: PageTools, ref: number, value: string): void {
  const field = tools.elementOf(ref) as HTMLInputElement | undefined
  if (!field) return
  field.focus()
  field.value = value
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }))
}

/** Runs in the page: chooses options by value or by what they say. Returns those that there are not. */
export function chooseOptions(
  tools: PageTools,
  ref: number,
  wanted: readonly string[],
): { missing: string[]; options: string[] } {
  const list = tools.elementOf(ref) as HTMLSelectElement
  const all = Array.from(list.options)
  const said = (option: HTMLOptionElement) => tools.clean(option.label || option.text)
  const isLike = (text: string, other: string) => text.toLowerCase() === tools.clean(other).toLowerCase()
  const match = (want: string) =>
    all.find((option) => option.value === want || said(option) === want) ??
    all.find((option) => isLike(said(option), want)) ??
    single(all.filter((option) => said(option).toLowerCase().includes(want.toLowerCase())))
  const matches = wanted.map((want) => match(want))
  const missing = wanted.filter((_, at) => !matches[at] || matches[at].disabled)
  if (missing.length > 0) return { missing, options: all.map(said) }
  list.focus()
  if (list.multiple) for (const option of all) option.selected = matches.includes(option)
  else list.selectedIndex = all.indexOf(matches.at(-1) as HTMLOptionElement)
  for (const type of ['input', 'change']) list.dispatchEvent(new Event(type, { bubbles: true, composed: true }))
  return { missing, options: [] }

  function single<T>(found: readonly T[]): T | undefined {
    return found.length === 1 ? found[0] : undefined
  }
}

/** Runs in the page: what a field holds now. */
export function held(tools: PageTools, ref: number): Held | undefined {
  const field = tools.elementOf(ref) as HTMLInputElement | undefined
  if (!field) return undefined
  const role = tools.roleOf(field)
  const isSecret = field.type === 'password'
  const text = field.isContentEditable ? field.innerText.replace(/\n$/, '') : (field.value ?? tools.textOf(field, 200))
  const complaint = tools.complaintOf(field)
  return {
    kind: 'text',
    value: field.localName === 'select' ? (tools.valueOf(field, role) ?? '') : text,
    checked: tools
      .statesOf(field, role)
      .some((state) => state === 'checked' || state === 'pressed' || state === 'selected'),
    isSecret,
    ...(complaint && { complaint }),
  }
}
