export function isShown(element: Element): boolean {
  if (element.checkVisibility({ visibilityProperty: true }))
    return Array.from(element.getClientRects()).some(({ width, height }) => width > 0 && height > 0)
  // It has no box, yet its children may have one.
  return (
    getComputedStyle(element).display === 'contents' && Array.from(element.children).some((child) => isShown(child))
  )
}

export function isDisabled(element: Element): boolean {
  return element.matches(':disabled') || element.closest('[aria-disabled=true],[inert]') !== null
}

/** Where a script listens for clicks, the page mostly shows a hand. */
export function hasHandCursor(element: Element | null): boolean {
  return element !== null && getComputedStyle(element).cursor === 'pointer'
}
