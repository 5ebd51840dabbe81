import type { Word } from './pdf-words.ts'
import type { Box } from '../content-stream/page-graphics.ts'

/** Adjacent words without a wide gap: a line of a column, or the part of a line in one table cell. */
export type TextLine = Box & {
  words: readonly Word[]
  baseline: number
  /** Font size of most of its characters. */
  size: number
  /** True if left and right are swapped, so right-to-left text is laid out like any other. */
  isMirrored?: boolean
  /** Table found at this position, instead of words. */
  table?: Table
}

export type Cell = { lines: readonly TextLine[]; colspan: number; rowspan: number; kind: 'header' | 'data' }
export type Table = { rows: readonly (readonly Cell[])[] }

/** A gap wider than this share of the font size separates columns or cells. */
const cellGap = 1.1

/**
 * Returns lines from top to bottom, lines at the same height from left to right. Words are on one line if their
 * baselines agree; small superscripts and subscripts join the line they touch.
 */
export function linesOf(words: readonly Word[]): TextLine[] {
  const rows = rowsOf(words).map((row) => row.sort((one, other) => one.left - other.left))
  const gutters = guttersOf(rows)
  const lines = rows.flatMap((row, index) => splitAtGaps(row, gutters[index]!))
  return withScripts(lines).sort((one, other) => one.baseline - other.baseline || one.left - other.left)
}

function rowsOf(words: readonly Word[]): Word[][] {
  const rows: Word[][] = []
  for (const word of [...words].sort((one, other) => one.baseline - other.baseline)) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row && first && word.baseline - first.baseline <= Math.max(1, Math.min(first.size, word.size) * 0.2))
      row.push(word)
    else rows.push([word])
  }
  return rows
}

type Gap = { left: number; right: number }

/** Minimum number of rows with a gap at the same place; such a gutter may be narrower than `cellGap`. */
const minGutterRows = 6
/** Maximum number of gutters followed at a time; pages have fewer, hostile pages thousands. */
const maxOpenGutters = 50
const gutterGap = 0.6
/** Minimum number of words on each side of a gutter in most rows: labels and cells have fewer. */
const minGutterWords = 3

/** Finds gaps that continue from row to row and have text on both sides; returns those of each row. */
function guttersOf(rows: readonly (readonly Word[])[]): Gap[][] {
  const found: Gap[][] = rows.map(() => [])
  let open: (Gap & { rows: number[] })[] = []
  const end = (gutter: (typeof open)[number]) => {
    if (gutter.rows.length >= minGutterRows) for (const row of gutter.rows) found[row]!.push(gutter)
  }
  rows.forEach((row, index) => {
    const gaps = row.flatMap((word, at): Gap[] => {
      const [left, isBetween] = [
        row[at - 1]?.right ?? Infinity,
        at >= minGutterWords && row.length - at >= minGutterWords,
      ]
      return isBetween && word.left - left > word.size * gutterGap ? [{ left, right: word.left }] : []
    })
    const size = row[0]?.size ?? 0
    const next: typeof open = []
    for (const gutter of open) {
      const gap = gaps.find(
        ({ left, right }) => Math.min(right, gutter.right) - Math.max(left, gutter.left) > size * gutterGap,
      )
      if (gap) {
        gutter.rows.push(index)
        next.push({
          left: Math.max(gap.left, gutter.left),
          right: Math.min(gap.right, gutter.right),
          rows: gutter.rows,
        })
      } else if (row.every((word) => word.right <= gutter.left || word.left >= gutter.right)) next.push(gutter)
      else end(gutter)
    }
    const isNew = ({ left, right }: Gap) => !next.some((gutter) => gutter.left < right && gutter.right > left)
    const all = [...next, ...gaps.filter(isNew).map((gap) => ({ ...gap, rows: [index] }))]
    open = all.slice(-maxOpenGutters)
    all.slice(0, -maxOpenGutters).forEach(end)
  })
  open.forEach(end)
  return found
}

function splitAtGaps(row: readonly Word[], gutters: readonly Gap[]): TextLine[] {
  const parts: Word[][] = []
  for (const word of row) {
    const last = parts.at(-1)
    const before = last?.at(-1)
    const isInGutter = gutters.some(({ left, right }) => before && before.right <= left && word.left >= right)
    if (last && before && !isInGutter && !isApart(before, word)) last.push(word)
    else parts.push([word])
  }
  return parts.map(lineOf)
}

/** Number or letter before the text of a list item: `1.`, `a)`, `(iv)`. */
export const itemNumber = /^(?<open>\(?)(?:(?<digits>\d{1,3})|(?<letter>[a-z])|(?<roman>[ivxlc]{2,6}))(?<close>[.)])$/i

/** True if a wide gap separates two words, unless the first is the mark of a list item. */
function isApart(before: Word, word: Word): boolean {
  const gap = word.left - before.right
  const size = Math.max(before.size, word.size)
  if (gap <= cellGap * size) return false
  return !(gap <= 4 * size && (/^[•‣◦▪▫●○■□◆❑–➢❖✓☑*]$/.test(before.text) || itemNumber.test(before.text)))
}

export function lineOf(words: readonly Word[]): TextLine {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  let main = words[0]!
  for (const word of words) {
    box.left = Math.min(box.left, word.left)
    box.right = Math.max(box.right, word.right)
    box.top = Math.min(box.top, word.top)
    box.bottom = Math.max(box.bottom, word.bottom)
    if (word.drawn.length * word.size > main.drawn.length * main.size) main = word
  }
  return { ...box, words, baseline: main.baseline, size: main.size }
}

/**
 * Joins footnote marks and indices to their line: much smaller than it, within its height, directly next to its words.
 */
function withScripts(lines: readonly TextLine[]): TextLine[] {
  const sorted = [...lines].sort((one, other) => one.baseline - other.baseline || one.left - other.left)
  const joined = new Map<TextLine, TextLine[]>()
  sorted.forEach((line, index) => {
    const host = nearLines(sorted, index).find((other) => isScriptOf(line, other))
    if (host) joined.set(host, [...(joined.get(host) ?? []), line])
  })
  const scripts = new Set([...joined.values()].flat())
  return rejoined(sorted.filter((line) => !scripts.has(line)).map((line) => withJoined(line, joined.get(line))))
}

/** Returns lines at nearly the same height, from the fifty before and after: more of them are a drawing. */
function nearLines(sorted: readonly TextLine[], index: number): TextLine[] {
  const line = sorted[index]!
  return sorted
    .slice(Math.max(0, index - 50), index + 50)
    .filter((other) => Math.abs(other.baseline - line.baseline) < other.size * 0.8)
}

function isScriptOf(line: TextLine, host: TextLine): boolean {
  if (line === host || line.size > host.size * 0.86 || line.words.length > 4) return false
  const shift = Math.abs(host.baseline - line.baseline)
  // A mark of a note may be followed by a blank.
  const reach = host.size * 0.5
  const touches = host.words.some(
    (word) => Math.abs(line.left - word.right) < reach || Math.abs(word.left - line.right) < reach,
  )
  return touches && shift > host.size * 0.08 && shift < host.size * 0.75
}

function withJoined(line: TextLine, scripts: readonly TextLine[] | undefined): TextLine {
  if (!scripts) return line
  const words = [...line.words, ...scripts.flatMap((script) => script.words)].sort(
    (one, other) => one.left - other.left,
  )
  return { ...lineOf(words), baseline: line.baseline, size: line.size, top: line.top, bottom: line.bottom }
}

/** Rejoins two parts of a line that were separated by a superscript. */
function rejoined(lines: readonly TextLine[]): TextLine[] {
  const whole: TextLine[] = []
  for (const line of lines) {
    const before = whole.at(-1)
    const isNext = before && Math.abs(before.baseline - line.baseline) < 0.5
    const gap = isNext ? line.left - before.right : Infinity
    if (before && gap > -line.size * 0.3 && gap <= line.size * 0.5)
      whole[whole.length - 1] = lineOf([...before.words, ...line.words])
    else whole.push(line)
  }
  return whole
}

const isBold = ({ font }: Word) => font.weight === 'bold'
const hasLetters = ({ text }: Word) => /[\p{L}\p{N}]/u.test(text)

export const isAllBold = ({ words }: TextLine): boolean =>
  words.some(hasLetters) && words.every((word) => isBold(word) || !hasLetters(word))

export function isCodeLine({ words }: TextLine, typewriter: 'code' | 'text'): boolean {
  const isAll = words.every(({ font, href }) => font.pitch === 'fixed' && href === undefined)
  return typewriter === 'code' && isAll && words.some(({ isTyped }) => isTyped)
}

export const hasLeaders = ({ words }: TextLine): boolean =>
  /(?:\. ?){5,}|…{2,}/.test(words.map(({ text }) => text).join(' '))
