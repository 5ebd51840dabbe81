import { absoluteUrl } from '../dom/absolute-url.ts'
import { type Element, isElement } from '../dom/dom-tree.ts'
import { type ContentIndex, type ElementIndex, metaContents } from '../dom/element-index.ts'

const lazyAttributes = [
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-lazy',
  'data-hi-res-src',
  'data-actualsrc',
  'data-url',
]
/** Schemes to keep. Only relative paths in an uploaded file have no scheme at this point. */
const shownScheme = /^(?:https?|data):|^(?![a-z][a-z\d+.-]*:)/i
/** Maximum number of characters of a srcset. */
const maxSetLength = 20_000
const placeholder = /^data:|placeholder|blank|spacer|loading|1x1|transparent/i

/**
 * Gives every image its real absolute URL, despite lazy loading and multiple sizes; removes tracking pixels and images
 * without a URL.
 */
export function normaliseImages(content: ContentIndex): void {
  for (const image of content.named('img')) {
    const source = imageSource(image)
    const address = source && (source.startsWith('data:') ? source : absoluteUrl(source, content.base))
    if (!address || !shownScheme.test(address) || isPixel(image)) {
      image.remove()
      continue
    }
    image.setAttribute('src', address)
    for (const name of ['srcset', 'sizes', 'loading', ...lazyAttributes, 'data-srcset', 'data-lazy-srcset'])
      image.removeAttribute(name)
  }
  for (const source of content.named('source')) source.remove()
}

/** True for tracking pixels. */
function isPixel(image: Element): boolean {
  return image.getAttribute('width') === '1' && image.getAttribute('height') === '1'
}

/**
 * Returns the URL of the image as written: never the lazy-loading placeholder, and the largest candidate if there is no
 * src.
 */
function imageSource(image: Element): string | undefined {
  const source = image.getAttribute('src')?.trim() ?? ''
  const isStandIn = source === '' || placeholder.test(source)
  const lazy = isStandIn ? lazySource(image) : undefined
  if (lazy) return lazy
  if (source !== '' && !source.startsWith('data:')) return source
  const set = sourceSet(image)
  return (set && largestOf(set)) || source || undefined
}

function lazySource(image: Element): string | undefined {
  for (const name of lazyAttributes) {
    const value = image.getAttribute(name)?.trim()
    if (value && !value.startsWith('data:') && !/^[[{]/.test(value)) return value
  }
  return undefined
}

function sourceSet(image: Element): string | null | undefined {
  const own =
    image.getAttribute('srcset') ?? image.getAttribute('data-srcset') ?? image.getAttribute('data-lazy-srcset')
  if (own) return own
  const picture = image.parentNode
  if (!isElement(picture) || picture.localName !== 'picture') return undefined
  const source = picture.children.find((child) => child.localName === 'source')
  return source?.getAttribute('srcset') ?? source?.getAttribute('data-srcset')
}

/** Returns the candidate of a srcset with the greatest width or density. */
function largestOf(set: string): string | undefined {
  let best: { address: string; size: number } | undefined
  for (const [address, descriptor] of candidates(set)) {
    const size = Number.parseFloat(descriptor ?? '') * (descriptor?.endsWith('x') ? 1000 : 1) || 1
    if (!best || size > best.size) best = { address, size }
  }
  return best?.address
}

/** A comma ends a candidate only before white space or after a descriptor, because URLs may contain commas. */
function candidates(set: string): [string, string | undefined][] {
  return set
    .slice(0, maxSetLength)
    .split(/,\s+|(?<=\s[\d.]+[wx])\s*,/)
    .map((candidate) => candidate.trim().split(/\s+/))
    .flatMap(([address, descriptor]) => (address ? [[withoutCommas(address), descriptor]] : []))
}

function withoutCommas(address: string): string {
  let end = address.length
  while (address[end - 1] === ',') end--
  return address.slice(0, end)
}

/**
 * Returns the distinct absolute image URLs of a whole document in document order, followed by the page's preview image.
 */
export function imagesOf(elements: ElementIndex, base: string): string[] {
  const urls = new Set<string>()
  const add = (source: string | null | undefined) => {
    const address = source && !source.startsWith('data:') && absoluteUrl(source, base)
    if (address && /^https?:/.test(address)) urls.add(address)
  }
  for (const element of elements.named('img', 'source')) {
    if (element.localName === 'img') add(imageSource(element))
    else if (element.parentNode?.localName === 'picture') add(largestOf(element.getAttribute('srcset') ?? ''))
  }
  for (const source of metaContents(elements, /^(?:og:image(?::url|:secure_url)?|twitter:image(?::src)?)$/)) add(source)
  return [...urls]
}
