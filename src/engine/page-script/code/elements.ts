import { isHtml } from '../dom/kinds.ts'
import { isShown } from '../dom/visibility.ts'
import { isOff } from './actionable.ts'
import { findAll, type Step } from './find.ts'

const innerTextOf = ({ innerText }: Partial<HTMLElement>) => innerText

type Field = HTMLInputElement & { control?: HTMLInputElement }

/** What can be read of all elements that were found. */
const ofAll: Record<string, (found: readonly Element[]) => unknown> = {
  count: (found) => found.length,
  visible: ([element]) => element !== undefined && isShown(element),
  texts: (found) => found.map((each) => each.textContent),
  innerTexts: (found) => found.map((each) => innerTextOf(each)),
  elements: (found) => found,
  first: ([element]) => element,
}
/** What can be read of the first; anything else is one of its properties. */
const ofFirst: Record<string, (element: Field, name: string) => unknown> = {
  attribute: (element, name) => element.getAttribute(name),
  checked: (element) => (element.getAttribute('role') ? element.ariaChecked === 'true' : element.checked),
  disabled: isOff,
  editable: (element) => !isOff(element) && !element.readOnly,
  box: (element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x, y, width, height }
  },
  value: (element) => (element.control ?? element).value,
}

/** Reads something of the elements that steps lead to. */
export function readElements(steps: readonly Step[], what: string, name: string, root?: Element): unknown {
  const found = findAll(steps, root)
  if (ofAll[what]) return ofAll[what](found)
  const element = found[0] as Field | undefined
  return element && (ofFirst[what] ? ofFirst[what](element, name) : element[what as 'textContent'])
}

const changes: Record<string, (element: Field, given: unknown) => unknown> = {
  focus: (element) => element.focus(),
  blur: (element) => element.blur(),
  scroll: (element) => element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }),
  click: (element) => element.click(),
  dispatch: (element, given) =>
    void element.dispatchEvent(new Event(String(given), { bubbles: true, cancelable: true, composed: true })),
  'select-text': (element) => {
    element.focus()
    if ('select' in element) element.select()
    else getSelection()?.selectAllChildren(element)
  },
  fill: (element, given) => {
    if (!/^(?:color|date|datetime-local|month|range|time|week)$/.test(element.type)) return 'type'
    element.value = String(given)
    return element.value === given ? announceInput(element) : { fault: 'Malformed value' }
  },
  options: (element, given) => selectOptions(element, given as Choice[]),
}

/** Changes the first element that steps lead to. Returns what went wrong as `fault`, or a result. */
export function changeElement(steps: readonly Step[], what: string, given: unknown, root?: Element): unknown {
  const found = findAll(steps, root)[0] as Field | undefined
  if (!found) return { fault: 'The element is gone.' }
  return changes[what]?.(found.control ?? found, given)
}

type Choice = { value?: string; label?: string; index?: number }

function selectOptions(select: Element, wanted: readonly Choice[]): unknown {
  if (!isHtml(select, 'select')) return { fault: 'Element is not a <select> element' }
  const isWanted = (option: HTMLOptionElement, nth: number) =>
    wanted.some(({ value, label, index }) => {
      if (index !== undefined) return index === nth
      return label === undefined ? value === option.value || value === option.label : label === option.label
    })
  const chosen = Array.from(select.options).filter(isWanted)
  if (chosen.length === 0 && wanted.length > 0) return 'wait'
  for (const option of select.options) option.selected = chosen.includes(option)
  announceInput(select)
  return chosen.map(({ value }) => value)
}

function announceInput(element: Element): void {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
}
