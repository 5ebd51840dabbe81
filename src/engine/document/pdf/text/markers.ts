import type { Line } from './line.ts'
import type { Word } from './words.ts'

/** The mark before a list item: its number, or undefined for a bullet, and where it stands. */
export type Marker = { number: number | undefined; left: number; rest: Line }

const bullets = /^[•‣◦▪▫●○■□◆❑❖➢★✓✗☑→*·–—-]/
const numbered = /^\(?(?:(\d{1,3})|([a-z])|([ivx]{1,5}))[.)]$/i

/** Splits the mark of a list item off a line. A bold or single-word "1." may be a heading, which is for others to say. */
export function markerOf(line: Line): Marker | undefined {
  const [first, second, ...others] = line.words
  if (!first || line.table) return undefined
  const made = (number: number | undefined, words: Line['words']): Marker => ({
    number,
    left: line.left,
    rest: { ...line, words, left: startOf(line, words[0]) },
  })
  if (second && isBullet(first.text, first.font.symbols !== 'none' || first.font.pitch === 'fixed'))
    return made(undefined, [second, ...others])
  if (bullets.test(first.text) && /^[•‣◦▪▫●○■□◆❑❖➢]\p{L}/u.test(first.text)) {
    const cut = {
      ...first,
      text: first.text.slice(1),
      drawn: first.drawn.slice(1),
      left: first.left + first.size * 0.6,
    }
    return made(undefined, [cut, ...line.words.slice(1)])
  }
  const [, digits, letter, roman] = numbered.exec(first.text) ?? []
  if (!second) return undefined
  if (digits !== undefined) return made(Number(digits), [second, ...others])
  if (letter !== undefined) return made(letterNumber(letter), [second, ...others])
  return roman === undefined ? undefined : made(romanNumber(roman), [second, ...others])
}

const startOf = (line: Line, word: Word | undefined) =>
  line.isMirrored ? -(word?.right ?? 0) : (word?.left ?? line.left)

const isBullet = (text: string, isOdd: boolean) => (text.length === 1 && bullets.test(text)) || (isOdd && text === 'o')

const letterNumber = (letter: string) => letter.toLowerCase().charCodeAt(0) - 96

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

function romanNumber(text: string): number {
  const digits = [...text.toLowerCase()].map((digit) => romanDigits[digit] ?? 0)
  return digits.reduce((sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit), 0)
}
