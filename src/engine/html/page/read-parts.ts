import { baseOf } from '../dom/absolute-url.ts'
import { type ElementIndex, indexElements } from '../dom/element-index.ts'
import { factsOf, wholeText } from '../facts/page-facts.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import { mediaOf } from './media.ts'
import { imagesOf } from '../normalise/images.ts'
import { type ParsedPage, parsePage } from '../parse/parse-html.ts'
import { cutToLimits, type PageLimits, pageLimits } from '../parse/source-limits.ts'
import { menuFactsOf } from '../product/menu-facts.ts'
import { productOf } from '../product/page-product.ts'
import { jsonLdData } from '../facts/json-ld.ts'
import { anchorsOf, encodeQueries, leadsOf, linksOf } from './page-links.ts'
import { metadataOf } from './metadata.ts'
import { needsBrowser } from './needs-browser.ts'
import { attributesOf, applyTags } from './selectors.ts'
import { unfilledParts } from './unfilled.ts'
import { wordCount } from './word-count.ts'
import type { PageContent, PageFacts, PagePart, ReadRequest } from '../../../contracts/page-content.ts'
import { dropConsentBanners, nameConsentManager } from '../hidden/consent-banners.ts'
import { type Element, innerHtml, classOf, elementsIn } from '../dom/dom-tree.ts'
import { expandHiddenContent } from '../hidden/expand-hidden.ts'
import { dropHidden, dropFields, dropUnreadable } from '../hidden/hidden.ts'
import { hiddenBySheets, hidesBox, styleOf } from '../hidden/style-sheets.ts'
import { keepMainContent, withUndeclaredArticle } from '../main-content/main-content.ts'
import { measure, kindOf } from '../main-content/measure.ts'
import { writeMarkdown } from '../markdown/write.ts'
import { absolutise, dropHandlers, normalise } from '../normalise/normalise.ts'
import { addProductFacts, productFacts } from '../product/product-facts.ts'
import { keepTitle, pageTitle } from '../main-content/page-title.ts'
import { tidy } from '../normalise/tidy.ts'

const fieldName = /^(?:input|select|textarea)$/
const noField = /^(?:hidden|submit|button|image|reset)$/i
const choice = /^(?:radio|checkbox)$/i
/** Around the content, or not shown. */
const aside = /^(?:header|footer|nav|aside|dialog|template)$/
const asideRole = /^(?:search|navigation|banner|contentinfo|dialog)$/i
/** Forms that stand on every page of a site, whatever it is about. */
const everywhere = /search|newsletter|subscri|cookie|consent/i
const searchField = /^(?:q|s|query|search|keywords?|term)$/i

/** A field, or the name of radio buttons, which are one choice. */
type Field = Element | string | null

/**
 * How many fields the largest form has that a visitor may fill in, be it a form by name or a page with fields; undefined
 * without any. Searches, newsletters and what stands around the content do not count.
 */
function formFieldsOf(body: Element): number | undefined {
  const forms = new Map<Element, Set<Field>>()
  const formOf = formsOf(body)
  for (const field of elementsIn(body)) {
    if (!fieldName.test(field.localName) || !isOpen(field)) continue
    const form = formOf(field)
    if (!form || (form === body && choice.test(typeOf(field)))) continue
    const fields = forms.get(form) ?? new Set<Field>()
    forms.set(form, fields.add(/^radio$/i.test(typeOf(field)) ? field.getAttribute('name') : field))
  }
  const counts = [...forms.values()].map((fields) =>
    fields.size === 1 && [...fields].every(isAddress) ? 0 : fields.size,
  )
  return Math.max(0, ...counts) || undefined
}

const typeOf = (field: Element) => (field.localName === 'input' ? (field.getAttribute('type') ?? 'text') : '')

function isOpen(field: Element): boolean {
  if (noField.test(typeOf(field)) || field.hasAttribute('disabled') || field.hasAttribute('readonly')) return false
  return !/^search$/i.test(typeOf(field)) && !searchField.test(field.getAttribute('name') ?? '')
}

/** An e-mail address alone is asked for by newsletters. */
const isAddress = (field: Field) => field !== null && typeof field === 'object' && /^email$/i.test(typeOf(field))

/** Finds the form of a field, or the body; undefined where the field is hidden or stands around the content. */
function formsOf(body: Element): (field: Element) => Element | undefined {
  const beside = new Map<Element, boolean>()
  let byId: Map<string | null, Element> | undefined
  const isOut = (element: Element) => {
    const known = beside.get(element) ?? isBeside(element)
    beside.set(element, known)
    return known
  }
  return (field) => {
    const id = field.getAttribute('form')
    if (id)
      byId ??= new Map(
        elementsIn(body)
          .filter(isForm)
          .map((form) => [form.getAttribute('id'), form]),
      )
    let form = id ? byId?.get(id) : undefined
    for (let up: Element | null = field; up && up !== body; up = up.parentNode) {
      if (isOut(up)) return undefined
      if (isForm(up)) form ??= up
    }
    return form && isEverywhere(form) ? undefined : (form ?? body)
  }
}

const isForm = ({ localName }: Element) => localName === 'form'
const isEverywhere = (form: Element) =>
  everywhere.test(['class', 'id', 'name', 'action'].map((name) => form.getAttribute(name)).join(' '))

function isBeside(element: Element): boolean {
  if (aside.test(element.localName) || asideRole.test(element.getAttribute('role') ?? '')) return true
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true
  const style = element.getAttribute('style')
  if (style && hidesBox(styleOf(style))) return true
  return nameConsentManager(`${classOf(element)} ${element.getAttribute('id') ?? ''}`.toLowerCase().split(/\s+/))
}

/** The content of a page as cleaned HTML and markdown, whichever is wanted; both come from the same elements. */
function contentOf(
  page: ParsedPage,
  elements: ElementIndex,
  base: string,
  request: ReadRequest,
): Pick<PageContent, 'html' | 'markdown' | 'matchesNothing'> {
  const { root, matchesNothing } = chosenContent(page, elements, request)
  const isWanted = (part: PagePart) => request.wanted.includes(part)
  const parts = matchesNothing ? { matchesNothing } : {}
  if (!isWanted('html') && !isWanted('markdown')) return parts
  absolutise(root, base)
  const html = isWanted('html') ? { ...parts, html: cleanHtml(root) } : parts
  if (!isWanted('markdown')) return html
  if (keepsFields(request)) dropFields(root)
  const isMain = request.onlyMainContent && request.includeTags.length === 0
  if (isMain) tidy(root, base, request.removeSmallImages === false ? 'all' : 'telling')
  normalise(root, base)
  const base64 = request.removeBase64Images ? 'remove' : 'keep'
  return { ...html, markdown: sanitiseText(writeMarkdown(root, { base64, lines: isMain ? 'telling' : 'all' })) }
}

/** The main content is for reading; the HTML of a whole page, or of what the caller picked, has its forms. */
const keepsFields = ({ wanted, onlyMainContent, includeTags }: ReadRequest) =>
  wanted.includes('html') && (!onlyMainContent || includeTags.length > 0)

function cleanHtml(root: Element): string {
  dropHandlers(root)
  return sanitiseText(innerHtml(root)).trim()
}

type ChosenContent = { root: Element; matchesNothing?: boolean }

function chosenContent(page: ParsedPage, elements: ElementIndex, request: ReadRequest): ChosenContent {
  const declared = request.onlyMainContent ? kindOf(elements, request.url) : undefined
  const { body } = page
  const asked = request.includeTags.length > 0
  const picked = applyTags(body, request)
  const matchesNothing = asked && body.firstChild === null
  if (request.blockAds) dropConsentBanners(body, picked)
  const bySheets = hiddenBySheets(elements.named('style'), body)
  expandHiddenContent(body)
  dropUnreadable(body, keepsFields(request) ? 'fields' : 'no fields')
  const measures = measure(body)
  dropHidden(body, measures, bySheets)
  if (!declared || asked) return { root: body, matchesNothing }
  const title = pageTitle(body, elements, request.url)
  const kind = withUndeclaredArticle(declared, { elements, url: request.url })
  keepMainContent(body, measures, { elements, kind, heading: title?.heading, url: request.url })
  if (title) keepTitle(body, title)
  const facts = kind.product ? productFacts(elements) : undefined
  if (facts) addProductFacts(body, facts)
  return { root: body }
}

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
  encodeQueries(elements, request.charset)
  const parts = partsOfWholePage(page, elements, base, request)
  return withWordCount({
    ...parts,
    ...missingFrom(page, elements, parts, wanted),
    ...((['html', 'markdown'] as const).some((part) => wanted.has(part)) && contentOf(page, elements, base, request)),
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
  { wanted, attributes, url, includeTags, excludeTags }: ReadRequest,
): PageContent {
  const wants = (part: PagePart) => wanted.includes(part)
  // Who picks the elements of a page wants to hear of no others.
  const isChosen = includeTags.length + excludeTags.length > 0
  return {
    ...(wants('metadata') && { metadata: metadataOf(page.root, elements, base), ...formFieldsIn(page) }),
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

function formFieldsIn({ body }: ParsedPage): Pick<PageContent, 'formFields'> {
  const formFields = formFieldsOf(body)
  return formFields === undefined ? {} : { formFields }
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
