import { isShown, placeSight } from '../dom/sight.ts'
import { childrenOf } from '../dom/tree.ts'
import type { PageNode } from './page-outline.ts'
import { drawsItself } from '../dom/ink.ts'
import { textOf } from '../dom/element-text.ts'

const fields = /^(?:textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|file|date|color|editor)$/
export const isField = (role: string): boolean => fields.test(role)

/** True if people can use a control. Fields always count, because a drawing often covers the real one. */
export function isOffered(element: Element, role: string): boolean {
  if (isField(role)) return true
  const isNothing = Array.from(childrenOf(element)).length === 0 && !isShown(element)
  if (isNothing || placeSight(element) !== 'seen') return false
  const isNamed = textOf(element, 1) !== '' || textOf(element, 1, ['masked']) === ''
  return isNamed || drawsItself(element)
}

/** Visible part of the page; `forced` overrides the position of every box. */
export type View = { top: number; bottom: number; left: number; right: number; forced?: PageNode['where'] }

export const everywhere: View = { top: -1e9, left: -1e9, bottom: 1e9, right: 1e9 }

export function viewInside(element: Element, style: CSSStyleDeclaration, box: DOMRect, view: View): View {
  const { overflowX, overflowY, position } = style
  const { body, documentElement, defaultView } = element.ownerDocument
  const { innerHeight, innerWidth } = defaultView ?? window
  const around = position === 'fixed' ? { ...view, top: 0, left: 0, bottom: innerHeight, right: innerWidth } : view
  const isOpen = overflowX === 'visible' && overflowY === 'visible'
  if (element === body || element === documentElement || isOpen || (box.width === 0 && box.height === 0)) return around
  return {
    ...around,
    top: Math.max(around.top, box.top),
    bottom: Math.min(around.bottom, box.bottom),
    left: Math.max(around.left, box.left),
    right: Math.min(around.right, box.right),
  }
}
