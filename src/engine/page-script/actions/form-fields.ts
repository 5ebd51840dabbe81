import { ariaOf, elementOf, focusedIn, refOf, everyElement, isHtml, labelled, shadowOf } from '../dom/tree.ts'
import { roleOf, acceptedInput, optionText, statesOf, valueOf } from '../dom/roles-and-names.ts'
import { clean, textOf } from '../dom/element-text.ts'
import { isDisabled, isShown } from '../dom/sight.ts'

/** The way to fill a field, such as keys, its value or its options, or the reason why it cannot be filled. */
export type FieldKind =
  | 'text'
  | 'value'
  | 'slider'
  | 'options'
  | 'toggle'
  | 'file'
  | 'files'
  | 'none'
  | 'gone'
  | 'disabled'
  | 'read-only'
/** `range` applies to sliders. */
export type FieldState = { value: string; checked: boolean; isSecret: boolean; range: readonly [number, number] }

const fieldSelector =
  'input:not([type=hidden]),textarea,select,[contenteditable]:not([contenteditable=false]),[role=slider]'

const fieldOf = (ref: number) => elementOf(ref) as HTMLInputElement | undefined

/** Resolves a ref to its field, or to the field that the element labels or contains. */
export function resolveField(ref: number): { ref: number; kind: FieldKind } {
  const at = elementOf(ref)
  if (!at) return { ref, kind: 'gone' }
  const inner = at.matches(fieldSelector) ? [] : everyElement(shadowOf(at) ?? at, fieldSelector, 2)
  const field = (isHtml(at, 'label') ? labelled(at) : null) ?? (inner.length === 1 && inner[0] ? inner[0] : at)
  return { ref: refOf(field), kind: kindOf(field as HTMLInputElement) }
}

function kindOf(element: HTMLInputElement): FieldKind {
  const { localName, type } = element
  if (isDisabled(element)) return 'disabled'
  if (element.readOnly && /^(?:input|textarea)$/.test(localName)) return 'read-only'
  if (localName === 'select') return 'options'
  if (localName === 'textarea' || element.isContentEditable) return 'text'
  if (localName !== 'input') {
    const role = roleOf(element)
    if (role === 'slider') return 'slider'
    return /^(?:checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role) ? 'toggle' : 'none'
  }
  if (/^(?:checkbox|radio)$/.test(type)) return 'toggle'
  if (type === 'file') return element.multiple ? 'files' : 'file'
  return /^(?:date|time|datetime-local|month|week|color|range)$/.test(type) ? 'value' : 'text'
}

/** Focuses a field and selects all of its text, so typing replaces it. */
export function selectAll(ref: number): void {
  const field = fieldOf(ref)
  if (!field) return
  field.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  field.focus()
  if (field.localName === 'input' || field.localName === 'textarea') return field.select()
  field.ownerDocument.getSelection()?.selectAllChildren(field)
}

/** Selects a text in an element, or all of its text; ref 0 is the page. Returns false if the text is missing. */
export function selectRange(ref: number, text: string | undefined): boolean {
  const field = ref === 0 ? undefined : fieldOf(ref)
  const element: Element = field ?? document.body
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  if (field && /^(?:input|textarea)$/.test(field.localName)) {
    const at = text === undefined ? 0 : field.value.indexOf(text)
    field.focus()
    if (at >= 0) field.setSelectionRange(at, at + (text ?? field.value).length)
    return at >= 0
  }
  const range = text === undefined ? undefined : rangeOf(element, text)
  if (text !== undefined && !range) return false
  const selection = element.ownerDocument.getSelection()
  if (range) selection?.setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset)
  else selection?.selectAllChildren(element)
  return true
}

function rangeOf(element: Element, text: string): Range | undefined {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: Node[] = []
  while (walker.nextNode()) if (isShown(walker.currentNode.parentElement ?? element)) nodes.push(walker.currentNode)
  const start = nodes
    .map(({ nodeValue }) => nodeValue)
    .join('')
    .indexOf(text)
  if (start < 0) return undefined
  const range = element.ownerDocument.createRange()
  let before = 0
  for (const node of nodes) {
    const after = before + (node.nodeValue ?? '').length
    if (start >= before && start < after) range.setStart(node, start - before)
    if (start + text.length > before && start + text.length <= after) range.setEnd(node, start + text.length - before)
    before = after
  }
  return range
}

export function moveToEnd(ref: number): void {
  const field = fieldOf(ref)
  if (!field) return
  const selection = field.ownerDocument.getSelection()
  if (field.isContentEditable) {
    selection?.selectAllChildren(field)
    selection?.collapseToEnd()
  } else if (typeof field.selectionStart === 'number') field.setSelectionRange(field.value.length, field.value.length)
}

export function focusElement(ref: number): void {
  const element = fieldOf(ref)
  if (element && element.ownerDocument.activeElement !== element) element.focus()
}

/** Returns the value in the format that a field accepts, and a description of that format. */
export function valueTaken(ref: number, value: string): { value?: string; form: string } {
  const field = fieldOf(ref)
  if (!field || field.localName !== 'input') return { value, form: '' }
  const form = field.type === 'number' ? 'a number such as 1234.5' : (acceptedInput(field) ?? field.type)
  const probe = field.cloneNode() as HTMLInputElement
  const takes = (text: string) => {
    probe.value = text
    return probe.value !== '' && (field.type !== 'color' || probe.value === text.toLowerCase())
  }
  const found =
    value === '' ? value : [value, isoOf(field.type, value)].find((text) => text !== undefined && takes(text))
  return { ...(found !== undefined && { value: found }), form }
}

/** Converts a date, a time or a number in common notation to the format of form fields; undefined for anything else. */
function isoOf(type: string, text: string): string | undefined {
  if (type === 'number') return plainNumber(text)
  if (type === 'time') return isoTime(text)
  if (type === 'date') return isoDate(text)
  const [date, time] = [isoDate(text), isoTime(text.replace(/^\S+/, ''))]
  if (type === 'datetime-local' && date && time) return `${date}T${time}`
  const [month, year] = /^(\d{1,2})\D(\d{4})$/.exec(text.trim())?.slice(1) ?? []
  if (type !== 'month') return undefined
  return month && year ? `${year}-${month.padStart(2, '0')}` : date?.slice(0, 7)
}

const partsHere = (type: 'number' | 'date') =>
  type === 'number'
    ? new Intl.NumberFormat(navigator.language).formatToParts(1234567.5)
    : new Intl.DateTimeFormat(navigator.language).formatToParts(0)

function plainNumber(text: string): string {
  const marks = new Map(partsHere('number').map((part) => [part.type, part.value]))
  return text
    .trim()
    .replaceAll(marks.get('group') ?? ',', '')
    .replace(marks.get('decimal') ?? '.', '.')
}

/** Day, month and year are in the order of the page's language, unless the year is first. */
function isoDate(text: string): string | undefined {
  const numbers = /^\s*(\d{1,4})[-./\s]+(\d{1,2})[-./\s]+(\d{1,4})/.exec(text)?.slice(1) ?? numbersOf(text)
  if (!numbers) return undefined
  const order = partsHere('date').flatMap(({ type }) => (/^(?:year|month|day)$/.test(type) ? type : []))
  const kinds = numbers[0]!.length === 4 ? ['year', 'month', 'day'] : order
  const [year = '', month = '', day = ''] = ['year', 'month', 'day'].map((kind) => numbers[kinds.indexOf(kind)])
  return year.length === 4 ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : undefined
}

/** Returns year, month and day of a date with an English name of a month. */
function numbersOf(text: string): string[] | undefined {
  const date = /\p{L}{3}.*\d{4}|\d{4}.*\p{L}{3}/u.test(text)
    ? new Date(text.replace(/(\d)(?:st|nd|rd|th)\b/i, '$1'))
    : undefined
  if (!date || Number.isNaN(date.getTime())) return undefined
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(String)
}

function isoTime(text: string): string | undefined {
  const [, hour, minutes, half] = /^\D*(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?\s*([ap])?\.?m?\.?\s*$/i.exec(text) ?? []
  if (hour === undefined || (minutes === undefined && half === undefined)) return undefined
  const afternoon = half?.toLowerCase() === 'p' ? 12 : 0
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + afternoon
  return `${String(hours).padStart(2, '0')}:${minutes ?? '00'}`
}

/** Returns the matching suggestion of a field's list, and all suggestions; undefined for a field without a list. */
export function suggestionOf(ref: number, wanted: string): { value: string | undefined; all: string[] } | undefined {
  const all = Array.from(fieldOf(ref)?.list?.options ?? [])
  return all.length === 0
    ? undefined
    : { value: matchOption(all, wanted)?.value, all: all.map((each) => optionText(each) || each.value) }
}

/** Sets the value like the browser's own picker. */
export function setValue(ref: number, value: string): void {
  const field = fieldOf(ref)
  if (!field) return
  field.focus()
  field.value = value
  announceInput(field)
}

/**
 * Types a secret into a text field, by default the focused one, if its document has this origin. Afterwards the field
 * shows dots, even in pictures.
 */
export function typeSecret(ref: number | null, value: string, origin: string): 'done' | 'elsewhere' | 'no field' {
  const field = ref === null ? focusedIn(document) : elementOf(ref)
  if (!isHtml(field, 'input') && !isHtml(field, 'textarea')) return 'no field'
  if (field.ownerDocument.defaultView?.origin !== origin) return 'elsewhere'
  field.style.setProperty('-webkit-text-security', 'disc', 'important')
  field.focus()
  if (ref !== null) field.select()
  return field.ownerDocument.execCommand('insertText', false, value) ? 'done' : 'no field'
}

function announceInput(field: Element): void {
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }))
}

/** Selects options by value or text. If some do not exist, selects none and returns them with the available ones. */
export function chooseOptions(ref: number, wanted: readonly string[]): { missing: string[]; options: string[] } {
  const list = elementOf(ref) as HTMLSelectElement
  const all = Array.from(list.options)
  const matches = wanted.map((text) => matchOption(all, text))
  const missing = wanted.filter((_, at) => !matches[at] || isDisabled(matches[at]))
  if (missing.length > 0) {
    const options = all.map((option) => `${optionText(option)}${isDisabled(option) ? ' (disabled)' : ''}`)
    return { missing, options }
  }
  list.focus()
  if (list.multiple) for (const option of all) option.selected = matches.includes(option)
  else list.selectedIndex = all.indexOf(matches.at(-1) as HTMLOptionElement)
  announceInput(list)
  return { missing, options: [] }
}

const lower = (text: string) => clean(text).toLowerCase()

/** Returns the option with this value or text, in any case, or the only one that contains it. */
function matchOption(all: readonly HTMLOptionElement[], wanted: string): HTMLOptionElement | undefined {
  const exact =
    all.find((option) => option.value === wanted || optionText(option) === wanted) ??
    all.find((option) => lower(optionText(option)) === lower(wanted))
  if (exact) return exact
  const containing = all.filter((option) => optionText(option).toLowerCase().includes(wanted.toLowerCase()))
  return containing.length === 1 ? containing[0] : undefined
}

const numberOf = (element: Element, name: string, usual: number) => Number(ariaOf(element, name) ?? usual)

export function readField(ref: number): FieldState | undefined {
  const field = fieldOf(ref)
  if (!field) return undefined
  const role = roleOf(field)
  const value = field.localName === 'select' ? valueOf(field, role) : field.value
  const text = field.isContentEditable ? field.innerText.replace(/\n$/, '') : (value ?? textOf(field, 200))
  return {
    value: (role === 'slider' && ariaOf(field, 'valuenow')) || text,
    checked: statesOf(field, role).some((state) => /^(?:checked|pressed|selected)$/.test(state)),
    isSecret: field.type === 'password',
    range: [numberOf(field, 'valuemin', 0), numberOf(field, 'valuemax', 100)],
  }
}
