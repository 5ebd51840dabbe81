import type { Element } from '../dom/dom.ts'
import { absoluteUrl, type Survey } from '../dom/survey.ts'
import { imageSource, largestOf } from '../normalise/images.ts'

/** The images of a whole document: absolute addresses, each once, in document order, the preview image of the page last. */
export function imagesOf(survey: Survey, base: string): string[] {
  const found = new Set<string>()
  const add = (source: string | null | undefined) => {
    const address = source && !source.startsWith('data:') && absoluteUrl(source, base)
    if (address && /^https?:/.test(address)) found.add(address)
  }
  for (const element of survey.named('img', 'source')) {
    if (element.localName === 'img') add(imageSource(element))
    else if (isOfPicture(element.parentNode?.localName)) add(largestOf(element.getAttribute('srcset') ?? ''))
  }
  for (const meta of survey.named('meta'))
    if (/^(?:og:image(?::url|:secure_url)?|twitter:image(?::src)?)$/.test(nameOf(meta)))
      add(meta.getAttribute('content'))
  return [...found]
}

function isOfPicture(parent: string | undefined): boolean {
  return parent === 'picture'
}

function nameOf(meta: { getAttribute(name: string): string | null }): string {
  return (meta.getAttribute('property') ?? meta.getAttribute('name') ?? '').toLowerCase()
}

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
