import type { ElementIndex } from './element-index.ts'

/** The address that relative links of the page start from: its own, unless a base element says another. */
export function baseOf(elements: ElementIndex, url: string): string {
  const href = elements
    .named('base')
    .find((base) => base.hasAttribute('href'))
    ?.getAttribute('href')
  const base = href && absoluteUrl(href, url)
  return base && /^https?:/i.test(base) ? base : url
}

/**
 * Undefined when the text is no URL even with a base. What a file that was sent here points to beside itself is nowhere,
 * so that it stays as it is written.
 */
export function absoluteUrl(href: string, base: string): string | undefined {
  const trimmed = href.trim()
  if (base.startsWith('file:') && !URL.canParse(trimmed))
    return trimmed.startsWith('//') ? absoluteUrl(trimmed, 'https://localhost') : trimmed
  return rememberedAddress(trimmed, base)
}

const maxAddresses = 5000

/** Paths that mean the same as they are written, without dots, escapes or empty parts. */
const plainPath = /^(?:\/[\w-][\w.-]*)+\/?$/

let known = addressesFrom('')

function addressesFrom(base: string) {
  const site = /^https?:/i.test(base) ? URL.parse('/', base)?.href : undefined
  return { base, site, addresses: new Map<string, string | undefined>() }
}

/** Links, anchors and content of one page ask for the same addresses, and making one costs a microsecond. */
function rememberedAddress(href: string, base: string): string | undefined {
  if (known.base !== base || known.addresses.size >= maxAddresses) known = addressesFrom(base)
  const { site, addresses } = known
  if (site !== undefined && plainPath.test(href)) return site + href.slice(1)
  if (!addresses.has(href)) addresses.set(href, URL.parse(href, base)?.href)
  return addresses.get(href)
}
