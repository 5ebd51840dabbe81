import { isFrame, labelElements } from '../dom/kinds.ts'
import { describe } from '../dom/names.ts'
import { elementAt, isHitBy, movesDuring, nextFrame, type Point, pointsOf } from '../dom/hit-test.ts'
import { elementOf, refOf } from '../dom/refs.ts'
import { frameDocument } from '../dom/tree.ts'
import { isDisabled, isShown } from '../dom/visibility.ts'

/** Why an element cannot be clicked now. `by` says what covers it. */
export type NotClickable = { why: 'gone' | 'hidden' | 'disabled' | 'moving' | 'covered'; by?: string }

/** `isForeign`: a click there is one in a frame of another origin. */
export type ClickPoint = Point & { isForeign?: true }

/**
 * Scrolls an element into view and finds a point of it that stands still and that nothing covers. What a label stands for
 * is reached by the label where it has no box of its own.
 */
export async function findClickPoint(ref: number): Promise<ClickPoint | NotClickable> {
  const own = elementOf(ref)
  if (!own) return { why: 'gone' }
  if (isDisabled(own)) return { why: 'disabled' }
  const element = [own, ...labelElements(own)].find((each) => isShown(each))
  if (!element) return { why: 'hidden' }
  if (!isInView(element, own)) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
  if (await isMoving(element)) return { why: 'moving' }
  const points = pointsOf(element)
  const point = points.find((each) => isHitBy(own, elementAt(each)))
  if (point) return isForeignFrame(own) ? { ...point, isForeign: true } : point
  return coveredAt(points[0])
}

/** A frame whose document is of another origin. */
export const isForeignFrame = (element: Element): boolean => isFrame(element) && !frameDocument(element)

/** Whether an element moves while two frames are drawn. */
export async function isMoving(element: Element): Promise<boolean> {
  const moved = await movesDuring(element, async () => {
    await nextFrame()
    await nextFrame()
  })
  return moved > 1
}

export function coveredAt(point: Point | undefined): NotClickable {
  const cover = point && elementAt(point)
  return { why: 'covered', by: cover ? coverName(cover) : 'the edge of the window' }
}

function isInView(element: Element, own: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect()
  const view = element.ownerDocument.defaultView ?? window
  const isWhole = top >= 0 && left >= 0 && bottom <= view.innerHeight && right <= view.innerWidth && view === window
  return isWhole && isHitBy(own, elementAt({ x: (left + right) / 2, y: (top + bottom) / 2 }))
}

function coverName(cover: Element): string {
  const element = cover.closest('dialog,[role=dialog]') ?? cover
  return `${describe(element)} (e${refOf(element)})`
}

let watched: { ref: number; isPressed: boolean } | undefined

/** Watches whether the next press of the mouse reaches the element. */
export function watchPress(ref: number): void {
  const element = elementOf(ref)
  if (!element) return
  // Of a press in a frame of another origin, nothing is heard here.
  const press = { ref, isPressed: isForeignFrame(element) }
  watched = press
  if (press.isPressed) return
  const view = element.ownerDocument.defaultView ?? window
  const labels = labelElements(element)
  view.addEventListener(
    'mousedown',
    (event) => {
      const path = event.composedPath()
      press.isPressed = path.includes(element) || labels.some((label) => path.includes(label))
    },
    { capture: true, once: true },
  )
}

/** Whether it did. In a document that has come since, nothing was watched. */
export function wasPressed(ref: number): boolean {
  return watched?.ref !== ref || watched.isPressed
}
