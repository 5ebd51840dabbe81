import { classOf, type DomNode, type Element, elementsIn } from '../dom/dom.ts'
import { normalisePosts, trimThread } from '../forum/posts.ts'
import { findBoilerplate, type BoilerplateRules } from './boilerplate.ts'
import type { PageKind } from './page-kind.ts'
import { type Measure, measure, type Measures } from './measure.ts'
import { dropNotices } from './notices.ts'
import { prefersArticle, readableArticle } from './readability.ts'
import { dropRepeatedQuotes, dropRepeats } from './repeated-blocks.ts'
import { trimContent } from './trim.ts'

/**
 * Extracts the main content of a body whose unreadable and hidden parts are gone; changes the body. Boilerplate is removed
 * with safeguards; then the better of the remainder and Readability's article (mozilla/readability) is chosen.
 */
export function mainContent(body: Element, measures: Measures, kind: PageKind): Element {
  const posts = normalisePosts(body, measures, kind)
  const forum = kind.forum || posts.length > 0
  trimThread(posts, body, measures)
  const kept = new Set(posts.map(({ text }) => text))
  dropBoilerplate(body, measures, { forum, kept, keptReviews: keptReviewsOn(kind, forum) })
  if (forum) dropRepeatedQuotes(body, measures)
  const root = contentRoot(body, measures, 0.6)
  trimContent(root, measures, kind)
  dropRepeats(root, measures)
  dropNavigation(root, measures)
  const isOpen =
    posts.length === 0 && mayHoldArticle(body, measures, kind) && !isClearWithoutReadability(measures.of(root), kind)
  const article = isOpen ? readableArticle(body) : undefined
  if (!article) return root
  const figures = measure(article)
  if (!prefersArticle(figures.of(article), measures.of(root), kind)) return root
  // Readability reads the whole body, of which only the root is trimmed.
  dropNotices(article, figures)
  return article
}

function keptReviewsOn(kind: PageKind, forum: boolean): BoilerplateRules['keptReviews'] {
  if (forum || (kind.article && !kind.product)) return 'all'
  return kind.product ? 'none' : 'testimonials'
}

/** Judges by class names, else only by element names and roles, else removes nothing, until enough text is left. */
function dropBoilerplate(body: Element, measures: Measures, rules: Omit<BoilerplateRules, 'byClass'>): void {
  const total = measures.of(body).text
  const plans = [
    { byClass: true, leaves: Math.max(0.12 * total, Math.min(250, 0.5 * total)) },
    { byClass: false, leaves: 0.05 * total },
  ]
  for (const { byClass, leaves } of plans) {
    const boilerplate = findBoilerplate(body, measures, { ...rules, byClass })
    const text = boilerplate.reduce((sum, element) => sum + measures.of(element).text, 0)
    if (total - text < leaves) continue
    for (const element of boilerplate) measures.remove(element)
    return
  }
}

/** Readability walks the tree many times; larger pages skip it. */
const maxElements = 30_000
const maxNodes = 100_000

/** Readability never does better on product pages and lists of links. */
function mayHoldArticle(body: Element, measures: Measures, kind: PageKind): boolean {
  const { text, linkText, elements } = measures.of(body)
  if (text <= 100 || elements > maxElements || measures.nodes() > maxNodes) return false
  return linkText < 0.6 * text && (!kind.product || kind.articleData)
}

/**
 * Where the root is nearly all prose, or has next to none, Readability does no better and costs as much as all the rest:
 * skipping it on a third of 350 labelled pages of seven kinds left F1 unchanged.
 */
function isClearWithoutReadability({ text, linkText, proseText }: Measure, kind: PageKind): boolean {
  const links = linkText / (text || 1)
  const prose = proseText / (text || 1)
  return (prose > 0.75 && links < 0.04) || (prose < 0.2 && !kind.article)
}

const rootId = /^(?:main|content|main-content)$/

/** The smallest element marked as main content that holds at least `share` of the text; else the body. */
function contentRoot(body: Element, measures: Measures, share: number): Element {
  const enough = share * (measures.of(body).text || 1)
  const size = (element: Element) => measures.of(element).text
  return elementsIn(body)
    .filter((element) => size(element) >= enough && callsItselfMain(element))
    .reduce((best, element) => (best === body || size(element) < size(best) ? element : best), body)
}

function callsItselfMain(element: Element): boolean {
  if (element.localName === 'main' || element.localName === 'article') return true
  if (element.getAttribute('role') === 'main' || element.getAttribute('itemprop') === 'articleBody') return true
  return rootId.test(element.getAttribute('id') ?? '') || /(?:^|\s)main-content(?:\s|$)/.test(classOf(element))
}

const block = /^(?:ul|ol|div|section|table|p|dl)$/
/** Link density from which a block is navigation, if its links are this short (characters). */
const minLinkShare = 0.66
const maxMeanLinkText = 40
/** A block with a larger share of the text is never navigation. */
const maxShare = 0.5
/** When more than this would go, the page is a list of links, and that is its content. */
const maxPrunedShare = 0.5

/** Removes blocks that are mostly links (link density, as in Kohlschütter et al., WSDM 2010), innermost first. */
function dropNavigation(root: Element, measures: Measures): void {
  const total = measures.of(root).text || 1
  const pruned: { element: Element; parent: Element; before: DomNode | null }[] = []
  for (const element of elementsIn(root).reverse()) {
    if (!element.parentNode || !isNavigation(element, measures, maxShare * total)) continue
    pruned.push({ element, parent: element.parentNode, before: element.nextSibling })
    measures.remove(element)
  }
  const left = measures.of(root)
  if (left.proseText > 300 || total - left.text <= maxPrunedShare * total) return
  for (const { element, parent, before } of pruned.reverse()) measures.restore(element, parent, before)
}

function isNavigation(element: Element, measures: Measures, mostText: number): boolean {
  if (!block.test(element.localName)) return false
  const { text, links, linkText, images, headings, pre } = measures.of(element)
  if (links < 3 || text === 0 || text > mostText || images + headings + pre > 0) return false
  return linkText / text > minLinkShare && linkText / links < maxMeanLinkText
}
