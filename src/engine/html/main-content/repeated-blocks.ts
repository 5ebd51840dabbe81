import {
  type Element,
  elementsIn,
  oneLine,
  visit,
  classOf,
  type DomNode,
  isElement,
  isText,
  nodeAfter,
} from '../dom/dom.ts'
import { isPartOfText } from '../dom/part-of-text.ts'
import type { Measures } from './measure.ts'

/** Maximum number of fingerprinted blocks per page. */
const maxBlocks = 2000
/** Shorter blocks (in letters and digits) say the same on many pages by chance: "Yes", "Price", a number. */
const minLetters = 8
/** If less than this would be left, as a share of the text or in characters, the page keeps everything. */
const minShareLeft = 0.1
const minTextLeft = 200

const block = /^(?:p|li|div|section|article|td|th|dt|dd|h[2-6]|figcaption|blockquote|pre|address|a|span|button|label)$/
const holder =
  /^(?:p|li|ul|ol|dl|div|section|article|table|h[1-6]|blockquote|pre|nav|header|footer|aside|main|form|figure)$/

/**
 * Hashes of the page's text blocks, each once, in document order. Blocks shared by most pages of a host are its template
 * (template detection: Bar-Yossef and Rajagopalan, WWW 2002; Yi, Liu and Li, KDD 2003).
 */
export function blockFingerprints(body: Element, measures: Measures): string[] {
  const found = new Set<string>()
  for (const element of blocksIn(body, measures)) {
    const print = fingerprint(element.textContent)
    if (print !== undefined) found.add(print)
    if (found.size >= maxBlocks) break
  }
  return [...found]
}

/** Removes the blocks seen on most pages of the host. The title stays, and a page that would be left empty stays whole. */
export function dropRepeatedBlocks(body: Element, measures: Measures, repeated: readonly string[]): void {
  if (repeated.length === 0) return
  const known = new Set(repeated)
  const found = blocksIn(body, measures).filter((element) => known.has(fingerprint(element.textContent) ?? ''))
  const total = measures.of(body).text
  const left = total - found.reduce((sum, element) => sum + measures.of(element).text, 0)
  if (left < minShareLeft * total || left < Math.min(minTextLeft, 0.5 * total)) return
  for (const element of found) measures.remove(element)
}

/** Elements with text and no blocks of text inside, outside of the title. */
function blocksIn(body: Element, measures: Measures): Element[] {
  const taken = new Set<Element>()
  return elementsIn(body).filter((element) => {
    if (element.parentNode && taken.has(element.parentNode)) {
      taken.add(element)
      return false
    }
    const { text, h1, main } = measures.of(element)
    if (text === 0 || h1 + main > 0 || !block.test(element.localName) || holdsBlocks(element, measures)) return false
    taken.add(element)
    return !isInTitle(element)
  })
}

function holdsBlocks(element: Element, measures: Measures): boolean {
  if (measures.of(element).elements === 1) return false
  return elementsIn(element).some((inner) => holder.test(inner.localName) && measures.of(inner).text > 0)
}

function isInTitle(element: Element): boolean {
  for (let up = element.parentNode; up; up = up.parentNode) if (up.localName === 'h1') return true
  return false
}

/** FNV-1a of the letters and digits, 32 bits, in base 36; undefined for a text too short to say anything. */
export function fingerprint(text: string): string | undefined {
  const letters = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  if (letters.length < minLetters) return undefined
  let hash = 0x811c9dc5
  for (let i = 0; i < letters.length; i++) hash = Math.imul(hash ^ letters.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36)
}

const box = /^(?:div|section|article|ul|ol|li|figure)$/
/** Shorter texts are repeated by people; longer ones by templates: cloned slides, a copy for phones and one for desks. */
const minText = 80
const maxText = 20_000
/** Boxes nest, so their texts add up to more than the page; a page that exceeds this is too odd to be worth it. */
const maxRead = 5_000_000

/** Removes boxes whose whole text stands in an earlier box. */
export function dropRepeats(root: Element, measures: Measures): void {
  const seen = new Map<string, Element>()
  let read = 0
  visit(root, (element) => {
    const { text, pre } = measures.of(element)
    if (pre > 0 || text < minText || text > maxText || read > maxRead || !box.test(element.localName)) return undefined
    read += text
    const words = oneLine(element.textContent)
    const earlier = seen.get(words)
    if (earlier && !earlier.contains(element) && !isPartOfText(element)) {
      measures.remove(element)
      return 'skip'
    }
    seen.set(words, element)
    return undefined
  })
}

const quoteClass = /(?:^|[\s_-])(?:quote|ipsQuote|bbCodeBlock--quote|quotecontent|bbcode_quote|postquote)(?:$|[\s_-])/i

const shingleWords = 4

/** The share of a quote's phrases that must stand elsewhere on the page for it to be a repetition. */
const repeatedShare = 0.6

/** Removes quotes that repeat other posts of the same page: replies in a forum quote what the reader has just read. */
export function dropRepeatedQuotes(root: Element, measures: Measures): void {
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
    if (isText(at)) for (const [word] of at.textContent.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) words.push(word)
    const entered: Element | undefined = isElement(at) && !except.has(at) ? at : undefined
    at = entered?.firstChild ?? nodeAfter(at, root)
  }
  return words
}

function shinglesOf(words: readonly string[]): string[] {
  return words.slice(shingleWords - 1).map((_, i) => words.slice(i, i + shingleWords).join(' '))
}
