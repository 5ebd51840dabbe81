import { classOf, type Element, elementsIn } from '../dom/dom.ts'
import { normalisePosts, trimThread } from '../forum/posts.ts'
import { findBoilerplate, type BoilerplateRules } from './boilerplate.ts'
import { dropNavigation } from './link-lists.ts'
import { captionPictures } from './captions.ts'
import type { PageKind } from './page-kind.ts'
import { removeButSteps } from './paging.ts'
import { trimEdges } from './edges.ts'
import { type TextStats, measure, type Measures } from './measure.ts'
import { prefersArticle, readableArticle } from './readability.ts'
import { dropRepeatedQuotes, dropRepeats } from './repeated-blocks.ts'
import { dropTeasers } from './teasers.ts'
import { trimContent } from './trim.ts'

/**
 * Extracts the main content of a body whose unreadable and hidden parts are gone; changes the body. Boilerplate is removed
 * with safeguards; then the better of the remainder and Readability's article (mozilla/readability) is chosen.
 */
export function mainContent(body: Element, measures: Measures, kind: PageKind): Element {
  captionPictures(body, measures, kind)
  const posts = normalisePosts(body, measures, kind)
  const forum = kind.forum || posts.length > 0
  trimThread(posts, body, measures)
  const texts = new Set(posts.map(({ text }) => text))
  const pagers = dropBoilerplate(body, measures, { forum, kept: texts, keptReviews: keptReviewsOn(kind, forum) })
  if (forum) dropRepeatedQuotes(body, measures)
  const root = contentRoot(body, measures, 0.6)
  trimContent(root, measures, kind)
  dropTeasers(root, measures, kind)
  dropRepeats(root, measures)
  const kept = [...pagers, ...dropNavigation(root, measures)]
  const rest = without(
    kept.filter((list) => root.contains(list)),
    measures.of(root),
    measures,
  )
  const isOpen = posts.length === 0 && mayHoldArticle(body, measures, kind) && !isClearWithoutReadability(rest, kind)
  const article = isOpen ? readableArticle(body, kept) : undefined
  const figures = article && measure(article)
  if (!article || !figures || !prefersArticle(figures.of(article), rest, kind))
    return withoutEdges(root, measures, kind)
  // Readability reads the whole body, of which only the root is trimmed.
  trimContent(article, figures, kind)
  dropTeasers(article, figures, kind)
  return withoutEdges(article, figures, kind)
}

function withoutEdges(root: Element, measures: Measures, kind: PageKind): Element {
  trimEdges(root, measures, kind)
  return root
}

function keptReviewsOn(kind: PageKind, forum: boolean): BoilerplateRules['keptReviews'] {
  if (forum || (kind.article && !kind.product)) return 'all'
  return kind.product ? 'none' : 'testimonials'
}

/** Lists that stay are no sign of navigation, so the root is judged by what is left without them. */
function without(lists: readonly Element[], root: TextStats, measures: Measures): TextStats {
  const sum = (key: 'text' | 'linkText' | 'links') => lists.reduce((all, list) => all + measures.of(list)[key], 0)
  return {
    ...root,
    text: root.text - sum('text'),
    linkText: root.linkText - sum('linkText'),
    links: root.links - sum('links'),
  }
}

/**
 * Judges by class names, else only by element names and roles, else removes nothing, until enough text is left. Returns
 * pagers, of which the links to the next and the previous page are left.
 */
function dropBoilerplate(body: Element, measures: Measures, rules: Omit<BoilerplateRules, 'byClass'>): Element[] {
  const total = measures.of(body).text
  const plans = [
    { byClass: true, leaves: Math.max(0.12 * total, Math.min(250, 0.5 * total)) },
    { byClass: false, leaves: 0.05 * total },
  ]
  for (const { byClass, leaves } of plans) {
    const boilerplate = findBoilerplate(body, measures, { ...rules, byClass })
    const text = boilerplate.reduce((sum, element) => sum + measures.of(element).text, 0)
    if (total - text < leaves) continue
    const pagers: Element[] = []
    for (const element of boilerplate) if (removeButSteps(element, measures, pagers) === 'pager') pagers.push(element)
    return pagers
  }
  return []
}

/** Readability walks the tree many times; larger pages skip it. */
const maxElements = 30_000
const maxNodes = 100_000

/** With as much prose (in characters), what calls itself an article is one, however many links stand around it. */
const minProse = 1500

/** Readability never does better on product pages and lists of links. */
function mayHoldArticle(body: Element, measures: Measures, kind: PageKind): boolean {
  const { text, linkText, proseText, elements } = measures.of(body)
  if (text <= 100 || elements > maxElements || measures.nodes() > maxNodes) return false
  if (kind.product && !kind.articleData) return false
  return linkText < 0.6 * text || (kind.article && !kind.product && proseText > minProse)
}

/**
 * Where the root is nearly all prose, or has next to none, Readability does no better and costs as much as all the rest:
 * skipping it on a third of 350 labelled pages of seven kinds left F1 unchanged.
 */
function isClearWithoutReadability({ text, linkText, proseText }: TextStats, kind: PageKind): boolean {
  const links = linkText / (text || 1)
  const prose = proseText / (text || 1)
  if (kind.article) return false
  return (prose > 0.75 && links < 0.04) || prose < 0.2
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
