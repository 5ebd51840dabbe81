import { type TextLine, type Table, endsParagraph, isAllBold, isCodeLine, pitchOf } from '../text/text-lines.ts'
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

/** Meaning of fixed-pitch text: code, or text in a file set entirely in typewriter. */
export type Typewriter = 'code' | 'text'
type ColumnMetrics = { typewriter: Typewriter; pitch: number; left: number; right: number }

/** Splits the lines of one column into paragraphs, lists, code and tables, from top to bottom. */
export function blocksOf(lines: readonly TextLine[], typewriter: Typewriter): Block[] {
  const setting = {
    typewriter,
    pitch: pitchOf(lines),
    left: Math.min(...lines.map(({ left }) => left)),
    right: Math.max(...lines.map(({ right }) => right)),
  }
  const blocks: Block[] = []
  for (const line of lines) addLine(blocks, line, setting)
  return blocks
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
  if (marker && mayBeginItem(marker, blocks, line)) {
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

/** A list starts with its first number and continues with the next one; bold numbers start headings. */
function mayBeginItem({ number }: Marker, blocks: readonly Block[], line: TextLine): boolean {
  if (number === undefined) return true
  if (isAllBold(line)) return false
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
  if (last?.kind === 'text' && !endsParagraph(last.lines, line, setting)) last.lines.push(line)
  else blocks.push({ kind: 'text', lines: [line] })
}

/** Mark before a list item: its number, or undefined for a bullet, and its position. */
type Marker = { number: number | undefined; left: number; rest: TextLine }

const bullets = /^[•‣◦▪▫●○■□◆❑❖➢★✓✗☑→*·–—-]/
const numbered = /^\(?(?:(\d{1,3})|([a-z])|([ivx]{1,5}))[.)]$/i

/** Splits the mark of a list item off a line. A bold or single-word "1." may be a heading, which the caller decides. */
export function markerOf(line: TextLine): Marker | undefined {
  const [first, second, ...others] = line.words
  if (!first || line.table) return undefined
  const made = (number: number | undefined, words: TextLine['words']): Marker => ({
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

const startOf = (line: TextLine, word: Word | undefined) =>
  line.isMirrored ? -(word?.right ?? 0) : (word?.left ?? line.left)

const isBullet = (text: string, isOdd: boolean) => (text.length === 1 && bullets.test(text)) || (isOdd && text === 'o')

const letterNumber = (letter: string) => letter.toLowerCase().charCodeAt(0) - 96
