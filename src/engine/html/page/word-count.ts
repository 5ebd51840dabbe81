/** A word of letters and digits; a Chinese or Japanese character counts as one. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’-][\p{L}\p{N}]+)*/gu

/**
 * URLs of links and images do not count as words. URL starts without an end match as well, without the group: no URL
 * that starts within one has an end either, so each part of the text is searched once.
 */
const address = /\]\([^)\s]*((?:\s"[^"\n]*")?\))?/g
const addressHere = new RegExp(address, 'y')

/**
 * Characters other than Latin letters, punctuation, symbols and pictographs (beyond U+FFFF, U+1F400 to U+1F7FF only).
 */
// oxlint-disable-next-line no-misleading-character-class -- halves of pairs are meant: by whole characters it takes longer
const other = /[^\0-\u024F\u2000-\u206F\u20A0-\u20CF\u2122\u2190-\u23FF\u2500-\u2775\u2794-\u27BF\uD83D\uDC00-\uDFFF]/

const [plain, inWord, joint, bracket] = [0, 1, 2, 3]
/** Class of each character for counting Latin words, by its code: covers all codes, so none is out of bounds. */
const kinds = Uint8Array.from({ length: 0x10000 }, (_, code) => {
  if (code === 0x27 || code === 0x2d || code === 0x2019) return joint
  if (code === 0x5d) return bracket
  return code < 0x250 && /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? inWord : plain
})
const kindAt = (text: string, at: number): number => kinds[text.charCodeAt(at)] ?? plain

/** Counts the words in the text of a markdown document. */
export function wordCount(markdown: string): number {
  return other.test(markdown) ? countByPattern(markdown) : countLatin(markdown)
}

function countByPattern(markdown: string): number {
  let count = 0
  for (const _ of markdown.replace(address, (all, end?: string) => (end === undefined ? all : ']')).matchAll(word))
    count++
  return count
}

/**
 * Counts the same in a tenth of the time and without a copy, for text in Latin script, with no hard-to-predict branch
 * per word.
 */
function countLatin(text: string): number {
  let count = 0
  let before = plain
  const endOfAddress = addressesIn(text)
  for (let at = 0; at < text.length; at++) {
    const kind = kindAt(text, at)
    if (kind <= inWord) {
      count += kind & ~before
      before = kind
    } else if (kind === bracket) {
      before = plain
      at = endOfAddress(at)
    } else before &= Number(kindAt(text, at + 1) === inWord)
  }
  return count
}

/**
 * Finds the last character of the URL after a link's text, given the bracket that ends the text; returns the bracket
 * itself if none follows.
 */
function addressesIn(text: string): (bracket: number) => number {
  let endless = 0
  return (at) => {
    if (at < endless || text.charCodeAt(at + 1) !== 0x28) return at
    addressHere.lastIndex = at
    const hasEnd = addressHere.exec(text)?.[1] !== undefined
    const end = addressHere.lastIndex
    if (!hasEnd) endless = end
    return hasEnd ? end - 1 : at
  }
}
