import {
  elementOf,
  everyElement,
  frameDocument,
  isDocument,
  isElement,
  mapImage,
  parentOf,
  shadowOf,
} from '../dom/tree.ts'
import { boundsOf, elementAt, type Point, toWindow } from '../dom/hit-test.ts'
import { clean } from '../dom/element-text.ts'
import { isShown } from '../dom/sight.ts'

export function scrollIntoView(ref: number): void {
  const element = elementOf(ref)
  const box = element && (mapImage(element) ?? element)
  box?.scrollIntoView({ block: 'center', behavior: 'instant' })
}

/** Returns the box of an element in page coordinates; undefined if it is not shown. */
export function boxOf(ref: number): { x: number; y: number; width: number; height: number } | undefined {
  const element = elementOf(ref)
  if (!element || !isShown(element)) return undefined
  const { x, y, width, height } = boundsOf(element)
  const place = toWindow({ x, y }, element)
  return { x: place.x + scrollX, y: place.y + scrollY, width: Math.max(1, width), height: Math.max(1, height) }
}

/** Returns the window position of a point of the page, after scrolling it into view. */
export function windowPoint({ x, y }: Point): Point {
  const isIn = x >= scrollX && y >= scrollY && x < scrollX + innerWidth && y < scrollY + innerHeight
  if (!isIn) scrollTo({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' })
  return { x: x - scrollX, y: y - scrollY }
}

/** Returns the window position of a point of an element, after scrolling it into view; undefined if it is not shown. */
export function pointInside(ref: number, offset: Point): Point | undefined {
  const box = boxOf(ref)
  return box && windowPoint({ x: box.x + offset.x, y: box.y + offset.y })
}

/** Returns a position in the window near the start of an element; undefined if it is not in view. */
export function placeOf(ref: number): { x: number; y: number } | undefined {
  const box = boxOf(ref)
  if (!box) return undefined
  const [x, y] = [box.x - scrollX + Math.min(box.width / 2, 120), box.y - scrollY + box.height / 2]
  return x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight ? { x, y } : undefined
}

type Purpose = 'read' | 'search' | 'inside'

/**
 * Scrolls the nearest scrollable element by this many screens; ref 0 is the page, which `inside` never scrolls. `left`
 * is the rest below, in screens.
 */
export function scrollAround(ref: number, screens: number, why: Purpose = 'read'): { moved: boolean; left: number } {
  const boxes = boxesAround(ref, why)
  const own = boxes.filter(canScroll).slice(0, 1).filter(isNotPage)
  const moved = (why === 'inside' ? own : boxes).find((box) => scrollBox(box, screens))
  if (moved || !isGone(ref)) scrolled = moved
  return { moved: moved !== undefined, left: screensLeft(ref) }
}

const isNotPage = (box: Element) => box !== box.ownerDocument.scrollingElement

function scrollBox(box: Element, screens: number): boolean {
  const before = box.scrollTop
  box.scrollBy({ top: Math.max(-1e7, Math.min(1e7, screens * box.clientHeight)), behavior: 'instant' })
  return box.scrollTop !== before
}

/** Scrolls the content of an element; scrolls the element itself into view if its content does not move. */
export function scrollInside(ref: number, screens: number): void {
  const element = elementOf(ref)
  if (element && !scrollBox(element, screens)) scrollIntoView(ref)
}

let scrolled: Element | undefined

/** True for a removed element, such as a row that a virtual list dropped; the list itself is then scrolled on. */
const isGone = (ref: number) => ref > 0 && elementOf(ref) === undefined

/** Returns the screens left below in the element scrolled last, which may have grown since. */
export function screensLeft(ref: number): number {
  if (scrolled?.isConnected) return screensBelow(scrolled)
  return Math.max(0, ...boxesAround(ref).filter(isScrollable).map(screensBelow))
}

/**
 * Returns the element of a ref and its ancestors; for 0 the page, then the elements in its middle. If none of those can
 * be scrolled, adds the largest pane that can.
 */
function boxesAround(ref: number, why: Purpose = 'read'): Element[] {
  const root = document.scrollingElement ?? document.documentElement
  const element = isGone(ref) ? scrolled : elementOf(ref)
  if (element?.isConnected) return ancestorsFrom(element)
  const inMiddle = [root, ...ancestorsFrom(elementAt({ x: innerWidth / 2, y: innerHeight / 2 }))]
  return inMiddle.some(canScroll) ? inMiddle : [...inMiddle, ...largestPane(why)]
}

/** Panes less than half as high as the window, such as small lists, are scrolled only to search in them. */
function largestPane(why: Purpose): Element[] {
  const panes = everyElement(document, '*', maxElements).filter(
    (each) => (why === 'search' || each.clientHeight >= innerHeight / 2) && canScroll(each),
  )
  return panes.toSorted((one, other) => areaOf(other) - areaOf(one)).slice(0, 1)
}

const maxElements = 5000
const areaOf = ({ clientWidth, clientHeight }: Element) => clientWidth * clientHeight
const canScroll = (box: Element) => box.scrollHeight > box.clientHeight && isScrollable(box) && isShown(box)

function ancestorsFrom(element: Element | null): Element[] {
  const chain: Element[] = []
  for (let at: Node | null = element; at; at = parentOf(at)) if (isElement(at)) chain.push(at)
  return chain
}

/** Clipped content that cannot be scrolled does not count as left below. */
function isScrollable(box: Element): boolean {
  if (box === box.ownerDocument.scrollingElement) return true
  return /auto|scroll|overlay/.test(getComputedStyle(box).overflowY)
}

function screensBelow({ scrollHeight, scrollTop, clientHeight }: Element): number {
  return Math.max(0, scrollHeight - scrollTop - clientHeight) / Math.max(1, clientHeight)
}

export function isTextShown(text: string): boolean {
  if (/^e\d+$/.test(text)) {
    const element = elementOf(Number(text.slice(1)))
    return element !== undefined && isShown(element)
  }
  return hasText(document, clean(text).toLowerCase())
}

function hasText(root: Document | ShadowRoot, sought: string): boolean {
  const whole = isDocument(root) ? root.body?.innerText : root.textContent
  if (clean(whole).toLowerCase().includes(sought)) return true
  return Array.from(root.querySelectorAll('*')).some((each) => {
    const inner = shadowOf(each) ?? frameDocument(each)
    return inner !== null && hasText(inner, sought)
  })
}
