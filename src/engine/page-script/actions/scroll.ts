import { isDocument } from '../dom/kinds.ts'
import { elementOf } from '../dom/refs.ts'
import { clean } from '../dom/text.ts'
import { frameDocument } from '../dom/tree.ts'
import { isShown } from '../dom/visibility.ts'

/** Scrolls an element into the middle of the window. */
export function scrollIntoView(ref: number): void {
  elementOf(ref)?.scrollIntoView({ block: 'center', behavior: 'instant' })
}

/**
 * Scrolls the nearest scrollable element around an element by so many screens; 0 is the page, or what fills its middle.
 * `left` is how many screens are left below.
 */
export function scrollAround(ref: number, screens: number): { moved: boolean; left: number } {
  const root = document.scrollingElement ?? document.documentElement
  const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
  for (const start of ref > 0 ? [elementOf(ref) ?? root] : [root, middle]) {
    for (let at = start; at; at = at.parentElement) {
      const before = at.scrollTop
      at.scrollBy({ top: Math.max(-1e7, Math.min(1e7, screens * at.clientHeight * 0.9)), behavior: 'instant' })
      if (at.scrollTop !== before) return { moved: true, left: screensBelow(at) }
    }
  }
  return { moved: false, left: screensBelow(root) }
}

function screensBelow({ scrollHeight, scrollTop, clientHeight }: Element): number {
  return Math.max(0, scrollHeight - scrollTop - clientHeight) / Math.max(1, clientHeight)
}

/** Whether a text, or the element of a ref, is shown. */
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
    const inner = each.shadowRoot ?? frameDocument(each)
    return inner !== null && hasText(inner, sought)
  })
}
