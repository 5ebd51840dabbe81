import type { ElementIndex } from './element-index.ts'

/** Base URL of the page: the `href` of its base element if that is a web address, otherwise the page's own URL. */
export function baseOf(elements: ElementIndex, url: string): string {
  const href = elements
    .named('base')
    .find((base) => base.hasAttribute('href'))
    ?.getAttribute('href')
  const base = href && absoluteUrl(href, url)
  return base && /^https?:/i.test(base) ? base : url
}

/**
 * Resolves a URL; returns undefined if it is invalid. Relative paths in an uploaded file (base `file:`) cannot be
 * resolved and are returned unchanged.
 */
export function absoluteUrl(href: string, base: string): string | undefined {
  const trimmed = href.trim()
  if (base.startsWith('file:') && !URL.canParse(trimmed))
    return trimmed.startsWith('//') ? absoluteUrl(trimmed, 'https://localhost') : trimmed
  return rememberedAddress(trimmed, base)
}

const maxAddresses = 5000

/** Paths without dot segments, escapes or empty segments, which need no parsing. */
const plainPath = /^(?:\/[\w-][\w.-]*)+\/?$/

let known = addressesFrom('')

function addressesFrom(base: string) {
  const site = /^https?:/i.test(base) ? URL.parse('/', base)?.href : undefined
  return { base, site, addresses: new Map<string, string | undefined>() }
}

/** Caches per page, because links, anchors and content resolve the same URLs at a microsecond each. */
function rememberedAddress(href: string, base: string): string | undefined {
  if (known.base !== base || known.addresses.size >= maxAddresses) known = addressesFrom(base)
  const { site, addresses } = known
  if (site !== undefined && plainPath.test(href)) return site + href.slice(1)
  if (!addresses.has(href)) addresses.set(href, URL.parse(href, base)?.href)
  return addresses.get(href)
}
