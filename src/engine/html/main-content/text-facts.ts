import type { DomNode } from '../dom/dom-tree.ts'
import { codesOf } from '../dom/text-codes.ts'

/** Statistics of a text node, from one scan of its characters. */
export type TextFacts = {
  /** Number of characters other than white space, and of runs of white space between them. */
  characters: number
  gaps: number
  startsWithGap: boolean
  endsWithGap: boolean
  /** True if all white space is single spaces. */
  isEven: boolean
  capitals: number
  digits: number
  commas: number
  marks: number
  signs: number
  /** Code of the last character that is not white space. */
  last: number
  /** Hash of the characters without white space. */
  hash: number
}

const [capital, digit, comma, mark, sign, wide, space, oddSpace] = [1, 2, 3, 4, 5, 6, 7, 8]
/** Kind of each character by its code, 0 for other letters. Covers all codes, so none is out of bounds. */
const kinds = new Uint8Array(0x10000)
  .fill(sign, 33, 128)
  .fill(0, 97, 123)
  .fill(capital, 65, 91)
  .fill(digit, 48, 58)
  .fill(oddSpace, 0, 32)
  .fill(space, 32, 33)
  .fill(oddSpace, 160, 161)
const setKinds = (kind: number, characters: string) => {
  for (const character of characters) kinds[character.charCodeAt(0)] = kind
}
// Punctuation of clauses and sentences in Western, Arabic and East Asian scripts.
setKinds(comma, ';,、，،')
setKinds(mark, '.!?。！？')
setKinds(
  wide,
  `\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF`,
)
/** Number of characters of each kind in the text that is read. */
const counts = new Uint32Array(8)
/** Any large odd number. */
const factor = 0x01000193

/** Returns the statistics of white space, with the properties in the same order as in `readText` for V8. */
const blank = (hasGap: boolean, isEven: boolean): TextFacts => ({
  characters: 0,
  gaps: hasGap ? -1 : 0,
  startsWithGap: hasGap,
  endsWithGap: hasGap,
  isEven,
  capitals: 0,
  digits: 0,
  commas: 0,
  marks: 0,
  signs: 0,
  last: 0,
  hash: 0,
})
const nothing = blank(false, true)
const oneSpace = blank(true, true)
const whiteSpace = blank(true, false)

/** Half of all texts are white space, so they share their statistics. */
function blankFacts(spaces: number, oddSpaces: number): TextFacts {
  if (spaces === 0) return nothing
  return spaces === 1 && oddSpaces === 0 ? oneSpace : whiteSpace
}

/** Reads a text from an array of characters. */
export function readText(codes: Uint16Array, from: number, to: number): TextFacts {
  counts.fill(0)
  let hash = 0
  let last = 0
  let lastSpace = -1
  let [spaces, runs, oddSpaces] = [0, 0, 0]
  for (let i = from; i < to; i++) {
    const code = codes[i]!
    const kind = kinds[code]!
    if (kind < space) {
      hash = (Math.imul(hash, factor) + code) | 0
      last = code
      if (kind > 0) counts[kind]!++
      continue
    }
    if (kind === oddSpace) oddSpaces++
    spaces++
    if (spaces === 1 || i - lastSpace > 1) runs++
    lastSpace = i
  }
  if (spaces === to - from) return blankFacts(spaces, oddSpaces)
  const startsWithGap = kinds[codes[from]!]! >= space
  const endsWithGap = lastSpace === to - 1 && spaces > 0
  return {
    characters: to - from - spaces,
    gaps: runs - (startsWithGap ? 1 : 0) - (endsWithGap ? 1 : 0),
    startsWithGap,
    endsWithGap,
    isEven: spaces === runs && oddSpaces === 0 && counts[wide] === 0,
    capitals: counts[capital]!,
    digits: counts[digit]!,
    commas: counts[comma]!,
    marks: counts[mark]!,
    signs: counts[sign]!,
    last,
    hash,
  }
}

/** Returns the statistics of a text node: those stored by `measure`, unless the text is newer. */
export function textFactsOf(text: DomNode): TextFacts {
  return (text.notes as TextFacts | undefined) ?? readText(codesOf(text.textContent), 0, text.textContent.length)
}

/** Returns the hash of a text that continues another one. */
export const joinedHash = (before: number, { hash, characters }: TextFacts) =>
  (Math.imul(before, power(characters)) + hash) | 0

const powers = new Int32Array(1024).fill(1)
for (let n = 1; n < powers.length; n++) powers[n] = Math.imul(powers[n - 1]!, factor)
const power = (n: number): number => powers[n] ?? Math.imul(power(n >> 1), power(n - (n >> 1)))
