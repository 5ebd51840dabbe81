import { elementAt, isHitBy } from '../dom/hit-test.ts'
import { everyElement, refOf } from '../dom/tree.ts'
import { isControl } from '../dom/roles-and-names.ts'
import { shownRole } from './walk-tree.ts'

const maxMarks = 150
const markId = 'gossamer-marks'

/** Draws a numbered box around each control in view, for a screenshot. The numbers are those of the refs. */
export function markControls(): void {
  unmarkControls()
  const host = document.createElement('div')
  host.id = markId
  host.style.cssText = 'all:initial;position:fixed;inset:0;pointer-events:none;z-index:2147483647'
  const layer = host.attachShadow({ mode: 'closed' })
  const marked = everyElement(document, '*', Infinity).filter((each) => isMarkable(each))
  for (const each of marked.slice(0, maxMarks)) layer.append(...markOf(each))
  document.documentElement.append(host)
}

export function unmarkControls(): void {
  document.querySelector(`#${markId}`)?.remove()
}

function isMarkable(element: Element): boolean {
  if (!isControl(shownRole(element, getComputedStyle(element)))) return false
  const { x, y, width, height } = element.getBoundingClientRect()
  const middle = { x: x + width / 2, y: y + height / 2 }
  return width > 0 && height > 0 && element.ownerDocument === document && isHitBy(element, elementAt(middle))
}

function markOf(element: Element): HTMLElement[] {
  const { x, y, width, height } = element.getBoundingClientRect()
  const [frame, label] = [document.createElement('div'), document.createElement('div')]
  frame.style.cssText = `position:fixed;left:${x}px;top:${y}px;width:${width}px;height:${height}px;outline:2px solid #d00`
  label.style.cssText = `position:fixed;left:${Math.max(0, x)}px;top:${Math.max(0, y - 12)}px;font:bold 11px/12px sans-serif;color:#fff;background:#d00;padding:0 2px`
  label.textContent = `e${refOf(element)}`
  return [frame, label]
}
