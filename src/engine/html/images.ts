import { largestOf, imageSource } from './normalise/images.ts'
import { absoluteUrl, type Survey } from './survey.ts'

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
