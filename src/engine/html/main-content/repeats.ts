import { type Element, oneLine, visit, classOf, type DomNode, isElement, isText, nodeAfter } from '../dom/dom.ts'
import { isPartOfText } from '../dom/part-of-text.ts'
import type { Measures } from './measure.ts'

const boxName = /^(?:div|section|article|ul|ol|li|figure)$/
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
    if (pre > 0 || text < minText || text > maxText || read > maxRead || !boxName.test(element.localName))
      return undefined
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
