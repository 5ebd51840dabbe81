import { isElement, isFrame, labelElements } from '../dom/kinds.ts'
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

let watched: { ref: number; taker?: EventTarget | undefined } | undefined
let watching = new AbortController()

/**
 * Watches which element receives the next press of the mouse, in the document of the element and in the top page. It listens for two
 * events, since a page can prevent either of them.
 */
export function watchPress(ref: number): void {
  const element = elementOf(ref)
  watching.abort()
  watching = new AbortController()
  const { signal } = watching
  const press: typeof watched = { ref }
  watched = press
  if (!element) return
  const notice = (event: Event) => {
    watching.abort()
    const path = event.composedPath()
    if (![element, ...labelElements(element)].some((each) => path.includes(each))) press.taker = path[0]
  }
  for (const view of new Set([window, element.ownerDocument.defaultView ?? window]))
    for (const type of ['pointerdown', 'mousedown']) view.addEventListener(type, notice, { capture: true, signal })
}

/** Describes the element that was seen to take the press instead of the target; '' if there is none. */
export function pressTaker(ref: number): string {
  const taker = watched?.ref === ref ? (watched.taker as Node | undefined) : undefined
  return taker && isElement(taker) ? coverName(taker) : ''
}
