/// <reference lib="dom" />
import type { PageTools } from './snapshot-tools.ts'

/** Runs in the page: brings an element into the middle of the window. */
export function scrollInto(tools: PageTools, ref: number): void {
  tools.elementOf(ref)?.scrollIntoView({ block: 'center', behavior: 'instant' })
}

/** Runs in the page: scrolls by so many screens what can be scrolled around an element; 0 is the page, or what fills its middle. */
export function scrollWithin(tools: PageTools, ref: number, screens: number): { moved: boolean; left: number } {
  const root = document.scrollingElement ?? document.documentElement
  const start = tools.elementOf(ref) ?? root
  const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
  for (const from of ref > 0 ? [start] : [root, middle]) {
    for (let at: Element | null = from; at; at = at.parentElement) {
      const before = at.scrollTop
      at.scrollBy({ top: Math.max(-1e7, Math.min(1e7, screens * at.clientHeight * 0.9)), behavior: 'instant' })
      if (at.scrollTop !== before) return { moved: true, left: leftOf(at) }
    }
  }
  return { moved: false, left: leftOf(root) }

  function leftOf({ scrollHeight, scrollTop, clientHeight }: Element): number {
    return Math.max(0, scrollHeight - scrollTop - clientHeight) / Math.max(1, clientHeight)
  }
}
