import type { PagePart, PageParts, ReadRequest } from '../../core/ports.ts'
import { attributesOf } from './attributes.ts'
import { contentOf } from './content.ts'
import { imagesOf } from './images.ts'
import { linksOf } from './links.ts'
import { metadataOf } from './metadata.ts'
import { parsePage } from './parse.ts'
import { baseOf, surveyOf } from './survey.ts'

/** Characters of HTML that are read; what comes after them is left out. */
export type ReadLimits = { maxChars: number }
const defaultLimits: ReadLimits = { maxChars: 50_000_000 }

/**
 * Makes the wanted parts of an HTML page from one parse. Facts about the whole document are read first,
 * because the content is made by taking the tree apart. Fails with BAD_REQUEST for a selector that is not valid.
 */
export function readHtml(request: ReadRequest, { maxChars }: ReadLimits = defaultLimits): PageParts {
  const wanted = new Set<PagePart>(request.wanted)
  if (wanted.size === 0) return {}
  const page = parsePage(request.html.slice(0, maxChars))
  const survey = surveyOf(page)
  const base = baseOf(survey, request.url)
  return {
    ...(wanted.has('metadata') && { metadata: metadataOf(page.document, survey, base) }),
    ...(wanted.has('links') && { links: linksOf(survey, base) }),
    ...(wanted.has('images') && { images: imagesOf(survey, base) }),
    ...(wanted.has('attributes') && { attributes: attributesOf(page, request.attributes, base) }),
    ...((wanted.has('html') || wanted.has('markdown')) && contentOf(page, survey, base, request)),
  }
}
