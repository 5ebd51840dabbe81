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

/** Caches the URLs of one page, because its links, anchors and content contain the same ones, at a microsecond each. */
function rememberedAddress(href: string, base: string): string | undefined {
  if (known.base !== base || known.addresses.size >= maxAddresses) known = addressesFrom(base)
  const { site, addresses } = known
  if (site !== undefined && plainPath.test(href)) return site + href.slice(1)
  if (!addresses.has(href)) addresses.set(href, URL.parse(href, base)?.href)
  return addresses.get(href)
}
