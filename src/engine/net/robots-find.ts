/** Where something ends that is in a text from a position on, the first of its kind; -1 if it is not. */
export type Find = (text: string, from: number) => number

/** Up to there the search of the language is faster, and a file has no room for enough parts to make it slow. */
const maxPlainLength = 500

/** Finds a part of a pattern in time linear in the text, whatever both are: Knuth, Morris and Pratt (1977). */
export function finderOf(part: string): Find {
  if (part.length <= maxPlainLength) return (text, from) => plainEnd(part, text, from)
  const borders = bordersOf(part)
  return (text, from) => {
    let matched = 0
    for (let at = from; at < text.length; at += 1) {
      matched = grown(part, borders, matched, text.charCodeAt(at))
      if (matched === part.length) return at + 1
    }
    return -1
  }
}

function plainEnd(part: string, text: string, from: number): number {
  const found = text.indexOf(part, from)
  return found === -1 ? -1 : found + part.length
}

/** For each length of a beginning: how long the longest shorter beginning is that it also ends with. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length + 1)
  for (let at = 1; at < part.length; at += 1) {
    borders[at + 1] = grown(part, borders, borders[at] ?? 0, part.charCodeAt(at))
  }
  return borders
}

/** How much of the part is matched after one more character. */
function grown(part: string, borders: Int32Array, matched: number, code: number): number {
  let length = matched
  while (length > 0 && part.charCodeAt(length) !== code) length = borders[length] ?? 0
  return part.charCodeAt(length) === code ? length + 1 : 0
}
