import { dropConsentBanners } from '../consent/drop-consent.ts'
import { baseOf } from '../dom/absolute-url.ts'
import type { Element } from '../dom/dom.ts'
import { type ElementIndex, indexElements } from '../dom/element-index.ts'
import { sanitiseText } from '../dom/sanitise-text.ts'
import { expandHiddenContent } from '../hidden/expand-hidden.ts'
import { dropHidden, dropUnreadable } from '../hidden/hidden.ts'
import { mainContent } from '../main-content/main-content.ts'
import { measure } from '../main-content/measure.ts'
import { kindOf } from '../main-content/page-kind.ts'
import { blockFingerprints, dropRepeatedBlocks } from '../main-content/repeated-blocks.ts'
import { writeMarkdown } from '../markdown/write.ts'
import { mediaOf } from '../media/media.ts'
import { imagesOf } from '../normalise/images.ts'
import { absolutise, dropHandlers, normalise } from '../normalise/normalise.ts'
import { type ParsedPage, parsePage } from '../parse/parse.ts'
import { cutToLimits, type PageLimits, pageLimits } from '../parse/source-limits.ts'
import { addProductFacts, productFacts } from '../product/product-facts.ts'
import { productOf } from '../product/product.ts'
import { anchorsOf, linksOf } from './links.ts'
import { metadataOf } from './metadata.ts'
import { needsBrowser } from './needs-browser.ts'
import { applyTags, attributesOf } from './selectors.ts'
import { unfilledParts } from './unfilled/unfilled.ts'
import type { PageContent, PagePart, ReadRequest } from '../../../contracts/page-content.ts'

const cutWarning = 'The page exceeds the size limit; its end was left out.'

/**
 * Makes the wanted parts of an HTML page from one parse. Parts that need the whole document come first, because extracting
 * the content takes the tree apart. Throws BAD_REQUEST for an invalid selector.
 */
export function readHtml(request: ReadRequest, limits: PageLimits = pageLimits): PageContent {
  const wanted = new Set<PagePart>(request.wanted)
  if (wanted.size === 0) return {}
  const { html, isWhole } = cutToLimits(request.html, limits)
  const page = parsePage(html)
  const elements = indexElements(page)
  const base = baseOf(elements, request.url)
  const facts = partsOfWholePage(page, elements, base, request)
  return withWordCount({
    ...facts,
    ...missingFrom(page, elements, facts, wanted),
    ...((['html', 'markdown', 'blocks'] as const).some((part) => wanted.has(part)) &&
      contentOf(page, elements, base, request)),
    ...(!isWhole && { warning: cutWarning }),
  })
}

/** The word count in the metadata needs the finished markdown. */
function withWordCount(parts: PageContent): PageContent {
  const { metadata, markdown } = parts
  if (!metadata || markdown === undefined) return parts
  return { ...parts, metadata: { ...metadata, wordCount: wordCount(markdown) } }
}

function partsOfWholePage(
  page: ParsedPage,
  elements: ElementIndex,
  base: string,
  { wanted, attributes, url }: ReadRequest,
): PageContent {
  const wants = (part: PagePart) => wanted.includes(part)
  return {
    ...(wants('metadata') && { metadata: metadataOf(page.document, elements, base) }),
    ...(wants('links') && { links: linksOf(elements, base) }),
    ...(wants('anchors') && { anchors: anchorsOf(elements, base) }),
    ...(wants('images') && { images: imagesOf(elements, base) }),
    ...(wants('attributes') && { attributes: attributesOf(page, attributes, base) }),
    ...(wants('media') && { media: mediaOf(elements, base) }),
    ...(wants('product') && { product: productOf(page, elements, base, url) }),
  }
}

/** Whether a browser would bring more of the wanted parts. */
function missingFrom(
  page: ParsedPage,
  elements: ElementIndex,
  { media, product }: PageContent,
  wanted: ReadonlySet<PagePart>,
): Pick<PageContent, 'needsBrowser' | 'unfilled'> {
  const wantsContent = (['html', 'markdown', 'anchors'] as const).some((part) => wanted.has(part))
  const lacks = product === null || (media !== undefined && Object.keys(media).length === 0)
  if ((wantsContent || lacks) && needsBrowser(page, elements)) return { needsBrowser: true }
  const unfilled = wantsContent ? unfilledParts(page, elements) : []
  return unfilled.length > 0 ? { unfilled } : {}
}

/** The content of a page as cleaned HTML and markdown, whichever is wanted; both come from the same elements. */
function contentOf(
  page: ParsedPage,
  elements: ElementIndex,
  base: string,
  request: ReadRequest,
): Pick<PageContent, 'html' | 'markdown' | 'blocks'> {
  const { root, blocks } = chosenContent(page, elements, request)
  const isWanted = (part: PagePart) => request.wanted.includes(part)
  const parts = isWanted('blocks') ? { blocks } : {}
  if (!isWanted('html') && !isWanted('markdown')) return parts
  absolutise(root, base)
  const html = isWanted('html') ? { ...parts, html: cleanHtml(root) } : parts
  if (!isWanted('markdown')) return html
  normalise(root, base)
  const base64 = request.removeBase64Images ? 'remove' : 'keep'
  return { ...html, markdown: sanitiseText(writeMarkdown(root, { base64 })) }
}

function cleanHtml(root: Element): string {
  dropHandlers(root)
  return sanitiseText(root.innerHTML).trim()
}

type ChosenContent = { root: Element; blocks: string[] }

function chosenContent(page: ParsedPage, elements: ElementIndex, request: ReadRequest): ChosenContent {
  const kind = request.onlyMainContent ? kindOf(elements, request.url) : undefined
  const { body } = page
  const picked = applyTags(body, request)
  if (request.blockAds) dropConsentBanners(body, picked)
  expandHiddenContent(body)
  dropUnreadable(body)
  const measures = measure(body)
  dropHidden(body, measures)
  const blocks = request.wanted.includes('blocks') ? blockFingerprints(body, measures) : []
  const asked = request.includeTags.length > 0
  if (!kind || asked) return { root: body, blocks }
  dropRepeatedBlocks(body, measures, request.repeated ?? [])
  const root = mainContent(body, measures, kind)
  const facts = kind.product ? productFacts(elements) : undefined
  if (facts) addProductFacts(root, facts)
  return { root, blocks }
}

/** A word of letters and digits; a Chinese or Japanese character counts as one. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’-][\p{L}\p{N}]+)*/gu

/** URLs of links and images do not count as words. */
const address = /\]\([^)\s]*(?:\s"[^"\n]*")?\)/g

/** Characters other than Latin letters and the punctuation and symbols of any script. */
const other = /[^\0-\u024F\u2000-\u206F\u20A0-\u20CF\u2190-\u23FF\u2500-\u26FF]/

/** 1 for each Latin letter and digit, by its code. */
const latin = Uint8Array.from({ length: 0x250 }, (_, code) => Number(/[\p{L}\p{N}]/u.test(String.fromCharCode(code))))

const isJoint = (code: number) => code === 0x27 || code === 0x2d || code === 0x2019

/** Number of words in the text of a markdown document. */
export function wordCount(markdown: string): number {
  const text = markdown.replace(address, ']')
  return other.test(text) ? countByPattern(text) : countLatin(text)
}

function countByPattern(text: string): number {
  let count = 0
  for (const _ of text.matchAll(word)) count++
  return count
}

/** The same count in a third of the time, for text in Latin script. */
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
