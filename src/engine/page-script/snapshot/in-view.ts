import { boxSight, isShown, placeSight } from '../dom/sight.ts'
import { childrenOf } from '../dom/tree.ts'
import type { PageNode } from './page-outline.ts'
import { drawsItself } from '../dom/ink.ts'
import { textOf } from '../dom/element-text.ts'

const fields = /^(?:textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|file|date|color|editor)$/
export const isField = (role: string): boolean => fields.test(role)

const fieldSelector = 'input,select,textarea,[contenteditable],[role=checkbox],[role=radio],[role=switch]'

/** Fields that pages draw themselves, over a clipped one; a clipped text field is a trap for programs. */
const drawnSelector = 'input:is([type=checkbox],[type=radio],[type=range])'

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

/** Returns the side on which a box is out of view. Elements without a box may still have children with one. */
export function outOfView({ top, bottom, left, right, width, height }: DOMRect, view: View): PageNode['where'] {
  if (view.forced) return view.forced
  if (width === 0 && height === 0) return undefined
  if (top >= view.bottom) return 'below'
  if (bottom <= view.top) return 'above'
  return left >= view.right || right <= view.left ? 'beside' : undefined
}

/** Returns whether a row is above or below the view. Rows are printed whole, however wide they are. */
export function aboveOrBelow({ top, bottom }: DOMRect, view: View): PageNode['where'] {
  if (view.forced) return view.forced
  return top >= view.bottom ? 'below' : bottom <= view.top ? 'above' : undefined
}

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

/** True if the element and its contents are hidden. A field represented by a drawing counts as shown. */
export function isLeftOut(element: Element): boolean {
  if (element.matches('input[type=file]')) return false
  const sight = boxSight(element)
  if (sight === 'seen' || sight === 'gone') return sight === 'gone'
  return !element.matches(fieldSelector) && !element.querySelector(sight === 'aside' ? drawnSelector : fieldSelector)
}

export function isScrollable({ scrollHeight, clientHeight }: Element, { overflowY }: CSSStyleDeclaration): boolean {
  return /auto|scroll/.test(overflowY) && clientHeight > 60 && scrollHeight > clientHeight + 40
}
