import { hasOwnQueries, withEncodedQuery } from '../../net/http/canonical-url.ts'
import { leadsOn, readRefresh } from '../../net/http/answer-head.ts'
import { type DomNode, type Element, isElement, isText, nodeAfter, oneLine } from '../dom/dom-tree.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import { absoluteUrl } from '../dom/absolute-url.ts'

const maxText = 200
const unread = new Set(['script', 'style', 'template', 'noscript', 'svg', 'math', 'select', 'textarea', 'object'])
const inline = new Set(
  'a abbr b bdi bdo big cite code del em font i ins kbd mark q s small span strong sub sup u'.split(' '),
)
const heading = /^h[1-6]$/

/**
 * Returns the links of a whole document by the rules of `linksOf`, each with its heading, or else its text, title,
 * label or alt text, in this order; at most 200 characters, empty if no link to the URL has any.
 */
export function anchorsOf(elements: ElementIndex, base: string): { url: string; text: string }[] {
  const texts = new Map<string, string>()
  for (const link of elements.named('a', 'area')) {
    const url = linkAddress(link, base)
    if (url !== undefined && !texts.get(url)) texts.set(url, anchorTextOf(link))
  }
  return Array.from(texts, ([url, text]) => ({ url, text }))
}

function anchorTextOf(link: Element): string {
  const candidates = [
    () => textOf(firstInside(link, ({ localName }) => heading.test(localName))),
    () => textOf(link),
    () => link.getAttribute('title'),
    () => link.getAttribute('aria-label'),
    () => link.getAttribute('alt'),
    () => firstInside(link, ({ localName }) => localName === 'img')?.getAttribute('alt'),
  ]
  for (const candidate of candidates) {
    const words = shortened(oneLine(sanitiseText(candidate() ?? '')))
    if (words !== '') return words
  }
  return ''
}

/** Returns the text of an element with a space at each block boundary, cut off once there is enough. */
function textOf(root: Element | undefined): string {
  let text = ''
  if (!root) return text
  for (let at: DomNode | null = root.firstChild; at && text.length < 4 * maxText;) {
    const entered: Element | undefined = isElement(at) && isRead(at) ? at : undefined
    if (isText(at)) text += at.textContent.slice(0, 4 * maxText)
    else if (isElement(at) && !inline.has(at.localName)) text += ' '
    at = entered?.firstChild ?? after(at, root, () => (text += ' '))
  }
  return text
}

/** Like `nodeAfter`, but reports the end of each block. */
function after(node: DomNode, root: Element, endBox: () => void): DomNode | null {
  const { parentNode } = node
  if (!node.nextSibling && parentNode && parentNode !== root && !inline.has(parentNode.localName)) endBox()
  return nodeAfter(node, root)
}

function firstInside(root: Element, passes: (element: Element) => boolean): Element | undefined {
  for (let at: DomNode | null = root.firstChild; at; at = (isElement(at) && at.firstChild) || nodeAfter(at, root))
    if (isElement(at) && passes(at)) return at
  return undefined
}

const isRead = (element: Element) =>
  !unread.has(element.localName) && !element.hasAttribute('hidden') && element.getAttribute('aria-hidden') !== 'true'

/** Cuts between code points, never within one. */
function shortened(text: string): string {
  if (text.length <= maxText) return text
  const characters = Array.from(text.slice(0, 2 * maxText))
  return `${characters
    .slice(0, maxText - 1)
    .join('')
    .trimEnd()}…`
}

/**
 * Returns the distinct http and https links of a whole document, absolute, in document order. Fragments are dropped,
 * except those that address a page of a single-page site (`#/…`, `#!/…`); links into the page itself are omitted.
 */
export function linksOf(elements: ElementIndex, base: string): string[] {
  const urls = new Set<string>()
  for (const link of elements.named('a', 'area')) {
    const address = linkAddress(link, base)
    if (address !== undefined) urls.add(address)
  }
  return [...urls]
}

/** Returns pages named by the head: the adjacent ones, the canonical one, and targets of refreshes with any delay. */
export function leadsOf(elements: ElementIndex, base: string): string[] {
  const named = elements
    .named('link')
    .filter((link) => leadsOn(link.getAttribute('rel') ?? ''))
    .map((link) => linkAddress(link, base))
  const refreshed = elements
    .named('meta')
    .filter((meta) => meta.getAttribute('http-equiv')?.trim().toLowerCase() === 'refresh')
    .map((meta) => readRefresh(meta.getAttribute('content') ?? undefined, base)?.url.href)
    .filter((url) => url !== undefined && /^https?:/.test(url))
  return [...new Set([...named, ...refreshed].filter((url) => url !== undefined))]
}

/** Encodes the queries of links as browsers do, in the charset of the page. */
export function encodeQueries(elements: ElementIndex, charset = 'utf-8'): void {
  if (!hasOwnQueries(charset)) return
  for (const link of elements.named('a', 'area', 'link')) {
    const href = link.getAttribute('href')
    if (href) link.setAttribute('href', withEncodedQuery(href, charset))
  }
}

/** Returns the URL of a link; undefined if it is not http or https, or points into the page itself. */
function linkAddress(link: Element, base: string): string | undefined {
  const href = link.getAttribute('href')?.trim()
  const address = href && !/^#(?!!?\/)/.test(href) && absoluteUrl(href, base)
  return address && /^https?:/.test(address) ? withoutFragment(address) : undefined
}

function withoutFragment(address: string): string {
  const at = address.indexOf('#')
  return at < 0 || /^#!?\//.test(address.slice(at)) ? address : address.slice(0, at)
}
