import type { Element } from '../dom.ts'
import { type Strictness, findBoilerplate } from './boilerplate.ts'
import type { PageKind } from './kind.ts'
import { type Measure, type Measures, measure } from './measure.ts'
import { dropNotices } from './notices.ts'
import { prefersArticle } from './pick.ts'
import { shapePosts } from './posts.ts'
import { dropRepeatedQuotes } from './quotes.ts'
import { readableArticle } from './readability.ts'
import { dropRepeats } from './repeats.ts'
import { contentRoot } from './root.ts'
import { prune } from './prune.ts'
import { trimThread } from './thread.ts'
import { trim } from './trim.ts'

/**
 * The main content of a body whose unreadable and hidden parts are gone; the body is changed.
 * Guarded removal of furniture, then the better of what is left and what Readability finds in it.
 */
export function mainContent(body: Element, measures: Measures, kind: PageKind): Element {
  const posts = shapePosts(body, measures, kind)
  const forum = kind.forum || posts.length > 0
  trimThread(posts, body, measures)
  const kept = new Set(posts.map(({ text }) => text))
  dropBoilerplate(body, measures, { forum, kept, praise: praiseOn(kind, forum) })
  if (forum) dropRepeatedQuotes(body, measures)
  const root = contentRoot(body, measures, 0.6)
  trim(root, measures, kind)
  dropRepeats(root, measures)
  prune(root, measures)
  const isOpen = posts.length === 0 && mayHoldArticle(body, measures, kind) && !isSettled(measures.of(root), kind)
  const article = isOpen ? readableArticle(body) : undefined
  if (!article) return root
  const figures = measure(article)
  if (!prefersArticle(figures.of(article), measures.of(root), kind)) return root
  // Readability reads the whole body, of which only the root is trimmed.
  dropNotices(article, figures)
  return article
}

function praiseOn(kind: PageKind, forum: boolean): Strictness['praise'] {
  if (forum || (kind.article && !kind.product)) return 'all'
  return kind.product ? 'none' : 'testimonials'
}

/** Believes classes, then only names and roles, then nothing, until enough text is left. */
function dropBoilerplate(body: Element, measures: Measures, rules: Omit<Strictness, 'byClass'>): void {
  const total = measures.of(body).text
  const plans = [
    { byClass: true, leaves: Math.max(0.12 * total, Math.min(250, 0.5 * total)) },
    { byClass: false, leaves: 0.05 * total },
  ]
  for (const { byClass, leaves } of plans) {
    const furniture = findBoilerplate(body, measures, { ...rules, byClass })
    const text = furniture.reduce((sum, element) => sum + measures.of(element).text, 0)
    if (total - text < leaves) continue
    for (const element of furniture) measures.remove(element)
    return
  }
}

/** Readability walks the tree many times; a larger page is taken as it was cleaned. */
const maxElements = 30_000
const maxNodes = 100_000

/** Shops and lists of links are no articles, and what Readability cuts out of them is never the better choice. */
function mayHoldArticle(body: Element, measures: Measures, kind: PageKind): boolean {
  const { text, linkText, elements } = measures.of(body)
  if (text <= 100 || elements > maxElements || measures.nodes() > maxNodes) return false
  return linkText < 0.6 * text && (!kind.product || kind.articleData)
}

/**
 * Where the root is prose with hardly a link, or next to no prose at all, Readability's article is no better, and finding
 * it costs as much as all the rest: on 350 labelled pages of seven kinds a third is settled so, and F1 stays the same.
 */
function isSettled({ text, linkText, proseText }: Measure, kind: PageKind): boolean {
  const links = linkText / (text || 1)
  const prose = proseText / (text || 1)
  return (prose > 0.75 && links < 0.04) || (prose < 0.2 && !kind.article)
}
