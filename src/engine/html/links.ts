import type { Element } from './dom.ts'
import { absoluteUrl, type Survey } from './survey.ts'

/**
 * The http and https links of a whole document, absolute, each once, in document order. Fragments are dropped,
 * except those that address a page of a single-page site (`#/…`, `#!/…`); links into the page itself are left out.
 */
export function linksOf(survey: Survey, base: string): string[] {
  const found = new Set<string>()
  for (const link of survey.named('a', 'area')) {
    const address = linkAddress(link, base)
    if (address !== undefined) found.add(address)
  }
  return [...found]
}

/** Where a link leads; undefined where that is no page of the web, or the page itself. */
export function linkAddress(link: Element, base: string): string | undefined {
  const href = link.getAttribute('href')?.trim()
  const address = href && !/^#(?!!?\/)/.test(href) && absoluteUrl(href, base)
  return address && /^https?:/.test(address) ? withoutFragment(address) : undefined
}

function withoutFragment(address: string): string {
  const at = address.indexOf('#')
  return at < 0 || /^#!?\//.test(address.slice(at)) ? address : address.slice(0, at)
}
