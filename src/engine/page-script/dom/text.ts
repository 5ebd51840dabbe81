import { isElement } from './kinds.ts'
import { childrenOf } from './tree.ts'

/** White space collapsed, and characters of no width removed. */
export function clean(text: string | null | undefined): string {
  return (text ?? '').replace(/[\s\u00a0\u200b-\u200d\ufeff]+/g, ' ').trim()
}

/** The text of an element as it is shown, of at most so many characters. */
export function textOf(element: Element, most: number): string {
  const texts: string[] = []
  let room = most
  collect(element)
  return clean(texts.join('')).slice(0, most)

  function collect(node: Node): void {
    for (const child of childrenOf(node)) {
      if (room <= 0) return
      if (child.nodeType === Node.TEXT_NODE) add(child.nodeValue ?? '')
      else if (isElement(child)) addElement(child)
    }
  }

  function add(text: string): void {
    texts.push(text)
    room -= clean(text).length
  }

  function addElement(child: Element): void {
    if (/^(?:script|style|template|noscript|select|textarea)$/.test(child.localName)) return
    if (child.getAttribute('aria-hidden') === 'true') return
    const { display, visibility } = getComputedStyle(child)
    if (display === 'none' || visibility === 'hidden') return
    const own = child.getAttribute('aria-label') ?? (child.localName === 'img' ? child.getAttribute('alt') : null)
    const isBlock = !display.startsWith('inline')
    if (isBlock) add(' ')
    if (own !== null) add(own)
    else if (child.localName === 'svg') add(child.querySelector(':scope > title')?.textContent ?? '')
    else collect(child)
    if (isBlock || display === 'inline-block') add(' ')
  }
}

/** The address of a link, without the origin where that is the page's. */
export function relativeUrl({ href, origin, pathname, search, hash }: HTMLAnchorElement): string {
  return origin === location.origin ? pathname + search + hash : href
}
