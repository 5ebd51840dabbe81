import { boxesOf } from './hit-test.ts'
import { isElement } from './kinds.ts'
import { childrenOf } from './tree.ts'

const hasSize = ({ width, height }: DOMRect) => width > 0 && height > 0

export function isShown(element: Element): boolean {
  if (element.checkVisibility({ visibilityProperty: true })) return Array.from(element.getClientRects()).some(hasSize)
  const { display, visibility } = getComputedStyle(element)
  if (display !== 'contents') return false
  // It has no box, yet its content may have one.
  return Array.from(childrenOf(element)).some((child) =>
    isElement(child) ? isShown(child) : visibility === 'visible' && boxesOf(child).some(hasSize),
  )
}

export function isDisabled(element: Element): boolean {
  return element.matches(':disabled') || element.closest('[aria-disabled=true],[inert]') !== null
}

/** Where a script listens for clicks, the page mostly shows a hand. */
export function hasHandCursor(element: Element | null): boolean {
  return element !== null && getComputedStyle(element).cursor === 'pointer'
}
