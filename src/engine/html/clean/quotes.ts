import { type DomNode, type Element, classOf, isElement, isText, nodeAfter, visit } from '../dom.ts'
import type { Measures } from './measure.ts'

const quoteClass = /(?:^|[\s_-])(?:quote|ipsQuote|bbCodeBlock--quote|quotecontent|bbcode_quote|postquote)(?:$|[\s_-])/i
const shingleWords = 4
/** The share of a quote's phrases that must stand elsewhere on the page for it to be a repetition. */
const repeatedShare = 0.6

/** Removes quotes that repeat other posts of the same page: replies in a forum quote what the reader has just read. */
export function dropRepeatedQuotes(root: Element, measures: Measures): void {
  const quotes: Element[] = []
  visit(root, (element) => {
    if (!isQuote(element) || measures.of(element).text < 20) return undefined
    quotes.push(element)
    return 'skip'
  })
  if (quotes.length === 0) return
  const said = shinglesOf(wordsIn(root, new Set(quotes)))
  const known = new Set(said)
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
    const goIn: boolean = isElement(at) && !except.has(at)
    at = (goIn && (at as Element).firstChild) || nodeAfter(at, root)
  }
  return words
}

function shinglesOf(words: readonly string[]): string[] {
  return words.slice(shingleWords - 1).map((_, i) => words.slice(i, i + shingleWords).join(' '))
}
