import type { PagePart, PageParts, ReadRequest } from '../../core/ports.ts'
import { anchorsOf } from './anchors.ts'
import { attributesOf } from './attributes.ts'
import { contentOf } from './content.ts'
import { cutToLimits } from './parse/cut.ts'
import { imagesOf } from './images.ts'
import { type PageLimits, pageLimits } from './limits.ts'
import { linksOf } from './links.ts'
import { mediaOf } from './media/media.ts'
import { metadataOf } from './metadata.ts'
import { needsBrowser } from './needs-browser.ts'
import { type ParsedPage, parsePage } from './parse/parse.ts'
import { productOf } from './product/product.ts'
import { baseOf, type Survey, surveyOf } from './survey.ts'
import { wordCount } from './word-count.ts'

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
