import { hasLeaders, isAllBold, isCodeLine, itemNumber, type Table, type TextLine } from '../text/text-lines.ts'
import type { Word } from '../text/pdf-words.ts'
import { romanNumber } from './running-heads.ts'

/** `left` is the position of the item's mark. */
export type Item = { depth: number; number: number | undefined; left: number; lines: TextLine[] }
export type Block =
  | { kind: 'text'; lines: TextLine[] }
  | { kind: 'heading'; level: number; lines: TextLine[] }
  | { kind: 'list'; items: Item[] }
  | { kind: 'table'; table: Table }
  | { kind: 'code'; lines: TextLine[] }

/** Meaning of fixed-pitch text: code, or text if most of the file is set in it. */
export type Typewriter = 'code' | 'text'
/** `numbers`: numbers at the starts of lines, as `keyOf` writes them. */
type ColumnMetrics = {
  typewriter: Typewriter
  pitch: number
  left: number
  right: number
  numbers: ReadonlySet<string>
}

/** Splits the lines of one column into paragraphs, lists, code and tables, from top to bottom. */
export function blocksOf(lines: readonly TextLine[], typewriter: Typewriter): Block[] {
  const setting = {
    typewriter,
    pitch: pitchOf(lines),
    left: Math.min(...lines.map(({ left }) => left)),
    right: Math.max(...lines.map(({ right }) => right)),
    numbers: new Set(lines.flatMap(({ words }) => numbersIn(words[0]?.text ?? '').map(keyOf))),
  }
  const blocks: Block[] = []
  for (const line of lines) addLine(blocks, line, setting)
  return blocks
}

/** Returns the line pitch within paragraphs: the lower quartile, because gaps between paragraphs are wider. */
function pitchOf(lines: readonly TextLine[]): number {
  const gaps = lines
    .slice(1)
    .map((line, index) => ({ line, before: lines[index]! }))
    .filter(
      ({ line, before }) => Math.abs(line.size - before.size) < 1 && line.baseline - before.baseline > line.size * 0.8,
    )
    .map(({ line, before }) => line.baseline - before.baseline)
    .sort((one, other) => one - other)
  return gaps[Math.floor(gaps.length / 4)] ?? (lines[0]?.size ?? 12) * 1.35
}

function addLine(blocks: Block[], line: TextLine, setting: ColumnMetrics): void {
  const last = blocks.at(-1)
  if (line.table) blocks.push({ kind: 'table', table: line.table })
  else if (isCodeLine(line, setting.typewriter)) {
    if (last?.kind === 'code' && gapAfter(last.lines, line) < line.size * 4) last.lines.push(line)
    else blocks.push({ kind: 'code', lines: [line] })
  } else if (!addItem(blocks, line, setting)) addText(blocks, line, setting)
}

const gapAfter = (lines: readonly TextLine[], line: TextLine) => line.baseline - (lines.at(-1)?.baseline ?? -Infinity)

function addItem(blocks: Block[], line: TextLine, setting: ColumnMetrics): boolean {
  const marker = markerOf(line)
  const last = blocks.at(-1)
  if (marker && mayBeginItem(marker, blocks, line, setting)) {
    const item = { number: marker.number, left: marker.left, lines: [marker.rest] }
    if (last?.kind === 'list') last.items.push({ ...item, depth: depthOf(last.items, marker.left) })
    else blocks.push({ kind: 'list', items: [{ ...item, depth: 0 }] })
    return true
  }
  const item = last?.kind === 'list' ? last.items.at(-1) : undefined
  if (!item || !continuesItem(item, line, setting)) return false
  item.lines.push(line)
  return true
}

/**
 * True if the mark starts an item: a bullet, a first or next number, or a mark in sequence. Bold ones start headings.
 */
function mayBeginItem(
  { number, textMark }: Marker,
  blocks: readonly Block[],
  line: TextLine,
  { numbers: all }: ColumnMetrics,
): boolean {
  if (number === undefined && textMark === undefined) return true
  if (isAllBold(line)) return false
  if (number === undefined) return isInSequence(textMark ?? '', all)
  const numbers = blocks
    .slice(-4)
    .flatMap((block) => (block.kind === 'list' ? block.items.map((item) => item.number) : []))
  return number === 1 || numbers.includes(number - 1)
}

function depthOf(items: readonly Item[], left: number): number {
  const near = items.findLast((item) => Math.abs(item.left - left) <= 3)
  if (near) return near.depth
  const outer = items.findLast((item) => item.left < left)
  return outer ? outer.depth + 1 : 0
}

function continuesItem(item: Item, line: TextLine, { pitch, right }: ColumnMetrics): boolean {
  const first = item.lines[0]!
  const last = item.lines.at(-1)!
  const gap = line.baseline - last.baseline
  if (gap <= 0 || gap > Math.max(pitch * 1.3, line.size * 1.6) || Math.abs(line.size - last.size) > 1) return false
  if (line.left >= first.left - line.size * 0.6) return true
  const isFull = right - last.right < (right - item.left) * 0.15
  return isFull && line.left >= item.left - 2 && gap <= pitch * 1.15
}

function addText(blocks: Block[], line: TextLine, setting: ColumnMetrics): void {
  const last = blocks.at(-1)
  if (last?.kind === 'text' && !startsParagraph(last.lines, line, setting)) last.lines.push(line)
  else blocks.push({ kind: 'text', lines: [line] })
}

/** True if a line starts a new paragraph rather than continuing the one with these lines. */
function startsParagraph(lines: readonly TextLine[], line: TextLine, setting: ColumnMetrics): boolean {
  const last = lines.at(-1)!
  const gap = line.baseline - last.baseline
  return (
    Math.abs(line.size - last.size) > Math.max(0.6, last.size * 0.06) ||
    gap <= 0 ||
    gap >
      Math.max(expectedPitch(lines, setting.pitch), line.size) * (hasScripts(last) || hasScripts(line) ? 1.45 : 1.22) ||
    changesWeight(last, line) ||
    isIndented(lines, line) ||
    isLeftShort(last, line, gap, setting) ||
    hasLeaders(last)
  )
}

/** True for raised or lowered text, for which browsers move lines apart. */
const hasScripts = ({ words, size, baseline }: TextLine): boolean =>
  words.some((word) => word.size < size * 0.9 && Math.abs(word.baseline - baseline) > size * 0.1)

/**
 * Returns the expected line pitch: within a paragraph its own pitch, within limits, because headings and notes are set
 * at other pitches.
 */
function expectedPitch(lines: readonly TextLine[], pitch: number): number {
  const [first, second] = lines
  const last = lines.at(-1)!
  if (first && second) return second.baseline - first.baseline
  return Math.min(Math.max(pitch, last.size * 1.15), last.size * 2.6)
}

function changesWeight(last: TextLine, line: TextLine): boolean {
  const [end, start] = [last.words.at(-1), line.words[0]]
  if (!end || !start || end.font.weight === start.font.weight) return false
  return isAllBold(last) || isAllBold(line)
}

function isIndented(lines: readonly TextLine[], line: TextLine): boolean {
  const left = Math.min(...lines.slice(-3).map((other) => other.left))
  const isCentred = lines.some((other) => Math.abs(other.left + other.right - line.left - line.right) < 6)
  if (isCentred) return false
  if (line.left > left + line.size * 0.8) return true
  // The first line may be indented or outdented; after it the margin applies.
  return lines.length > 1 && line.left < left - line.size * 0.8
}

/** True if the last line had room for the next word, so it ended deliberately. */
function isLeftShort(last: TextLine, line: TextLine, gap: number, { left, right, pitch }: ColumnMetrics): boolean {
  const width = right - left
  const first = line.words[0]
  const room = right - last.right - (first ? first.right - first.left : 0)
  const text = last.words.at(-1)?.text ?? ''
  if (/[\p{L}\p{N}][-\u00AD]$/u.test(text)) return false
  if (room > width * 0.5) return true
  if (room > width * 0.2 && gap > Math.max(pitch * 1.1, line.size * 1.5)) return true
  return room > width * 0.08 && /[.!?:…。！？]["”’)]?$/.test(text)
}

type ItemNumber = { style: string; value: number }

/** Returns the values that a mark in words may have: "(c)" is a letter or a Roman number. */
function numbersIn(text: string): ItemNumber[] {
  const { open = '', digits, letter, roman = letter ?? '', close = '' } = itemNumber.exec(text)?.groups ?? {}
  if (close === '') return []
  const style = `${open}${close}${/[A-Z]/.test(text) ? 'A' : 'a'}`
  return [
    ...(digits === undefined ? [] : [{ style: `${style} digits`, value: Number(digits) }]),
    ...(letter === undefined ? [] : [{ style: `${style} letters`, value: letter.toLowerCase().charCodeAt(0) - 96 }]),
    ...(/^[ivxlc]+$/i.test(roman) ? [{ style: `${style} roman`, value: romanNumber(roman) }] : []),
  ]
}

const keyOf = ({ style, value }: ItemNumber) => `${style} ${value}`

/**
 * True if the column has the mark before or after this one, or it is a first one in brackets: "A." may be an initial.
 */
function isInSequence(mark: string, all: ReadonlySet<string>): boolean {
  return numbersIn(mark).some(
    ({ style, value }) =>
      (value === 1 && /\)a/.test(style)) ||
      [value - 1, value + 1].some((other) => all.has(keyOf({ style, value: other }))),
  )
}

/**
 * Mark before a list item: its number, or undefined for a bullet, and its position. `textMark`: a mark such as "(a)"
 * that stays in the text, because lists of markdown cannot show it.
 */
type Marker = { number: number | undefined; textMark?: string; left: number; rest: TextLine }

const bullets = /^[•‣◦▪▫●○■□◆❑❖➢★✓✗☑→*·–—-]/

/** Splits the mark of a list item off a line. A bold or single-word "1." may be a heading, which the caller decides. */
export function markerOf(line: TextLine): Marker | undefined {
  const [first, second, ...others] = line.words
  if (!first || line.table) return undefined
  const markerWith = (number: number | undefined, words: TextLine['words']): Marker => ({
    number,
    left: line.left,
    rest: { ...line, words, left: startOf(line, words[0]) },
  })
  if (second && isBullet(first.text, first.font.symbols !== 'none' || first.font.pitch === 'fixed'))
    return markerWith(undefined, [second, ...others])
  if (bullets.test(first.text) && /^[•‣◦▪▫●○■□◆❑❖➢]\p{L}/u.test(first.text)) {
    const cut = {
      ...first,
      text: first.text.slice(1),
      drawn: first.drawn.slice(1),
      left: first.left + first.size * 0.6,
    }
    return markerWith(undefined, [cut, ...line.words.slice(1)])
  }
  const { open, digits, close } = itemNumber.exec(first.text)?.groups ?? {}
  if (!second || close === undefined) return undefined
  const item = markerWith(Number(digits), [second, ...others])
  if (digits !== undefined && open === '') return item
  return { ...item, number: undefined, textMark: first.text, rest: { ...item.rest, words: line.words } }
}

const startOf = (line: TextLine, word: Word | undefined) =>
  line.isMirrored ? -(word?.right ?? 0) : (word?.left ?? line.left)

const isBullet = (text: string, isOdd: boolean) => (text.length === 1 && bullets.test(text)) || (isOdd && text === 'o')
