import type { PageContent, ReadRequest } from '../../../contracts/page-content.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import { type Element, elementsIn, innerHtml } from '../dom/dom-tree.ts'
import type { ContentIndex, ElementIndex } from '../dom/element-index.ts'
import { createAround } from '../dom/tree-node.ts'
import { articleIn } from '../facts/json-ld.ts'
import { dropConsentBanners } from '../hidden/consent-banners.ts'
import { expandHiddenContent } from '../hidden/expand-hidden.ts'
import { dropFields, dropHidden, dropUnreadable } from '../hidden/hidden.ts'
import { hiddenBySheets } from '../hidden/style-sheets.ts'
import { keepMainContent } from '../main-content/main-content.ts'
import { measure, type Measures } from '../main-content/measure.ts'
import { kindOf } from '../main-content/page-kind.ts'
import { keepTitle, pageTitle } from '../main-content/page-title.ts'
import { writeMarkdown } from '../markdown/write.ts'
import { nestIndentedRows } from '../normalise/normalise-tables.ts'
import { absolutise, dropHandlers, normalise } from '../normalise/normalise.ts'
import { tidy } from '../normalise/tidy.ts'
import { type ParsedPage, parsePage } from '../parse/parse-html.ts'
import { addProductFacts, productFacts } from '../product/product-facts.ts'
import { applyTags } from './selectors.ts'

/** Returns the content of a page as cleaned HTML, markdown or both, as requested; both come from the same elements. */
export function contentOf(
  page: ParsedPage,
  elements: ElementIndex,
  base: string,
  request: ReadRequest,
): Pick<PageContent, 'html' | 'markdown' | 'matchesNothing'> {
  const { body } = page
  const isSelected = request.includeTags.length > 0
  const picked = applyTags(body, request)
  const matchesNothing = isSelected && body.firstChild === null
  const isMain = request.onlyMainContent && !isSelected
  chooseContent(body, elements, request, { picked, isMain })
  const content = absolutise(body, base)
  const html = request.wanted.includes('html') ? cleanHtml(body) : undefined
  return {
    ...(matchesNothing && { matchesNothing }),
    ...(html !== undefined && { html }),
    ...(request.wanted.includes('markdown') && { markdown: markdownOf(content, request, isMain) }),
  }
}

/** True for the HTML of a whole page or of selected elements; the main content has no form fields. */
const keepsFields = ({ wanted, onlyMainContent, includeTags }: ReadRequest) =>
  wanted.includes('html') && (!onlyMainContent || includeTags.length > 0)

function cleanHtml(root: Element): string {
  dropHandlers(root)
  return sanitiseText(innerHtml(root)).trim()
}

function markdownOf(content: ContentIndex, request: ReadRequest, isMain: boolean): string {
  const { root, base } = content
  if (keepsFields(request)) dropFields(root)
  if (isMain) tidy(content, request.removeSmallImages === false ? 'all' : 'informative')
  normalise(root, base)
  const base64 = request.removeBase64Images ? 'remove' : 'keep'
  return sanitiseText(writeMarkdown(root, { base64, lines: isMain ? 'informative' : 'all' }))
}

/** Reduces a body to its visible parts, or to its main content. `picked` are the elements that the caller selected. */
function chooseContent(
  body: Element,
  elements: ElementIndex,
  request: ReadRequest,
  { picked, isMain }: { picked: readonly Element[]; isMain: boolean },
): void {
  const isFrameset = body.firstElementChild?.localName === 'frameset'
  if (request.blockAds) dropConsentBanners(body, picked)
  const bySheets = hiddenBySheets(elements.named('style'), body)
  expandHiddenContent(body)
  dropUnreadable(body, keepsFields(request) ? 'fields' : 'no fields')
  if (request.includeTags.length === 0) addUnwrittenArticle(body, elements)
  nestIndentedRows(body)
  const measures = measure(body)
  dropHidden(body, measures, bySheets)
  if (isMain && !isFrameset) reduceToMain(body, measures, elements, request.url)
}

function reduceToMain(body: Element, measures: Measures, elements: ElementIndex, url: string): void {
  const title = pageTitle(body, elements, url)
  const kind = kindOf(elements, url)
  keepMainContent(body, measures, { elements, kind, heading: title?.heading, url })
  if (title) keepTitle(body, title)
  const facts = kind.product ? productFacts(elements) : undefined
  if (facts) addProductFacts(body, facts)
}

/** Adds the article in the structured data of a page that has less text itself, because scripts fill it. */
function addUnwrittenArticle(body: Element, elements: ElementIndex): void {
  const article = articleIn(elements)
  if (!article || body.textContent.length > article.body.length) return
  const written = articleFrom(article.body)
  if (!written) return
  dropUnreadable(written)
  if (!written.firstElementChild) {
    const paragraphs = written.textContent.split(/\n+/).filter((line) => line.trim() !== '')
    written.textContent = ''
    written.append(...paragraphs.map((line) => createAround('p', line)))
  }
  if (article.headline) written.prepend(createAround('h1', article.headline))
  body.prepend(written)
}

/** Parses the article in structured data; some sites escape its tags twice. */
function articleFrom(html: string): Element | undefined {
  const written = parsedArticle(html)
  const isEscaped = written && !written.firstElementChild && /^\s*<[a-z]+>[^]*<\//i.test(written.textContent)
  return isEscaped ? parsedArticle(written.textContent) : written
}

const parsedArticle = (html: string) =>
  elementsIn(parsePage(`<article>${html}</article>`).root).find(({ localName }) => localName === 'article')
