import { elementAt, isHitBy, type Point, shiftPoint, toWindow } from '../dom/hit-test.ts'
import { elementOf, refOf } from '../dom/refs.ts'
import { everyElement, focusedIn } from '../dom/tree.ts'
import { isShown } from '../dom/visibility.ts'
import { coveredAt, isForeignFrame, isMoving, type NotClickable } from './aim.ts'
import { topModal } from './target.ts'

const leastSize = 20
const mostFrames = 50

/** The refs of the frames of other origins that people see, in the order of the page; those behind a modal dialog wait with the page. */
export function foreignFrames(): number[] {
  return everyElement(topModal() ?? document, 'iframe,frame', mostFrames)
    .filter((each) => isForeignFrame(each) && isLarge(each) && isShown(each))
    .map((each) => refOf(each))
}

/** The ref of the frame of another origin that has the focus; 0 when none has. */
export function focusedFrame(): number {
  const focused = focusedIn(document)
  return focused && isForeignFrame(focused) ? refOf(focused) : 0
}

function isLarge(frame: Element): boolean {
  const { width, height } = frame.getBoundingClientRect()
  return width >= leastSize && height >= leastSize
}

/**
 * Where a point of the document in a frame of another origin is in the window, once the frame has been scrolled so that the
 * point is in view, stands still, and nothing covers it there.
 */
export async function findFramePoint(ref: number, inner: Point): Promise<Point | NotClickable> {
  const frame = elementOf(ref)
  if (!frame) return { why: 'gone' }
  if (!isShown(frame)) return { why: 'hidden' }
  const inWindow = () => toWindow(shiftPoint(inner, frame, 'out'), frame)
  if (!isHitBy(frame, elementAt(inWindow()))) scrollToPoint(frame, inner)
  if (await isMoving(frame)) return { why: 'moving' }
  const point = inWindow()
  return isHitBy(frame, elementAt(point)) ? point : coveredAt(point)
}

/** A frame can be larger than the window: then its middle in view does not do. */
function scrollToPoint(frame: Element, inner: Point): void {
  frame.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
  const view = frame.ownerDocument.defaultView ?? window
  const { x, y } = shiftPoint(inner, frame, 'out')
  const [left, top] = [beyond(x, view.innerWidth), beyond(y, view.innerHeight)]
  if (left !== 0 || top !== 0) view.scrollBy({ left, top, behavior: 'instant' })
}

/** How far to scroll to bring what is beyond an edge into the middle. */
const beyond = (at: number, size: number) => (at < 0 || at >= size ? at - size / 2 : 0)
