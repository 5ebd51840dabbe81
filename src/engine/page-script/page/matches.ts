import { elementAt, isHitBy, nextFrame, type Point, pointsOf } from '../dom/hit-test.ts'
import { innerDocument, shadowOf } from '../dom/tree.ts'
import { isShown } from '../dom/sight.ts'

/** Position to click an element at, or why it cannot be clicked. */
export type ClickPoint = Point | 'covered' | 'hidden' | 'gone'

let matches: Element[] = []

/**
 * Finds the visible elements that match a selector and returns their number, or why there are none. Searches shadow
 * roots and same-origin frames if the document itself has no match. Throws for an invalid selector.
 */
export function matchElements(selector: string, which: 'first' | 'all'): number | 'hidden' | 'none' {
  const own = Array.from(document.querySelectorAll(selector))
  const found = own.length > 0 ? own : innerMatches(document, selector)
  const shown = found.filter((element) => isShown(element))
  matches = which === 'first' ? shown.slice(0, 1) : shown
  if (found.length === 0) return 'none'
  return matches.length > 0 ? matches.length : 'hidden'
}

/** Returns matches in document order. */
function innerMatches(root: ParentNode, selector: string): Element[] {
  return Array.from(root.querySelectorAll('*')).flatMap((element) => {
    const inner = shadowOf(element) ?? innerDocument(element)
    const self = root !== document && element.matches(selector) ? [element] : []
    return inner ? [...self, ...innerMatches(inner, selector)] : self
  })
}

/** Scrolls a match into view and finds an uncovered point of it. */
export async function findMatchPoint(index: number): Promise<ClickPoint> {
  const element = matches[index]
  if (!element?.isConnected) return 'gone'
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  await nextFrame(100)
  const points = pointsOf(element)
  return points.find((point) => isHitBy(element, elementAt(point))) ?? (points.length > 0 ? 'covered' : 'hidden')
}

/** True if a click on a match would submit a form by POST. */
export function matchSubmitsPost(): boolean {
  return matches.some((element) => element.closest('button,input')?.closest('form')?.method === 'post')
}

/** Clicks a match by script, regardless of covering elements. */
export function clickMatch(index: number): void {
  const element = matches[index]
  // Elements of a frame have their own classes, so instanceof would fail.
  if (element && 'click' in element) (element as HTMLElement).click()
  else element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }))
}

/** Scrolls the page, or the scrollable element in its middle, by one window. */
export function scrollPage(direction: 'up' | 'down'): void {
  const sign = direction === 'up' ? -1 : 1
  const before = window.scrollY
  scrollBy({ top: sign * innerHeight, behavior: 'instant' })
  let inner = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
  while (inner && window.scrollY === before) {
    const { scrollTop } = inner
    const isScrollable = /auto|scroll/.test(getComputedStyle(inner).overflowY)
    if (isScrollable) inner.scrollBy({ top: sign * inner.clientHeight, behavior: 'instant' })
    if (inner.scrollTop !== scrollTop) return
    inner = inner.parentElement
  }
}

/** Scrolls inside the first match if it is scrollable; otherwise scrolls it into view. */
export function scrollMatch(direction: 'up' | 'down'): void {
  const [element] = matches
  if (!element) return
  const before = element.scrollTop
  element.scrollBy({ top: (direction === 'up' ? -1 : 1) * element.clientHeight, behavior: 'instant' })
  if (element.scrollTop === before) element.scrollIntoView({ block: 'center', behavior: 'instant' })
}
