/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { PageTools } from './snapshot-tools.ts'

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
