import { codesOf } from '../dom/text-codes.ts'

/** A word of letters and digits; a Chinese or Japanese character counts as one. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’-][\p{L}\p{N}]+)*/gu

/**
 * URLs of links and images do not count as words. The start of a URL without an end matches as well, but without
 * the group. A URL that starts within such a match has no end either, so each part of the text is searched once.
 */
const address = /\]\([^)\s]*((?:\s"[^"\n]*")?\))?/g
const addressHere = new RegExp(address, 'y')

/**
 * Characters other than Latin letters, punctuation, symbols and pictographs (beyond U+FFFF, U+1F400 to U+1F7FF only).
 */
// oxlint-disable-next-line no-misleading-character-class -- halves of pairs are intended: whole characters take longer
const other = /[^\0-\u024F\u2000-\u206F\u20A0-\u20CF\u2122\u2190-\u23FF\u2500-\u2775\u2794-\u27BF\uD83D\uDC00-\uDFFF]/

const [plain, inWord, joint, bracket] = [0, 1, 2, 3]
/** Class of each character for counting Latin words, by its code: covers all codes, so none is out of bounds. */
const kinds = Uint8Array.from({ length: 0x10000 }, (_, code) => {
  if (code === 0x27 || code === 0x2d || code === 0x2019) return joint
  if (code === 0x5d) return bracket
  return code < 0x250 && /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? inWord : plain
})

/** Counts the words in the text of a markdown document. */
export function wordCount(markdown: string): number {
  return other.test(markdown) ? countByPattern(markdown) : countLatin(markdown)
}

function countByPattern(markdown: string): number {
  const text = markdown.replace(address, (all, end?: string) => (end === undefined ? all : ']'))
  let count = 0
  // At the end of the text, the pattern starts over.
  while (word.test(text)) count++
  return count
}

/** Counts the same in a tenth of the time, for text in Latin script, with no hard-to-predict branch per word. */
function countLatin(text: string): number {
  const codes = codesOf(text)
  let count = 0
  // The lowest bit means that a word continues here, the second that no joiner is directly before.
  let before = 0
  const endOfAddress = addressesIn(text, codes)
  for (let at = 0; at < text.length; at++) {
    const kind = kinds[codes[at]!]!
    if (kind <= inWord) {
      count += kind & ~before
      before = 3 * kind
    } else if (kind === bracket) {
      before = 0
      at = endOfAddress(at)
    } else before >>= 1
  }
  return count
}

/**
 * Finds the last character of the URL after a link's text, given the bracket that ends the text; returns the bracket
 * itself if none follows.
 */
function addressesIn(text: string, codes: Uint16Array): (bracket: number) => number {
  let endless = 0
  return (at) => {
    if (at < endless || codes[at + 1] !== 0x28) return at
    // Nearly all addresses are ASCII without a title.
    let close = at + 2
    while (codes[close]! > 0x20 && codes[close]! < 0x7f && codes[close] !== 0x29) close++
    if (codes[close] === 0x29) return close
    addressHere.lastIndex = at
    const hasEnd = addressHere.exec(text)?.[1] !== undefined
    const end = addressHere.lastIndex
    if (!hasEnd) endless = end
    return hasEnd ? end - 1 : at
  }
}
