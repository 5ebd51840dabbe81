import type { Word } from './words.ts'

const rtl = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/
const rtlAll = new RegExp(rtl.source, 'g')
/** Letters and digits that run to the right wherever they stand. */
const ltr = /[\p{L}\p{N}]/u

export type LogicalWord = { text: string; word: Word }

const countOf = (text: string) => text.match(rtlAll)?.length ?? 0
const isRtl = (text: string) => rtl.test(text)
const isLtr = (text: string) => !isRtl(text) && ltr.test(text)

export function isMostlyRtl(words: readonly Word[]): boolean {
  const text = words.map((word) => word.text).join('')
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && countOf(text) * 2 > letters
}

/**
 * A page shows right-to-left scripts as they look. This gives the words of a line in the order in which they are read:
 * the Unicode bidirectional algorithm backwards, as far as single lines need it.
 */
export function inLogicalOrder(words: readonly Word[]): LogicalWord[] {
  const sorted = [...words].sort((one, other) => one.left - other.left)
  const pieces = sorted.map((word) => ({ word, text: isRtl(word.text) ? readText(word) : word.text }))
  if (!words.some(({ text }) => isRtl(text))) return pieces
  return isMostlyRtl(words)
    ? turnRuns(
        pieces.toReversed(),
        ({ text }) => isLtr(text),
        ({ text }) => !isRtl(text),
      )
    : turnRuns(
        pieces,
        ({ text }) => isRtl(text),
        ({ text }) => !isLtr(text),
      )
}

function readText({ drawn }: Word): string {
  const glyphs = turnRuns(drawn.toReversed(), isLtr, (text) => !isRtl(text) && /[\p{L}\p{N}.,:/+-]/u.test(text))
  return glyphs.map((glyph) => mirrored[glyph] ?? glyph).join('')
}

/** What is drawn as an opening bracket closes text that runs to the left. */
const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
}

/** Turns round each run that begins and ends with what `isRun` accepts and holds only what `mayBeWithin` accepts. */
function turnRuns<T>(items: readonly T[], isRun: (item: T) => boolean, mayBeWithin: (item: T) => boolean): T[] {
  const turned: T[] = []
  for (let at = 0; at < items.length;) {
    const end = isRun(items[at]!) ? runEnd(items, at, isRun, mayBeWithin) : at
    turned.push(...items.slice(at, end + 1).reverse())
    at = end + 1
  }
  return turned
}

function runEnd<T>(
  items: readonly T[],
  at: number,
  isRun: (item: T) => boolean,
  mayBeWithin: (item: T) => boolean,
): number {
  let end = at
  for (let next = at; next < items.length && mayBeWithin(items[next]!); next += 1) if (isRun(items[next]!)) end = next
  return end
}
