import { isDocument, frameDocument, shadowOf, elementOf } from '../dom/tree.ts'
import { toWindow } from '../dom/hit-test.ts'
import { clean } from '../dom/element-text.ts'
import { isShown } from '../dom/sight.ts'

/** Scrolls an element into the middle of the window. */
export function scrollIntoView(ref: number): void {
  elementOf(ref)?.scrollIntoView({ block: 'center', behavior: 'instant' })
}

/** Returns the box of an element in page coordinates; undefined if it is not shown. */
export function boxOf(ref: number): { x: number; y: number; width: number; height: number } | undefined {
  const element = elementOf(ref)
  if (!element || !isShown(element)) return undefined
  const { x, y, width, height } = element.getBoundingClientRect()
  const place = toWindow({ x, y }, element)
  return { x: place.x + scrollX, y: place.y + scrollY, width: Math.max(1, width), height: Math.max(1, height) }
}

/** Returns a position in the window near the start of an element; undefined if it is not in view. */
export function placeOf(ref: number): { x: number; y: number } | undefined {
  const box = boxOf(ref)
  if (!box) return undefined
  const [x, y] = [box.x - scrollX + Math.min(box.width / 2, 120), box.y - scrollY + box.height / 2]
  return x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight ? { x, y } : undefined
}

/**
 * Scrolls the nearest scrollable element around an element by this many screens; ref 0 means the page, or the element
 * that fills its middle. `left` is the number of screens left below.
 */
export function scrollAround(ref: number, screens: number): { moved: boolean; left: number } {
  scrolled = boxesAround(ref).find((box) => {
    const before = box.scrollTop
    box.scrollBy({ top: Math.max(-1e7, Math.min(1e7, screens * box.clientHeight * 0.9)), behavior: 'instant' })
    return box.scrollTop !== before
  })
  return { moved: scrolled !== undefined, left: screensLeft(ref) }
}

/** Element moved by the last call. */
let scrolled: Element | undefined

/**
 * Returns the number of screens left below in the element scrolled last, or in the one that would be scrolled: it may
 * have grown since.
 */
export function screensLeft(ref: number): number {
  if (scrolled?.isConnected) return screensBelow(scrolled)
  return Math.max(0, ...boxesAround(ref).filter(isScrollable).map(screensBelow))
}

/** Returns the element of a ref and its ancestors; for 0 the page, then the element that fills its middle. */
function boxesAround(ref: number): Element[] {
  const root = document.scrollingElement ?? document.documentElement
  const element = ref > 0 ? elementOf(ref) : undefined
  if (element) return ancestorsFrom(element)
  return [root, ...ancestorsFrom(document.elementFromPoint(innerWidth / 2, innerHeight / 2))]
}

function ancestorsFrom(element: Element | null): Element[] {
  return element ? [element, ...ancestorsFrom(element.parentElement)] : []
}

/** Clipped content that cannot be scrolled does not count as left below. */
function isScrollable(box: Element): boolean {
  if (box === document.scrollingElement) return true
  return /auto|scroll|overlay/.test(getComputedStyle(box).overflowY)
}

function screensBelow({ scrollHeight, scrollTop, clientHeight }: Element): number {
  return Math.max(0, scrollHeight - scrollTop - clientHeight) / Math.max(1, clientHeight)
}

/** True if a text, or the element of a ref, is shown. */
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
