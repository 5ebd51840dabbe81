import type { PageContent, PagePart, ReadRequest } from '../../../contracts/page-content.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import { type Element, elementsIn, innerHtml } from '../dom/dom-tree.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import { createAround } from '../dom/tree-node.ts'
import { articleIn } from '../facts/json-ld.ts'
import { dropConsentBanners } from '../hidden/consent-banners.ts'
import { expandHiddenContent } from '../hidden/expand-hidden.ts'
import { dropFields, dropHidden, dropUnreadable } from '../hidden/hidden.ts'
import { hiddenBySheets } from '../hidden/style-sheets.ts'
import { keepMainContent, withUndeclaredArticle } from '../main-content/main-content.ts'
import { kindOf, measure, type Measures, type PageKind } from '../main-content/measure.ts'
import { keepTitle, pageTitle } from '../main-content/page-title.ts'
import { writeMarkdown } from '../markdown/write.ts'
import { nestIndentedRows } from '../normalise/indented-rows.ts'
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
  const { root, matchesNothing } = chosenContent(page, elements, request)
  const isWanted = (part: PagePart) => request.wanted.includes(part)
  const parts = matchesNothing ? { matchesNothing } : {}
  if (!isWanted('html') && !isWanted('markdown')) return parts
  const content = absolutise(root, base)
  const html = isWanted('html') ? { ...parts, html: cleanHtml(root) } : parts
  if (!isWanted('markdown')) return html
  if (keepsFields(request)) dropFields(root)
  const isMain = request.onlyMainContent && request.includeTags.length === 0
  if (isMain) tidy(content, request.removeSmallImages === false ? 'all' : 'telling')
  normalise(root, base)
  const base64 = request.removeBase64Images ? 'remove' : 'keep'
  return { ...html, markdown: sanitiseText(writeMarkdown(root, { base64, lines: isMain ? 'telling' : 'all' })) }
}

/** The main content is meant for reading; the HTML of a whole page, or of selected elements, keeps its forms. */
const keepsFields = ({ wanted, onlyMainContent, includeTags }: ReadRequest) =>
  wanted.includes('html') && (!onlyMainContent || includeTags.length > 0)

function cleanHtml(root: Element): string {
  dropHandlers(root)
  return sanitiseText(innerHtml(root)).trim()
}

type ChosenContent = { root: Element; matchesNothing?: boolean }

function chosenContent(page: ParsedPage, elements: ElementIndex, request: ReadRequest): ChosenContent {
  const { body } = page
  const isFrameset = body.firstElementChild?.localName === 'frameset'
  const declared = request.onlyMainContent && !isFrameset ? kindOf(elements, request.url) : undefined
  const asked = request.includeTags.length > 0
  const picked = applyTags(body, request)
  const matchesNothing = asked && body.firstChild === null
  if (request.blockAds) dropConsentBanners(body, picked)
  const bySheets = hiddenBySheets(elements.named('style'), body)
  expandHiddenContent(body)
  dropUnreadable(body, keepsFields(request) ? 'fields' : 'no fields')
  if (!asked) addUnwrittenArticle(body, elements)
  nestIndentedRows(body)
  const measures = measure(body)
  dropHidden(body, measures, bySheets)
  if (!declared || asked) return { root: body, matchesNothing }
  chooseMain(body, measures, { elements, declared, url: request.url })
  return { root: body }
}

type DeclaredPage = { elements: ElementIndex; declared: PageKind; url: string }

function chooseMain(body: Element, measures: Measures, { elements, declared, url }: DeclaredPage): void {
  const title = pageTitle(body, elements, url)
  const kind = withUndeclaredArticle(declared, { elements, url })
  keepMainContent(body, measures, { elements, kind, heading: title?.heading, url })
  if (title) keepTitle(body, title)
  const facts = kind.product ? productFacts(elements) : undefined
  if (facts) addProductFacts(body, facts)
}

/** Writes an article that only the structured data of a page contains, as for a page that scripts fill. */
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

/** Parses the text of an article; some sites escape its tags once more. */
function articleFrom(html: string): Element | undefined {
  const written = parsedArticle(html)
  const isEscaped = written && !written.firstElementChild && /^\s*<[a-z]+>[^]*<\//i.test(written.textContent)
  return isEscaped ? parsedArticle(written.textContent) : written
}

const parsedArticle = (html: string) =>
  elementsIn(parsePage(`<article>${html}</article>`).root).find(({ localName }) => localName === 'article')
