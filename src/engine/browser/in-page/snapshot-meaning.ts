/// <reference lib="dom" />
import type { PageTools } from './snapshot-tools.ts'

/** Runs in the page: the role of what is shown, also where only its looks tell it. */
export function addMeaning(tools: PageTools): void {
  tools.roleIn = (element, style) => {
    const role = tools.roleOf(element)
    if ((role !== '' && role !== 'none') || element.localName === 'label') return role
    const { body, documentElement } = element.ownerDocument
    if (element === body || element === documentElement) return role
    if (element.hasAttribute('onclick') || (element as HTMLElement).tabIndex === 0)
      return scrolls(element, style) ? 'scroll area' : 'clickable'
    if (pointsFirst(element, style)) return 'clickable'
    return scrolls(element, style) ? 'scroll area' : role
  }

  /** The cursor says that a click does something, here and not only around it. */
  function pointsFirst(element: Element, { cursor }: CSSStyleDeclaration): boolean {
    const { parentElement } = element
    if (cursor !== 'pointer' || !parentElement) return false
    return getComputedStyle(parentElement).cursor !== 'pointer' && !element.closest('a,button,label,summary')
  }

  function scrolls({ scrollHeight, clientHeight }: Element, { overflowY }: CSSStyleDeclaration): boolean {
    return /auto|scroll/.test(overflowY) && clientHeight > 60 && scrollHeight > clientHeight + 40
  }
}
