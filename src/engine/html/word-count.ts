/** A word of letters and digits; a sign of Chinese or Japanese counts as one. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’-][\p{L}\p{N}]+)*/gu
/** Addresses of links and pictures are no words. */
const address = /\]\([^)\s]*(?:\s"[^"\n]*")?\)/g

/** What is not written in Latin letters, or with punctuation and symbols of any script. */
const other = /[^\0-\u024F\u2000-\u206F\u20A0-\u20CF\u2190-\u23FF\u2500-\u26FF]/
/** 1 for each Latin letter and digit, by its code. */
const latin = Uint8Array.from({ length: 0x250 }, (_, code) => Number(/[\p{L}\p{N}]/u.test(String.fromCharCode(code))))
const isJoint = (code: number) => code === 0x27 || code === 0x2d || code === 0x2019

/** How many words a reader of this markdown reads. */
export function wordCount(markdown: string): number {
  const text = markdown.replace(address, ']')
  return other.test(text) ? countByPattern(text) : countLatin(text)
}

function countByPattern(text: string): number {
  let count = 0
  for (const _ of text.matchAll(word)) count++
  return count
}

/** The same count in a third of the time: most pages are long and Latin. */
function countLatin(text: string): number {
  let count = 0
  let isInWord = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (latin[code] === 1) {
      if (!isInWord) count++
      isInWord = true
    } else isInWord &&= isJoint(code) && latin[text.charCodeAt(at + 1)] === 1
  }
  return count
}
