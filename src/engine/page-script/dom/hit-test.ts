import { isElement, isHtml, childrenOf, innerDocument, labelled, mapImage, parentOf, shadowOf, slotOf } from './tree.ts'

/** Point in CSS pixels of the window, unless stated otherwise. */
export type Point = { x: number; y: number }

function framesAround(inner: Element): Element[] {
  const around: Element[] = []
  for (let at = inner.ownerDocument.defaultView?.frameElement; at; at = at.ownerDocument.defaultView?.frameElement)
    around.push(at)
  return around
}

/** Converts coordinates in the content of a frame or image to those of its document, or back. */
export function shiftPoint({ x, y }: Point, frame: Element, direction: 'out' | 'in'): Point {
  const box = frame.getBoundingClientRect()
  const { paddingLeft, paddingTop } = getComputedStyle(frame)
  const { offsetWidth = 0, offsetHeight = 0 }: Partial<HTMLElement> = frame
  // A transform may scale the frame.
  const [across, down] = [box.width / offsetWidth || 1, box.height / offsetHeight || 1]
  const left = box.x + (frame.clientLeft + (Number.parseFloat(paddingLeft) || 0)) * across
  const top = box.y + (frame.clientTop + (Number.parseFloat(paddingTop) || 0)) * down
  return direction === 'out'
    ? { x: x * across + left, y: y * down + top }
    : { x: (x - left) / across, y: (y - top) / down }
}

/** Converts a point in an element's own document to window coordinates. */
export function toWindow(point: Point, element: Element): Point {
  return framesAround(element).reduce((at, frame) => shiftPoint(at, frame, 'out'), point)
}

/** Returns the element that a click would hit, including shadow roots and same-origin frames. */
export function elementAt(point: Point): Element | null {
  return deepestAt(document, point, null)
}

function deepestAt(root: DocumentOrShadowRoot, at: Point, host: Element | null): Element | null {
  const hit = root.elementFromPoint(at.x, at.y)
  if (!hit || hit === host) return hit && slotAt(hit, at)
  const shadow = shadowOf(hit)
  if (shadow) return deepestAt(shadow, at, hit) ?? hit
  const inner = innerDocument(hit)
  return inner ? deepestAt(inner, shiftPoint(at, hit, 'in'), null) : hit
}

/** Returns the slot that shows a host's text at a point, because hit testing reports the host for such a text. */
function slotAt(host: Element, { x, y }: Point): Element {
  const isHit = ({ left, right, top, bottom }: DOMRect) => left <= x && x <= right && top <= y && y <= bottom
  const texts = Array.from(host.childNodes).filter((node) => node.nodeType === Node.TEXT_NODE) as Text[]
  const hit = texts.find((text) => slotOf(text) && boxesOf(text).some(isHit))
  return (hit && slotOf(hit)) ?? host
}

const interactive = 'a[href],button,input,select,textarea,summary,iframe,[contenteditable]'

/** True if a click on `hit` counts for the element: inside it or its label, except on other controls. */
export function isHitBy(element: Element, hit: Node | null): boolean {
  let isTaken = false
  for (let node = hit; node; node = parentOf(node)) {
    if (node === element) return true
    if (isHtml(node, 'label') && labelled(node) === element) return !isTaken
    isTaken ||= isElement(node) && node.matches(interactive)
  }
  return false
}

/** Returns the box of an element. An area of an image map has none, so its box is that of its shape. */
export function boundsOf(element: Element): DOMRect {
  const image = mapImage(element)
  const { shape, coords } = element as HTMLAreaElement
  if (!image || /^default$/i.test(shape)) return (image ?? element).getBoundingClientRect()
  const numbers = coords.split(/[\s,;]+/).map(Number)
  const [x = 0, y = 0, radius = 0] = numbers
  const corners = /^circ/i.test(shape) ? [x - radius, y - radius, x + radius, y + radius] : numbers
  const [across, down] = [0, 1].map((axis) => corners.filter((_, at) => at % 2 === axis)) as [number[], number[]]
  const start = shiftPoint({ x: Math.min(...across), y: Math.min(...down) }, image, 'out')
  const end = shiftPoint({ x: Math.max(...across), y: Math.max(...down) }, image, 'out')
  return new DOMRect(start.x, start.y, end.x - start.x, end.y - start.y)
}

/** Returns the boxes of a text or an element; for an element without a box, those of its content. */
export function boxesOf(node: Node): DOMRect[] {
  if (isElement(node)) {
    if (mapImage(node)) return [boundsOf(node)]
    const own = Array.from(node.getClientRects())
    return own.length > 0 || getComputedStyle(node).display !== 'contents' ? own : contentBoxes(node)
  }
  const range = node.ownerDocument?.createRange()
  range?.selectNode(node)
  return Array.from(range?.getClientRects() ?? [])
}

const contentBoxes = (element: Element) => Array.from(childrenOf(element)).flatMap(boxesOf)

/** Returns window points at which to click an element, the middle of each box first; a label includes its content. */
export function pointsOf(element: Element): Point[] {
  const shares = [0.5, 0.2, 0.8]
  return [...boxesOf(element), ...(isHtml(element, 'label') ? contentBoxes(element) : [])]
    .filter(({ width, height }) => width > 0 && height > 0)
    .flatMap(({ x, y, width, height }) =>
      shares.flatMap((across) => shares.map((down) => ({ x: x + width * across, y: y + height * down }))),
    )
    .map((point) => toWindow(point, element))
}
