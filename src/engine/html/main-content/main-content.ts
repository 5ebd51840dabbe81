import { classOf, type Element, elementsIn, oneLine } from '../dom/dom.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import { normalisePosts, trimThread } from '../forum/posts.ts'
import { type Block, hostOf } from './block.ts'
import { blocksOf, removeBlocks } from './blocks.ts'
import { decide, likelyShare, withSections } from './decide.ts'
import { featuresOf, type PageSigns } from './features.ts'
import type { Measures } from './measure.ts'
import { blockModel } from './model.ts'
import type { PageKind } from './page-kind.ts'
import { dropRepeatedQuotes, dropRepeats } from './repeats.ts'

/** What is known of a page apart from its body. */
export type AboutPage = { elements: ElementIndex; kind: PageKind; heading: Element | undefined; url: string }

/**
 * Leaves the main content of a body whose unreadable and hidden parts are gone; changes the body. Whole blocks go, and nothing
 * inside a block that stays is changed.
 */
export function keepMainContent(body: Element, measures: Measures, about: AboutPage): void {
  const posts = normalisePosts(body, measures, about.kind)
  const kind = { ...about.kind, forum: about.kind.forum || posts.length > 0 }
  trimThread(posts, body, measures)
  if (kind.forum) dropRepeatedQuotes(body, measures)
  const signs = signsOf(body, measures, { ...about, kind }, new Set(posts.map(({ text }) => text)))
  const { worth, chanceOf, threshold } = blockModel()
  const blocks = blocksOf(body, measures, worth, signs.host)
  if (blocks.length > 0) {
    const chances = Float32Array.from(featuresOf(blocks, measures, signs), chanceOf)
    removeBlocks(dropped(blocks, withSections(blocks, chances), threshold, signs), body)
  }
  dropRepeats(body, measures)
}

/** The least that may be left of the text beside the title: in characters, and as shares of all. */
const leastLeft = { characters: 200, shareOfShort: 0.3, share: 0.02 }
const leastThreshold = 0.02

/** Blocks that are no main content; the threshold falls until enough is left. */
function dropped(blocks: readonly Block[], chances: Float32Array, share: number, signs: PageSigns): Block[] {
  const { kind, h1, posts } = signs
  const certain = new Set([...posts, ...(h1 ? [h1] : [])])
  const evidence = { blocks, chances, certain, isReference: !kind.forum && !kind.article }
  const all = blocks.reduce((sum, { length }) => sum + length, 0)
  const { characters, shareOfShort, share: leastShare } = leastLeft
  const least = Math.max(leastShare * all, Math.min(characters, shareOfShort * all))
  const first = Math.max(0.1, share * likelyShare(blocks, chances))
  for (let threshold = first; threshold > leastThreshold; threshold /= 2) {
    const keep = decide(evidence, threshold)
    const left = blocks.reduce((sum, { length, box }, i) => sum + (keep[i] && box.element !== h1 ? length : 0), 0)
    if (left >= least) return blocks.filter((_, i) => !keep[i])
  }
  return []
}

function signsOf(body: Element, measures: Measures, about: AboutPage, posts: ReadonlySet<Element>): PageSigns {
  const { elements, kind, heading, url } = about
  return {
    kind,
    h1: heading,
    posts,
    host: hostOf(url),
    title: oneLine(elements.named('title')[0]?.textContent ?? '').toLowerCase(),
    description: descriptionOf(elements),
    root: contentRoot(body, measures),
  }
}

const nameOf = (meta: Element) => meta.getAttribute('property') ?? meta.getAttribute('name') ?? ''

function descriptionOf(elements: ElementIndex): string {
  const meta = elements.named('meta').find((each) => /^(?:og:)?description$/.test(nameOf(each)))
  return oneLine(meta?.getAttribute('content') ?? '').toLowerCase()
}

const rootId = /^(?:main|content|main-content)$/
/** The least share of the text of the page in its main content. */
const leastInRoot = 0.3

/** The smallest element marked as main content that holds enough of the text; else the body. */
function contentRoot(body: Element, measures: Measures): Element {
  const enough = leastInRoot * (measures.of(body).text || 1)
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
