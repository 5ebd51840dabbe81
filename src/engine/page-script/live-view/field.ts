type Box = { x: number; y: number; width: number; height: number }
/** A field whose popup is not in the picture: the viewer draws one of its own. */
export type Field =
  | {
      kind: 'list'
      name: string
      box: Box
      options: { text: string; group: string; disabled: boolean; selected: boolean }[]
    }
  | { kind: 'input'; name: string; box: Box; inputType: string; value: string; min: string; max: string; step: string }

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

type Holder = typeof globalThis & { gossamerField?: HTMLSelectElement | HTMLInputElement }

/**
 * Runs in the page: the field at a point (or the one with focus) whose popup a picture of the page does not show. It gets
 * the focus, and is remembered until it is set.
 */
export function fieldAt(point: { x: number; y: number } | null): Field | null {
  const popups = /^(?:date|time|datetime-local|month|week|color)$/
  const mostOptions = 2000
  let shift = { x: 0, y: 0 }
  const found = deepest()?.closest<HTMLSelectElement | HTMLInputElement>('select, input')
  if (!found || found.matches(':disabled')) return null
  const { x, y, width, height } = found.getBoundingClientRect()
  const box = { x: x + shift.x, y: y + shift.y, width, height }
  const name = short(found.labels?.[0]?.innerText ?? found.getAttribute('aria-label') ?? '')
  if (found.localName === 'select') {
    const list = found as HTMLSelectElement
    if (list.multiple || list.size > 1) return null
    remember(list)
    return { kind: 'list', name, box, options: Array.from(list.options).slice(0, mostOptions).map(optionOf) }
  }
  const input = found as HTMLInputElement
  if (!popups.test(input.type) || input.readOnly) return null
  remember(input)
  const { type: inputType, value, min, max, step } = input
  return { kind: 'input', name, box, inputType, value, min, max, step }

  /** Through shadow roots, and frames of the same site. */
  function deepest(): Element | null {
    let element: Element | null = null
    for (let root: Document | ShadowRoot | null = document; root;) {
      const hit: Element | null = point
        ? root.elementFromPoint(point.x - shift.x, point.y - shift.y)
        : root.activeElement
      if (!hit || hit === element) break
      element = hit
      const inside: Document | null = /^i?frame$/.test(hit.localName)
        ? (hit as HTMLIFrameElement).contentDocument
        : null
      const frame = hit.getBoundingClientRect()
      if (inside) shift = { x: shift.x + frame.x + hit.clientLeft, y: shift.y + frame.y + hit.clientTop }
      root = hit.shadowRoot ?? inside
    }
    return element
  }

  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it is sent by its source text alone
  function remember(field: HTMLSelectElement | HTMLInputElement): void {
    const holder = globalThis as Holder
    holder.gossamerField = field
    field.focus({ preventScroll: true })
  }

  function optionOf(option: HTMLOptionElement) {
    const group = option.parentElement?.localName === 'optgroup' ? option.parentElement : undefined
    const disabled = option.disabled || group?.hasAttribute('disabled') === true || option.hasAttribute('hidden')
    const text = short(option.label || option.text)
    return { text, group: short(group?.getAttribute('label') ?? ''), disabled, selected: option.selected }
  }

  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it is sent by its source text alone
  function short(text: string): string {
    return text.replace(/\s+/g, ' ').trim().slice(0, 200)
  }
}

/** Runs in the page: sets the field that was remembered, as its popup would. False when it has left or takes no such value. */
export function setField(value: number | string): boolean {
  const holder = globalThis as Holder
  const field = holder.gossamerField
  delete holder.gossamerField
  if (!field?.isConnected) return false
  const before = field.value
  if (field.localName === 'select') {
    const list = field as HTMLSelectElement
    const option = list.options[Number(value)]
    if (!option || option.disabled) return false
    if (list.selectedIndex === option.index) return true
    list.selectedIndex = option.index
  } else {
    field.value = String(value)
    if (field.value !== String(value)) field.value = before
    if (field.value === before) return before === String(value)
  }
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}
