import type { PageTools } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: what state a control is in, and what it holds. */
export function addStates(tools: PageTools): void {
  tools.isShown = (element) => {
    if (element.checkVisibility({ visibilityProperty: true }))
      return Array.from(element.getClientRects()).some(({ width, height }) => width > 0 && height > 0)
    // Without a box of its own, yet with children that have one.
    return (
      getComputedStyle(element).display === 'contents' &&
      Array.from(element.children).some((child) => tools.isShown(child))
    )
  }
  tools.isDisabled = (element) =>
    element.matches(':disabled') || element.closest('[aria-disabled=true],[inert]') !== null

  tools.statesOf = (element, role) => {
    const is = (name: string) => element.getAttribute(`aria-${name}`) === 'true'
    const { checked, indeterminate, readOnly, required } = element as HTMLInputElement
    const native = element.localName === 'input' && (role === 'checkbox' || role === 'radio' || role === 'switch')
    const mixed = element.matches('[aria-checked=mixed],[aria-pressed=mixed]')
    const expands = element.getAttribute('aria-expanded') ?? opens(element, role)
    const active = deepestFocus(element.ownerDocument)
    const list: [string, boolean][] = [
      ['checked', native ? checked && !indeterminate : is('checked')],
      ['mixed', mixed || (native && indeterminate)],
      ['pressed', is('pressed')],
      ['selected', is('selected') || (role === 'option' && (element as HTMLOptionElement).selected)],
      ['expanded', expands === 'true'],
      ['collapsed', expands === 'false'],
      ['current', element.matches('[aria-current]:not([aria-current=false],[aria-current=""])')],
      ['disabled', tools.isControl(role) && tools.isDisabled(element)],
      ['read-only', readOnly === true || is('readonly')],
      ['required', required === true || is('required')],
      ['focused', active === element],
    ]
    return list.filter(([, holds]) => holds).map(([name]) => name)
  }

  function opens(element: Element, role: string): string | null {
    if (role !== 'disclosure') return null
    return String((element.parentElement as HTMLDetailsElement | null)?.open === true)
  }

  function deepestFocus({ activeElement }: Document): Element | null {
    let at = activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at
  }
}

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: what a control holds, what may be put into it, and what it complains of. */
export function addValues(tools: PageTools): void {
  const { clean } = tools

  tools.valueOf = (element, role) => {
    const field = element as HTMLInputElement
    if (/^(?:input|textarea|select)$/.test(element.localName)) return ofField(field, role)
    if (/^(?:progress|meter)$/.test(element.localName)) return `${field.value}/${field.max || 1}`
    if (role === 'editor' || role === 'textbox') return clean((element as HTMLElement).innerText)
    const spoken = element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow')
    return spoken ?? (role === 'combobox' ? tools.textOf(element, 80) : undefined)
  }

  function ofField(field: HTMLInputElement, role: string): string | undefined {
    if (field.localName === 'select') return chosen(field as unknown as HTMLSelectElement).join(', ')
    // Nobody is told a password.
    if (field.type === 'password') return field.value === '' ? '' : '•••'
    if (field.type === 'file') return Array.from(field.files ?? [], ({ name }) => name).join(', ')
    return /^(?:checkbox|radio|switch|button)$/.test(role) ? undefined : field.value
  }

  const chosen = ({ selectedOptions }: HTMLSelectElement) =>
    Array.from(selectedOptions, (option) => clean(option.label || option.text))

  tools.complaintOf = (element) => {
    const field = element as HTMLInputElement
    const root = element.getRootNode() as Document | ShadowRoot
    const isInvalid = /^(?:true|grammar|spelling)$/.test(element.getAttribute('aria-invalid') ?? '')
    if (isInvalid) {
      const ids = [element.getAttribute('aria-errormessage'), element.getAttribute('aria-describedby')]
        .join(' ')
        .split(/\s+/)
      const said = ids.flatMap((id) => (id && id !== 'null' ? (root.getElementById(id) ?? []) : []))
      return clean(said.map((each) => (tools.isShown(each) ? tools.textOf(each, 120) : '')).join(' ')) || 'invalid'
    }
    // Not before somebody has been at it: every empty field that is required would complain.
    return element.matches(':user-invalid') ? clean(field.validationMessage) || 'invalid' : undefined
  }

  tools.noteOf = (element) => {
    if (element.localName === 'select') {
      const options = Array.from((element as HTMLSelectElement).options, (option) => clean(option.label || option.text))
      const all = options.join(' | ')
      return all.length <= 120 ? all : `${all.slice(0, 100)}… ${options.length} options`
    }
    const { type, min, max, accept } = element as HTMLInputElement
    if (type === 'range') return `${min || 0}–${max || 100}`
    if (/^(?:date|time|month|week|datetime-local)$/.test(type))
      return { date: 'yyyy-mm-dd', time: 'hh:mm', month: 'yyyy-mm', week: 'yyyy-Www' }[type] ?? 'yyyy-mm-ddThh:mm'
    return type === 'file' && accept ? accept : undefined
  }
}
