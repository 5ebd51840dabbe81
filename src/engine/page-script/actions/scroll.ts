import type { PageTools } from '../snapshot/tools.ts'

/// <reference lib="dom" />

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

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: whether a text, or the element of a ref, can be seen. */
export function says(tools: PageTools, text: string): boolean {
  if (/^e\d+$/.test(text)) {
    const element = tools.elementOf(Number(text.slice(1)))
    return element !== undefined && tools.isShown(element)
  }
  const sought = tools.clean(text).toLowerCase()
  return saysIn(document)

  function saysIn(root: Document | ShadowRoot): boolean {
    const body = (root as Document).body ?? (root as ShadowRoot)
    const whole = (body as HTMLElement).innerText ?? body.textContent ?? ''
    if (tools.clean(whole).toLowerCase().includes(sought)) return true
    return Array.from(root.querySelectorAll('*')).some((each) => {
      const inner =
        each.shadowRoot ?? (/^i?frame$/.test(each.localName) ? (each as HTMLIFrameElement).contentDocument : null)
      return inner !== null && saysIn(inner)
    })
  }
}
