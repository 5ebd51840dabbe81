/** A word of letters and digits; a sign of Chinese or Japanese counts as one. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’-][\p{L}\p{N}]+)*/gu
/** Addresses of links and pictures are no words. */
const address = /\]\([^)\s]*(?:\s"[^"\n]*")?\)/g

/** How many words a reader of this markdown reads. */
export function wordCount(markdown: string): number {
  let count = 0
  for (const _ of markdown.replace(address, ']').matchAll(word)) count++
  return count
}
