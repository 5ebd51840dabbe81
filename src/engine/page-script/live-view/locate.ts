import type { Point } from '../dom/hit-test.ts'
import { isFrame } from '../dom/kinds.ts'
import { frameDocument, shadowOf } from '../dom/tree.ts'

/** The innermost element at a point or with the focus, and where its frame begins in the window. */
export type Located = { element: Element | null; origin: Point }

/** Looks at a point of the window, or for the focus, in shadow roots and frames of the same site too. */
export function locate(point: Point | null): Located {
  let origin = { x: 0, y: 0 }
  let element: Element | null = null
  for (let root: Document | ShadowRoot | null = document; root;) {
    const hit: Element | null = point
      ? root.elementFromPoint(point.x - origin.x, point.y - origin.y)
      : root.activeElement
    if (!hit || hit === element) break
    element = hit
    root = shadowOf(hit)
    if (root || !isFrame(hit)) continue
    const { x, y } = hit.getBoundingClientRect()
    root = frameDocument(hit)
    origin = { x: origin.x + x + hit.clientLeft, y: origin.y + y + hit.clientTop }
  }
  return { element, origin }
}

let foreignFrame: Element | undefined

/** Where the frame of another site begins that is at a point or has the focus; null when there is none. */
export function locateForeignFrame(point: Point | null): Point | null {
  const { element, origin } = locate(point)
  const isForeign = element !== null && isFrame(element) && !frameDocument(element)
  if (!isForeign) return null
  foreignFrame = element
  return origin
}

/** The frame that was located last. */
export function locatedFrame(): Element | undefined {
  return foreignFrame
}
