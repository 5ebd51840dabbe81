import type { PagePart, PageParts, ReadRequest } from '../../../contracts/ports.ts'
import type { Element } from '../dom/dom.ts'
import { cleanText } from '../dom/hygiene.ts'
import type { Survey } from '../dom/survey.ts'
import { dropHidden, dropUnreadable } from '../hidden/hidden.ts'
import { kindOf } from '../main-content/kind.ts'
import { mainContent } from '../main-content/main-content.ts'
import { measure } from '../main-content/measure.ts'
import { blockFingerprints, dropRepeatedBlocks } from '../main-content/repeats.ts'
import { writeMarkdown } from '../markdown/write.ts'
import { absolutise, dropHandlers, normalise } from '../normalise/normalise.ts'
import { revealContent } from '../normalise/reveal.ts'
import type { ParsedPage } from '../parse/parse.ts'
import { addProductFacts, productFacts } from '../product/listing.ts'
import { applyTags } from './attributes.ts'

/** The content of a page as cleaned HTML and as markdown, whichever are wanted; both come from the same choice of elements. */
export function contentOf(
  page: ParsedPage,
  survey: Survey,
  base: string,
  request: ReadRequest,
): Pick<PageParts, 'html' | 'markdown' | 'blocks'> {
  const { root, blocks } = chosenContent(page, survey, request)
  const isWanted = (part: PagePart) => request.wanted.includes(part)
  const parts = isWanted('blocks') ? { blocks } : {}
  if (!isWanted('html') && !isWanted('markdown')) return parts
  absolutise(root, base)
  const html = isWanted('html') ? { ...parts, html: cleanHtml(root) } : parts
  if (!isWanted('markdown')) return html
  normalise(root, base)
  const base64 = request.removeBase64Images ? 'remove' : 'keep'
  return { ...html, markdown: cleanText(writeMarkdown(root, { base64 })) }
}

function cleanHtml(root: Element): string {
  dropHandlers(root)
  return cleanText(root.innerHTML).trim()
}

type Chosen = { root: Element; blocks: string[] }

function chosenContent(page: ParsedPage, survey: Survey, request: ReadRequest): Chosen {
  const kind = request.onlyMainContent ? kindOf(survey, request.url) : undefined
  const { body } = page
  applyTags(body, request)
  revealContent(body)
  dropUnreadable(body)
  const measures = measure(body)
  dropHidden(body, measures)
  const blocks = request.wanted.includes('blocks') ? blockFingerprints(body, measures) : []
  const asked = request.includeTags.length > 0
  if (!kind || asked) return { root: body, blocks }
  dropRepeatedBlocks(body, measures, request.repeated ?? [])
  const root = mainContent(body, measures, kind)
  const facts = kind.product ? productFacts(survey) : undefined
  if (facts) addProductFacts(root, facts)
  return { root, blocks }
}
