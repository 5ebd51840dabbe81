import type { PagePart, PageParts, ReadRequest } from '../../../contracts/ports.ts'
import { type PageLimits, pageLimits } from '../dom/limits.ts'
import { baseOf, type Survey, surveyOf } from '../dom/survey.ts'
import { mediaOf } from '../media/media.ts'
import { cutToLimits } from '../parse/cut.ts'
import { type ParsedPage, parsePage } from '../parse/parse.ts'
import { productOf } from '../product/product.ts'
import { anchorsOf } from './anchors.ts'
import { attributesOf } from './attributes.ts'
import { contentOf } from './content.ts'
import { imagesOf, linksOf } from './images.ts'
import { metadataOf } from './metadata.ts'
import { needsBrowser } from './needs-browser.ts'

const cutWarning = 'The page is larger than what is read of a page: the end of it is left out.'

/**
 * Makes the wanted parts of an HTML page from one parse. Facts about the whole document are read first,
 * because the content is made by taking the tree apart. Fails with BAD_REQUEST for a selector that is not valid.
 */
export function readHtml(request: ReadRequest, limits: PageLimits = pageLimits): PageParts {
  const wanted = new Set<PagePart>(request.wanted)
  if (wanted.size === 0) return {}
  const { html, isWhole } = cutToLimits(request.html, limits)
  const page = parsePage(html)
  const survey = surveyOf(page)
  const base = baseOf(survey, request.url)
  const facts = factsOf(page, survey, base, request)
  return counted({
    ...facts,
    // Last, because the content is made by taking the page apart.
    ...(wantsMore(facts, wanted) && needsBrowser(page, survey) && { needsBrowser: true }),
    ...((['html', 'markdown', 'blocks'] as const).some((part) => wanted.has(part)) &&
      contentOf(page, survey, base, request)),
    ...(!isWhole && { warning: cutWarning }),
  })
}

/** What the metadata says of the content is known only when that is made. */
function counted(parts: PageParts): PageParts {
  const { metadata, markdown } = parts
  if (!metadata || markdown === undefined) return parts
  return { ...parts, metadata: { ...metadata, wordCount: wordCount(markdown) } }
}

function factsOf(page: ParsedPage, survey: Survey, base: string, { wanted, attributes, url }: ReadRequest): PageParts {
  const wants = (part: PagePart) => wanted.includes(part)
  return {
    ...(wants('metadata') && { metadata: metadataOf(page.document, survey, base) }),
    ...(wants('links') && { links: linksOf(survey, base) }),
    ...(wants('anchors') && { anchors: anchorsOf(survey, base) }),
    ...(wants('images') && { images: imagesOf(survey, base) }),
    ...(wants('attributes') && { attributes: attributesOf(page, attributes, base) }),
    ...(wants('media') && { media: mediaOf(survey, base) }),
    ...(wants('product') && { product: productOf(page, survey, base, url) }),
  }
}

/** Whether there may be more of what is wanted in the page as scripts make it. */
function wantsMore({ media, product }: PageParts, wanted: ReadonlySet<PagePart>): boolean {
  const lacks = product === null || (media !== undefined && Object.keys(media).length === 0)
  return lacks || (['html', 'markdown', 'anchors'] as const).some((part) => wanted.has(part))
}

/** A word of letters and digits; a sign of Chinese or Japanese counts as one. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’-][\p{L}\p{N}]+)*/gu
/** Addresses of links and pictures are no words. */
const address = /\]\([^)\s]*(?:\s"[^"\n]*")?\)/g

/** What is not written in Latin letters, or with punctuation and symbols of any script. */
const other = /[^\0-\u024F\u2000-\u206F\u20A0-\u20CF\u2190-\u23FF\u2500-\u26FF]/
/** 1 for each Latin letter and digit, by its code. */
const latin = Uint8Array.from({ length: 0x250 }, (_, code) => Number(/[\p{L}\p{N}]/u.test(String.fromCharCode(code))))
const isJoint = (code: number) => code === 0x27 || code === 0x2d || code === 0x2019

/** How many words a reader of this markdown reads. */
export function wordCount(markdown: string): number {
  const text = markdown.replace(address, ']')
  return other.test(text) ? countByPattern(text) : countLatin(text)
}

function countByPattern(text: string): number {
  let count = 0
  for (const _ of text.matchAll(word)) count++
  return count
}

/** The same count in a third of the time: most pages are long and Latin. */
function countLatin(text: string): number {
  let count = 0
  let isInWord = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (latin[code] === 1) {
      if (!isInWord) count++
      isInWord = true
    } else isInWord &&= isJoint(code) && latin[text.charCodeAt(at + 1)] === 1
  }
  return count
}
