import { boundsOf, elementAt, isHitBy, type Point, pointsOf, shiftPoint, toWindow } from '../dom/hit-test.ts'
import {
  elementOf,
  everyElement,
  refOf,
  focusedIn,
  isElement,
  isForeignFrame,
  labelElements,
  mapImage,
} from '../dom/tree.ts'
import { foreignFramesIn, isDisabled, isShown, topModal } from '../dom/sight.ts'
import { describe } from '../dom/roles-and-names.ts'

/** Reason why an element cannot be clicked now. `by` describes the element that covers it. */
export type NotClickable = { why: 'gone' | 'hidden' | 'disabled' | 'moving' | 'covered'; by?: string }

/** `isForeign`: the click hits a frame of another origin. */
type ClickPoint = Point & { isForeign?: true }

/** Scrolls an element into view, and finds a point where the element, or its label, is still and uncovered. */
export async function findClickPoint(ref: number): Promise<ClickPoint | NotClickable> {
  const own = elementOf(ref)
  if (!own) return { why: 'gone' }
  if (isDisabled(own)) return { why: 'disabled' }
  let refusal: NotClickable = { why: 'hidden' }
  for (const element of [own, ...labelElements(own)].filter((each) => isShown(each))) {
    const point = await pointOf(element, own)
    if ('x' in point) return isForeignFrame(own) ? { ...point, isForeign: true } : point
    refusal = point
  }
  return refusal
}

async function pointOf(element: Element, own: Element): Promise<Point | NotClickable> {
  if (!isInView(element, own)) scrollToElement(element)
  if (await isMoving(element)) return { why: 'moving' }
  const points = pointsOf(element)
  return points.find((each) => isHitBy(own, elementAt(each))) ?? coveredAt(points[0])
}

const inMiddle: ScrollIntoViewOptions = { block: 'center', inline: 'nearest', behavior: 'instant' }

function scrollToElement(element: Element): void {
  const image = mapImage(element)
  if (!image) return (withBox(element) ?? element).scrollIntoView(inMiddle)
  const { x, y, width, height } = boundsOf(element)
  scrollToPoint(image, shiftPoint({ x: x + width / 2, y: y + height / 2 }, image, 'in'))
}

/** Returns the element or its nearest ancestor with a box. */
function withBox(element: Element): Element | null {
  for (let at: Element | null = element; at; at = at.parentElement) if (at.getClientRects().length > 0) return at
  return null
}

/** True if an element moves while two frames are drawn. */
async function isMoving(element: Element): Promise<boolean> {
  const moved = await movesDuring(element, async () => {
    await nextFrame()
    await nextFrame()
  })
  return moved > 1
}

/** Returns the distance in CSS pixels that an element moves during the work. */
async function movesDuring(element: Element, work: () => Promise<unknown>): Promise<number> {
  const before = boundsOf(element)
  await work()
  const after = boundsOf(element)
  return Math.abs(before.x - after.x) + Math.abs(before.y - after.y)
}

function coveredAt(point: Point | undefined): NotClickable {
  const cover = point && elementAt(point)
  return { why: 'covered', by: cover ? coverName(cover) : 'the edge of the window' }
}

function isInView(element: Element, own: Element): boolean {
  const { top, bottom, left, right } = boundsOf(element)
  const view = element.ownerDocument.defaultView ?? window
  const isWhole = top >= 0 && left >= 0 && bottom <= view.innerHeight && right <= view.innerWidth && view === window
  return isWhole && isHitBy(own, elementAt({ x: (left + right) / 2, y: (top + bottom) / 2 }))
}

function coverName(cover: Element): string {
  const element = cover.closest('dialog,[role=dialog]') ?? cover
  return `${describe(element)} (e${refOf(element)})`
}

let watched: { ref: number; taker?: EventTarget | undefined; isTwin?: boolean } | undefined
let watching = new AbortController()
/** Maximum number of elements of one name that are compared to find whether one is unique. */
const maxAlike = 500

/** Records the element that receives the next press. Listens for two events, because a page can prevent either one. */
export function watchPress(ref: number): void {
  const element = elementOf(ref)
  watching.abort()
  watching = new AbortController()
  const { signal } = watching
  const press: typeof watched = { ref }
  watched = press
  if (!element) return
  const like = describe(element)
  const isLike = (each: EventTarget) =>
    isElement(each as Node) && (each as Element).localName === element.localName && describe(each as Element) === like
  const others = everyElement(document, CSS.escape(element.localName), maxAlike)
  const isUnique = others.length < maxAlike && others.filter(isLike).length === 1
  let first: Event | undefined
  const record = (event: Event) => {
    first ??= event
    if (event !== first) return
    const path = event.composedPath()
    press.taker = [element, ...labelElements(element)].some((each) => path.includes(each)) ? undefined : path[0]
    press.isTwin = isUnique && !element.isConnected && path.some(isLike)
  }
  // Listeners outside a closed shadow root do not receive the element that was hit in it.
  for (const place of new Set([window, element.ownerDocument.defaultView ?? window, element.getRootNode()]))
    for (const type of ['pointerdown', 'mousedown']) place.addEventListener(type, record, { capture: true, signal })
}

let dragged: Event | undefined

export function watchDrag(ref: number): void {
  dragged = undefined
  const views = new Set([window, elementOf(ref)?.ownerDocument.defaultView ?? window])
  for (const view of views)
    view.addEventListener('dragover', (event) => (dragged = event), { capture: true, once: true })
}

/** True if the page accepts a drop of the dragged files. Otherwise the browser itself would open a dropped file. */
export async function takesDrop(_ref: number): Promise<boolean> {
  await nextFrame()
  return dragged?.defaultPrevented === true
}

/** Resolves with the next frame, or after `maxMs`, because a hidden page draws few frames. */
function nextFrame(maxMs = 60): Promise<unknown> {
  return Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, maxMs))])
}

/** Clicks an element by script, regardless of covering elements. */
export function clickByScript(ref: number): void {
  const element = elementOf(ref)
  // Elements of a frame have their own classes, so instanceof would fail.
  if (element && 'click' in element) (element as HTMLElement).click()
  else element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }))
}

/**
 * Describes the element that received the press instead of the target. `isTwin`: it replaced the target, and no other
 * element was like the target.
 */
export function pressTaker(ref: number): { like: string; isTwin: boolean } | undefined {
  const { taker, isTwin = false } = watched?.ref === ref ? watched : {}
  return taker && isElement(taker as Node) ? { like: coverName(taker as Element), isTwin } : undefined
}

/** Describes the element at a point of the window. */
export function aroundPlace(point: Point): { ref: number; like: string; isForeign: boolean } | undefined {
  const element = elementAt(point)
  return element ? { ref: refOf(element), like: coverName(element), isForeign: isForeignFrame(element) } : undefined
}

const minSide = 20
const maxFrames = 50

/** Returns the refs of visible frames of other origins; while a modal dialog is open, those in it. */
export function foreignFrames(): number[] {
  const root = topModal() ?? document
  return foreignFramesIn(root, { width: minSide, height: minSide }).slice(0, maxFrames).map(refOf)
}

/** Returns the frame of another origin at a point, or with the focus, and the position of its corner. */
export function foreignFrameAt(point: Point | null): (Point & { ref: number }) | undefined {
  const frame = point ? elementAt(point) : focusedIn(document)
  if (!frame || !isForeignFrame(frame)) return undefined
  return { ...toWindow(shiftPoint({ x: 0, y: 0 }, frame, 'out'), frame), ref: refOf(frame) }
}

/** Scrolls a point of a foreign frame into view, and returns its window position if it is still and uncovered. */
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

/** Scrolls a point of a frame or image into view. Centring it is not enough if it is larger than the window. */
function scrollToPoint(frame: Element, inner: Point): void {
  frame.scrollIntoView(inMiddle)
  const view = frame.ownerDocument.defaultView ?? window
  const { x, y } = shiftPoint(inner, frame, 'out')
  const [left, top] = [beyond(x, view.innerWidth), beyond(y, view.innerHeight)]
  if (left !== 0 || top !== 0) view.scrollBy({ left, top, behavior: 'instant' })
}

/** Returns the scroll distance that moves a position beyond an edge into the middle. */
const beyond = (at: number, size: number) => (at < 0 || at >= size ? at - size / 2 : 0)
