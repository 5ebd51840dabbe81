import type { PageParts, ReadRequest } from '../../core/ports.ts'
import { dropHidden } from './clean/hidden.ts'
import { kindOf } from './clean/kind.ts'
import { mainContent } from './clean/main-content.ts'
import { measure } from './clean/measure.ts'
import { addProductDescription } from './clean/product-data.ts'
import { dropUnreadable } from './clean/unreadable.ts'
import type { Element } from './dom.ts'
import { cleanText } from './hygiene.ts'
import { writeMarkdown } from './markdown/write.ts'
import { dropHandlers } from './normalise/handlers.ts'
import { absolutise, normalise } from './normalise/normalise.ts'
import type { ParsedPage } from './parse.ts'
import type { Survey } from './survey.ts'
import { applyTags } from './tags.ts'

/** The content of a page as cleaned HTML and as markdown, whichever are wanted; both come from the same choice of elements. */
export function contentOf(
  page: ParsedPage,
  survey: Survey,
  base: string,
  request: ReadRequest,
): Pick<PageParts, 'html' | 'markdown'> {
  const root = chosenContent(page, survey, request)
  absolutise(root, base)
  const html = request.wanted.includes('html') ? { html: cleanHtml(root) } : {}
  if (!request.wanted.includes('markdown')) return html
  normalise(root, base)
  const base64 = request.removeBase64Images ? 'remove' : 'keep'
  return { ...html, markdown: cleanText(writeMarkdown(root, { base64 })) }
}

function cleanHtml(root: Element): string {
  dropHandlers(root)
  return cleanText(root.innerHTML).trim()
}

function chosenContent(page: ParsedPage, survey: Survey, request: ReadRequest): Element {
  const kind = request.onlyMainContent ? kindOf(survey, request.url) : undefined
  const { body } = page
  applyTags(body, request)
  dropUnreadable(body)
  const measures = measure(body)
  dropHidden(body, measures)
  const asked = request.includeTags.length > 0
  if (!kind || asked) return body
  const root = mainContent(body, measures, kind)
  if (kind.product) addProductDescription(root, survey)
  return root
}
