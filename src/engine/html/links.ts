import { absoluteUrl, type Survey } from './survey.ts'

/**
 * The http and https links of a whole document, absolute, each once, in document order. Fragments are dropped,
 * except those that address a page of a single-page site (`#/…`, `#!/…`); links into the page itself are left out.
 */
export function linksOf(survey: Survey, base: string): string[] {
  const found = new Set<string>()
  for (const link of survey.named('a', 'area')) {
    const href = link.getAttribute('href')?.trim()
    const address = href && !/^#(?!!?\/)/.test(href) && absoluteUrl(href, base)
    if (address && /^https?:/.test(address)) found.add(withoutFragment(address))
  }
  return [...found]
}

function withoutFragment(address: string): string {
  const at = address.indexOf('#')
  return at < 0 || /^#!?\//.test(address.slice(at)) ? address : address.slice(0, at)
}
