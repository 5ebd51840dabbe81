import type { PageContent, PageFacts, PagePart, ReadRequest } from '../../../contracts/page-content.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import { absoluteUrl } from '../dom/absolute-url.ts'
import { type ElementIndex, indexElements } from '../dom/element-index.ts'
import { jsonLdData } from '../facts/json-ld.ts'
import { factsOf, wholeText } from '../facts/page-facts.ts'
import { imagesOf } from '../normalise/images.ts'
import { type ParsedPage, parsePage } from '../parse/parse-html.ts'
import { type PageLimits, pageLimits } from '../parse/source-limits.ts'
import { menuFactsOf } from '../product/menu-facts.ts'
import { productOf } from '../product/page-product.ts'
import { contentOf } from './choose-content.ts'
import { formFieldsOf } from './largest-form.ts'
import { mediaOf } from './media.ts'
import { metadataOf } from './metadata.ts'
import { needsBrowser } from './needs-browser.ts'
import { anchorsOf, encodeQueries, leadsOf, linksOf } from './page-links.ts'
import { attributesOf } from './selectors.ts'
import { unfilledParts } from './unfilled.ts'
import { wordCount } from './word-count.ts'

const cutWarning = 'The page exceeds the size limit; its end was left out.'

/**
 * Creates the requested parts of an HTML page from one parse. Parts that need the whole document come first, because
 * extracting the content modifies the tree. Throws BAD_REQUEST for an invalid selector.
 */
export function readHtml(request: ReadRequest, limits: PageLimits = pageLimits): PageContent {
  const wanted = new Set<PagePart>(request.wanted)
  if (wanted.size === 0) return {}
  const page = parsePage(request.html, limits)
  const elements = indexElements(page)
  const base = baseOf(elements, request.url)
  encodeQueries(elements, request.charset)
  const parts = partsOfWholePage(page, elements, base, request)
  return withWordCount({
    ...parts,
    ...missingFrom(page, elements, parts, wanted),
    ...((['html', 'markdown'] as const).some((part) => wanted.has(part)) && contentOf(page, elements, base, request)),
    ...(!page.isWhole && { warning: cutWarning }),
  })
}

/** Returns the base URL of the page: the `href` of its base element if that is a web address, otherwise its own URL. */
function baseOf(elements: ElementIndex, url: string): string {
  const base = elements.named('base').find((element) => element.hasAttribute('href'))
  const href = base?.getAttribute('href')
  const address = href && absoluteUrl(href, url)
  return address && /^https?:/i.test(address) ? address : url
}

/** Adds the word count to the metadata, which needs the finished markdown. */
function withWordCount(parts: PageContent): PageContent {
  const { metadata, markdown } = parts
  if (!metadata || markdown === undefined) return parts
  return { ...parts, metadata: { ...metadata, wordCount: wordCount(markdown) } }
}

function partsOfWholePage(
  page: ParsedPage,
  elements: ElementIndex,
  base: string,
  { wanted, attributes, url, includeTags, excludeTags }: ReadRequest,
): PageContent {
  const wants = (part: PagePart) => wanted.includes(part)
  // The whole page's text and facts are omitted if the caller selects elements.
  const isChosen = includeTags.length + excludeTags.length > 0
  return {
    ...(wants('metadata') && { metadata: metadataOf(page.root, elements, base), ...formFieldsIn(page, elements) }),
    ...(wants('links') && { links: linksOf(elements, base), ...leadsIn(elements, base) }),
    ...(wants('anchors') && { anchors: anchorsOf(elements, base) }),
    ...(wants('images') && { images: imagesOf(elements, base) }),
    ...(wants('attributes') && { attributes: attributesOf(page, attributes, base) }),
    ...(wants('media') && { media: mediaOf(elements, base) }),
    ...(wants('product') && { product: productOf(page, elements, base, url) }),
    ...(wants('menu') && { menu: menuFactsOf(page, elements, base) }),
    ...(wants('structuredData') && { structuredData: jsonLdData(elements).filter(Boolean) }),
    ...(wants('text') && { text: isChosen ? '' : sanitiseText(wholeText(page.body)) }),
    ...(wants('facts') && { facts: isChosen ? noFacts : factsOf(page, elements) }),
  }
}

function leadsIn(elements: ElementIndex, base: string): Pick<PageContent, 'leads'> {
  const leads = leadsOf(elements, base)
  return leads.length === 0 ? {} : { leads }
}

const noFacts: PageFacts = { markup: [], shown: [], questions: [] }

function formFieldsIn({ body }: ParsedPage, elements: ElementIndex): Pick<PageContent, 'formFields'> {
  const formFields = formFieldsOf(body, elements)
  return formFields === undefined ? {} : { formFields }
}

/** Reports whether a browser would return more of the requested parts. */
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
