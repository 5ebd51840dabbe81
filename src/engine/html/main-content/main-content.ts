import {
  classOf,
  type Element,
  oneLine,
  visit,
  type DomNode,
  isElement,
  isText,
  nodeAfter,
  isPartOfText,
  previousElement,
} from '../dom/dom-tree.ts'
import { plainWordsIn } from '../../../util/words.ts'
import { type ElementIndex, metaContents } from '../dom/element-index.ts'
import { normalisePosts, trimThread } from './forum-posts.ts'
import { type Block, hostOf, isHeading } from './text-block.ts'
import { blocksOf, removeBlocks } from './page-blocks.ts'
import { decide } from './decide-blocks.ts'
import { featuresOf, type PageSigns } from './features.ts'
import type { Measures } from './measure.ts'
import type { PageKind } from './page-kind.ts'
import { blockModel, likelyShare, withSections } from './block-model.ts'
import { sameWords } from './page-title.ts'

const boxName = /^(?:div|section|article|ul|ol|li|figure)$/
/**
 * Minimum and maximum characters of the text of a box to remove as a copy. Authors repeat shorter texts, templates
 * longer ones: cloned slides, or one copy each for phones and desktops.
 */
const minText = 80
const maxText = 20_000
/** Maximum characters to compare in total. Boxes nest, so their texts add up to more than the page. */
const maxRead = 5_000_000

/** Maximum number of copies of a text that templates make; with more, the page itself is repetitive. */
const maxCopies = 4

/**
 * Removes boxes with exactly the text of an earlier box, such as cloned slides, or copies for phones and desktops.
 * Boxes under a heading of their own stay.
 */
function dropRepeats(root: Element, measures: Measures): void {
  const seen = new Map<string, Element[]>()
  let read = 0
  visit(root, (element) => {
    const { text, pre } = measures.of(element)
    if (pre > 0 || text < minText || text > maxText || read > maxRead || !boxName.test(element.localName))
      return undefined
    read += text
    const words = oneLine(element.textContent)
    const [first, ...copies] = seen.get(words) ?? []
    if (!first || first.contains(element) || isPartOfText(element)) {
      seen.set(words, [element])
      return undefined
    }
    if (!isHeading(previousElement(element)?.localName ?? '')) seen.set(words, [first, ...copies, element])
    return 'skip'
  })
  for (const [, ...copies] of seen.values())
    if (copies.length <= maxCopies) for (const copy of copies) measures.remove(copy)
}

const quoteClass = /(?:^|[\s_-])(?:quote|ipsQuote|bbCodeBlock--quote|quotecontent|bbcode_quote|postquote)(?:$|[\s_-])/i

const shingleWords = 4

/** Minimum share of a quote's phrases elsewhere on the page for it to be a repetition. */
const repeatedShare = 0.6

/** Removes quotes that repeat other posts of the same page, as forum replies do. */
function dropRepeatedQuotes(root: Element, measures: Measures): void {
  const quotes: Element[] = []
  visit(root, (element) => {
    if (!isQuote(element) || measures.of(element).text < 20 || isPartOfText(element)) return undefined
    quotes.push(element)
    return 'skip'
  })
  if (quotes.length === 0) return
  const shingles = shinglesOf(wordsIn(root, new Set(quotes)))
  const known = new Set(shingles)
  for (const quote of quotes) {
    const phrases = shinglesOf(wordsIn(quote, new Set()))
    const repeated = phrases.filter((phrase) => known.has(phrase)).length
    if (phrases.length > 0 && repeated >= repeatedShare * phrases.length) measures.remove(quote)
  }
}

function isQuote(element: Element): boolean {
  return element.localName === 'blockquote' || quoteClass.test(classOf(element))
}

function wordsIn(root: Element, except: ReadonlySet<Element>): string[] {
  const words: string[] = []
  for (let at: DomNode | null = root.firstChild; at;) {
    if (isText(at)) for (const word of plainWordsIn(at.textContent)) words.push(word)
    const entered: Element | undefined = isElement(at) && !except.has(at) ? at : undefined
    at = entered?.firstChild ?? nodeAfter(at, root)
  }
  return words
}

function shinglesOf(words: readonly string[]): string[] {
  return words.slice(shingleWords - 1).map((_, i) => words.slice(i, i + shingleWords).join(' '))
}

/** Facts about a page apart from its body. */
type AboutPage = { elements: ElementIndex; kind: PageKind; heading: Element | undefined; url: string }

/** Larger pages are returned whole: choosing costs 10 µs per block, and no page written for people is that large. */
const maxBlocks = 50_000

/**
 * Reduces a body, already without unreadable and hidden parts, to its main content, in place. Whole blocks are removed;
 * nothing inside a kept block changes.
 */
export function keepMainContent(body: Element, measures: Measures, about: AboutPage): void {
  const posts = normalisePosts(body, measures, about.kind)
  const kind = { ...about.kind, forum: about.kind.forum || posts.length > 0 }
  trimThread(posts, body, measures)
  if (kind.forum) dropRepeatedQuotes(body, measures)
  const signs = signsOf(body, measures, { ...about, kind }, new Set(posts.map(({ text }) => text)))
  const { worth, chancesOf, threshold } = blockModel()
  const blocks = blocksOf(body, measures, worth, signs.host)
  if (blocks.length > 0 && blocks.length <= maxBlocks) {
    const chances = withSections(blocks, chancesOf(featuresOf(blocks, measures, signs)))
    const frame = frameOf(blocks, chances, measures, signs)
    const inside = blocks.map((block, i) => (frame.has(block) ? 0 : chances[i]!))
    removeBlocks(dropped(blocks, Float32Array.from(inside), frame, threshold, signs), body)
  }
  dropRepeats(body, measures)
}

/** Minimum text besides the title that must remain: in characters, and as shares of all text. */
const minLeft = { characters: 200, shareOfShort: 0.3, share: 0.02 }
const minThreshold = 0.02

/**
 * Returns the blocks of the site's header, menus and footer: as in HTML, those that belong to no main, article, section
 * or quotation. On a page without a main they are content if most of the likely text is there; a few words are not
 * enough. Headers with a heading are left to the model, and so are parts that each entry of a list has.
 */
function frameOf(
  blocks: readonly Block[],
  chances: Float32Array,
  measures: Measures,
  signs: PageSigns,
): ReadonlySet<Block> {
  const byPath = Map.groupBy(new Set(blocks.map(partOf)), (part) => part?.path)
  const footer = undeclaredFooter(blocks, measures, signs)
  const isFrame = (block: Block) => {
    const part = partOf(block)
    const isDeclared = part !== undefined && byPath.get(part.path)!.length === 1
    return isDeclared || footer?.contains(block.box.element) === true
  }
  const sums = { frame: 0, rest: 0 }
  blocks.forEach((block, i) => (sums[isFrame(block) ? 'frame' : 'rest'] += block.length * chances[i]!))
  const rest = blocks.filter((block) => !isFrame(block) && block.length > 0)
  const isDeclared = rest.some(({ box }) => box.kinds.main > 0)
  const isSmall = rest.length > 0 && sums.frame < Math.max(minLeft.characters, sums.rest)
  return new Set(isDeclared || isSmall ? blocks.filter(isFrame) : [])
}

/**
 * Maximum share of a page's text in its footer, and minimum text (characters) after a box for it not to be the last.
 */
const maxFooter = { share: 0.2, after: 200 }

/**
 * Returns the footer of a page without a footer element: its last box apart from the title, if it contains a copyright
 * sign and a link.
 */
function undeclaredFooter(blocks: readonly Block[], measures: Measures, { h1, body }: PageSigns): Element | undefined {
  const end = blocks.findLastIndex(({ text }) => text.includes('©'))
  const last = blocks[end]
  if (!last || !h1 || partOf(last) || blocks.some(({ box }) => box.kinds.footer > 0)) return undefined
  if (last.box.kinds.main + last.box.kinds.article > 0) return undefined
  const most = Math.max(minLeft.characters, maxFooter.share * measures.of(body).text)
  const isFooter = (element: Element) => !element.contains(h1) && measures.of(element).text <= most
  if (!isFooter(last.box.element)) return undefined
  let { box } = last
  while (box.up && isFooter(box.up.element)) box = box.up
  const isIn = (block: Block) => box.element.contains(block.box.element)
  const own = blocks.slice(blocks.findIndex(({ box: { element } }) => h1.contains(element)) + 1).filter(isIn)
  const after = blocks.slice(end).filter((block) => !isIn(block))
  const isLast = after.every(({ length, link }) => length - link < maxFooter.after)
  return isLast && own.some(({ link }) => link > 0) ? box.element : undefined
}

const partOf = ({ box: { kinds, frame } }: Block) =>
  kinds.main + kinds.article > 0 || frame === 'none' ? undefined : frame

/** Returns the blocks outside the main content; lowers the threshold until enough remains. */
function dropped(
  blocks: readonly Block[],
  chances: Float32Array,
  frame: ReadonlySet<Block>,
  share: number,
  signs: PageSigns,
): Block[] {
  const { kind, h1, posts } = signs
  const certain = new Set([...posts, ...(h1 ? [h1] : titleIn(blocks, signs.title))])
  const evidence = { blocks, chances, certain, isReference: !kind.forum && !kind.article }
  const all = blocks.reduce((sum, block) => (frame.has(block) ? sum : sum + block.length), 0)
  const { characters, shareOfShort, share: minShare } = minLeft
  const least = Math.max(minShare * all, Math.min(characters, shareOfShort * all))
  const first = Math.max(0.1, share * likelyShare(blocks, chances))
  for (let threshold = first; threshold > minThreshold; threshold /= 2) {
    const keep = decide(evidence, threshold)
    const left = blocks.reduce((sum, { length, box }, i) => sum + (keep[i] && box.element !== h1 ? length : 0), 0)
    if (left >= least) return blocks.filter((_, i) => !keep[i])
  }
  return [...frame]
}

/** Finds the title of a page without h1: the first block with the words of its title element. */
function titleIn(blocks: readonly Block[], title: string): Element[] {
  const words = sameWords(title)
  const first = blocks.find(
    ({ text }) => text.length >= minTitle && text.length < 2 * title.length && sameWords(text) === words,
  )
  return first && sameWords(first.box.element.textContent) === words ? [first.box.element] : []
}

/** Shorter titles (characters) name the site. */
const minTitle = 8

function signsOf(body: Element, measures: Measures, about: AboutPage, posts: ReadonlySet<Element>): PageSigns {
  const { elements, kind, heading, url } = about
  return {
    kind,
    h1: heading,
    body,
    posts,
    host: hostOf(url),
    title: oneLine(elements.named('title')[0]?.textContent ?? '').toLowerCase(),
    description: oneLine(metaContents(elements, /^(?:og:)?description$/)[0] ?? '').toLowerCase(),
    root: contentRoot(body, measures),
  }
}

const rootId = /^(?:main|content|main-content)$/
/** Minimum share of the page's text in its main content. */
const minInRoot = 0.3

/** Returns the smallest element marked as main content with enough of the text; otherwise the body. */
function contentRoot(body: Element, measures: Measures): Element {
  const enough = minInRoot * (measures.of(body).text || 1)
  const size = (element: Element) => measures.of(element).text
  let best = body
  visit(body, (element) => {
    if (size(element) < enough) return 'skip'
    if (isMarkedAsMain(element) && (best === body || size(element) < size(best))) best = element
    return undefined
  })
  return best
}

function isMarkedAsMain(element: Element): boolean {
  if (element.localName === 'main' || element.localName === 'article') return true
  if (element.getAttribute('role') === 'main' || element.getAttribute('itemprop') === 'articleBody') return true
  return rootId.test(element.getAttribute('id') ?? '') || /(?:^|\s)main-content(?:\s|$)/.test(classOf(element))
}
