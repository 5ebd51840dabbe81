import { sanitiseLine } from '../../../util/sanitise-text.ts'
import { isElement } from './kinds.ts'
import { placeSight, type Sight, textSight } from './sight.ts'
import { childrenOf } from './tree.ts'

/** On one line, without characters that show nothing. */
export const clean = (text: string | null | undefined): string => sanitiseLine(text ?? '')

/** Most characters of a label that nobody sees. */
export const maxUnseen = 80

/** The text of an element that people see, of at most so many characters; `also` adds a little of what they do not. */
export function textOf(element: Element, most: number, also: readonly Sight[] = []): string {
  const texts: string[] = []
  let room = most
  let unseenRoom = maxUnseen
  collect(element)
  return clean(texts.join('')).slice(0, most)

  function collect(node: Element): void {
    for (const child of childrenOf(node)) {
      if (room <= 0) return
      if (isElement(child)) addElement(child)
      else if (child.nodeType === Node.TEXT_NODE) addTextNode(child.nodeValue ?? '', node)
    }
  }

  function addTextNode(text: string, parent: Element): void {
    if (text.trim() === '') add(text)
    else addText(text, textSight(parent))
  }

  function addText(text: string, sight: Sight): void {
    if (sight === 'seen') return add(text)
    if (!also.includes(sight)) return
    add(text.slice(0, unseenRoom))
    unseenRoom = Math.max(0, unseenRoom - text.length)
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
    const own = spokenText(child)
    const isBlock = !display.startsWith('inline')
    if (isBlock) add(' ')
    if (own !== null) addText(own.text, own.sight)
    else collect(child)
    if (isBlock || display === 'inline-block') add(' ')
  }

  /** What stands for an element whose content is not read. */
  function spokenText(child: Element): { text: string; sight: Sight } | null {
    const label = child.getAttribute('aria-label')
    const isPicture = child.getAttribute('role') === 'img'
    if (label !== null && (isPicture || also.length > 0))
      return { text: label, sight: isPicture ? pictureSight(child) : 'aside' }
    if (child.localName === 'img') return { text: child.getAttribute('alt') ?? '', sight: pictureSight(child) }
    if (child.localName !== 'svg') return null
    return { text: child.querySelector(':scope > title')?.textContent ?? '', sight: pictureSight(child) }
  }
}

/** Whether people see a picture; one of a single dot shows nothing. */
export function pictureSight(picture: Element): Sight {
  const { width, height } = picture.getBoundingClientRect()
  return width <= 1 || height <= 1 ? 'aside' : placeSight(picture)
}

/** Whether an origin is that of the page. A frame of another origin is not the page: what is relative to it, is not to the page. */
export const isPageOrigin = (origin: string): boolean => window === window.top && origin === location.origin

/** The address of a link, without the origin where that is the page's. */
export function relativeUrl({ href, origin, pathname, search, hash }: HTMLAnchorElement): string {
  return isPageOrigin(origin) ? pathname + search + hash : href
}
