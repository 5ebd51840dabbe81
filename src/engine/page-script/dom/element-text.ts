import { sanitiseLine } from '../../../util/sanitise-text.ts'
import { isElement, childrenOf } from './tree.ts'
import { placeSight, type Sight, textSight } from './sight.ts'

const silent = /^(?:script|style|template|noscript)$/

function hiddenIn(root: Element): number[] {
  const all = [root, ...root.querySelectorAll('*')]
  return all.flatMap((each, at) => (isUnseen(each) ? at : []))
}

const isUnseen = (element: Element) =>
  element.localName === 'img' ? placeSight(element) !== 'seen' : hasText(element) && textSight(element) !== 'seen'

const hasText = (element: Element) =>
  !silent.test(element.localName) &&
  Array.from(element.childNodes).some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())

export function shownText(element: Element): string {
  const { innerText }: Partial<HTMLElement> = element
  if (hiddenIn(element).length === 0) return (innerText ?? element.textContent ?? '').trim()
  const texts: string[] = []
  collect(element)
  return texts
    .join('')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

  function collect(node: Element): void {
    const { display, whiteSpaceCollapse } = getComputedStyle(node)
    if (silent.test(node.localName) || display === 'none') return
    const edge = node.localName === 'br' || !display.startsWith('inline') ? '\n' : ''
    const isPreserved = whiteSpaceCollapse.startsWith('preserve')
    texts.push(edge)
    for (const child of childrenOf(node)) {
      if (isElement(child)) collect(child)
      else if (child.nodeType === Node.TEXT_NODE && textSight(node) === 'seen') {
        const text = child.nodeValue ?? ''
        texts.push(isPreserved ? text : text.replace(/\s+/g, ' '))
      }
    }
    texts.push(edge)
  }
}

export function shownHtml(element: Element): string {
  const hidden = hiddenIn(element)
  if (hidden.length === 0) return element.outerHTML
  // A document without a window loads nothing, and scripts of the page do not notice it.
  const copy = document.implementation.createHTMLDocument('').importNode(element, true)
  const all = [copy, ...copy.querySelectorAll('*')]
  for (const at of hidden) {
    if (all[at]?.localName === 'img') all[at].remove()
    for (const node of Array.from(all[at]?.childNodes ?? [])) if (node.nodeType === Node.TEXT_NODE) node.remove()
  }
  return copy.outerHTML
}

/** Normalises text to one line without invisible characters. */
export const clean = (text: string | null | undefined): string => sanitiseLine(text ?? '')

export const maxUnseen = 80

/** Returns up to `max` characters of an element's visible text; `also` adds a little invisible or unspoken text. */
export function textOf(element: Element, max: number, also: readonly (Sight | 'unspoken')[] = []): string {
  const texts: string[] = []
  let room = max
  let unseenRoom = maxUnseen
  collect(element)
  return clean(texts.join('')).slice(0, max)

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
    if (child.getAttribute('aria-hidden') === 'true' && !also.includes('unspoken')) return
    const { display, visibility } = getComputedStyle(child)
    if (display === 'none' || visibility === 'hidden') return
    const own = spokenText(child)
    const isBlock = child.localName === 'br' || !display.startsWith('inline')
    if (isBlock) add(' ')
    if (own !== null) addText(own.text, own.sight)
    else collect(child)
    if (isBlock || display === 'inline-block') add(' ')
  }

  /** Returns the text that represents an element whose content is not read. */
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

/** Returns the visibility of a picture; a single pixel shows nothing. */
export function pictureSight(picture: Element): Sight {
  const { width, height } = picture.getBoundingClientRect()
  return width <= 1 || height <= 1 ? 'aside' : placeSight(picture)
}

/** True for the origin of the page. Always false in a foreign frame: URLs are shortened only relative to the page. */
export const isPageOrigin = (origin: string): boolean => window === window.top && origin === location.origin
