import { type Box, contains, isHorizontal, median, type RulingLine } from '../content-stream/page-graphics.ts'
import { isMostlyRtl, logicalText, plainText } from '../text/pdf-inline.ts'
import { hasLeaders, isCodeLine, lineOf, linesOf, type Table, type TextLine } from '../text/text-lines.ts'
import type { Word } from '../text/pdf-words.ts'
import { type Block, blocksOf, type Typewriter } from './pdf-blocks.ts'
import { alignedTable, gridsOf, middleOf, type Row, rowsOf, tableInGrid } from './pdf-tables.ts'

/** Returns lines of one reading direction, with tables drawn by rules, ordered only from top to bottom. */
export function linesAndGrids(words: readonly Word[], rules: readonly RulingLine[]): TextLine[] {
  let outside: readonly Word[] = words
  const tables: TextLine[] = []
  for (const grid of gridsOf(rules)) {
    const inside = outside.filter((word) => contains(grid, middleOf(word)))
    const table = inside.length > 0 ? tableInGrid(grid, inside) : undefined
    if (!table) continue
    const taken = new Set(inside)
    outside = outside.filter((word) => !taken.has(word))
    tables.push(tableLine(grid, table))
  }
  return [...linesOf(outside), ...tables].sort(inOrder)
}

const tableLine = (box: Box, table: Table): TextLine => ({
  left: box.left,
  top: box.top,
  right: box.right,
  bottom: box.bottom,
  table,
  words: [],
  baseline: box.top + 8,
  size: 10,
})

const inOrder = (one: TextLine, other: TextLine) => one.baseline - other.baseline || one.left - other.left

/** Joins a paragraph that starts at the foot of a column, or above columns, with its continuation. */
function joinedOver(before: Block[], blocks: Block[]): Block[] {
  const last = before.at(-1)
  const [first, ...rest] = blocks
  if (last?.kind !== 'text' || first?.kind !== 'text' || !continues(last.lines, first.lines))
    return [...before, ...blocks]
  return [...before.slice(0, -1), { kind: 'text', lines: [...last.lines, ...first.lines] }, ...rest]
}

function continues(above: readonly TextLine[], below: readonly TextLine[]): boolean {
  const [end, start] = [above.at(-1), below[0]]
  if (!end || !start || Math.abs(end.size - start.size) > 0.5) return false
  if (start.baseline > end.baseline + end.size * 1.5) return false
  const text = plainText(above)
  return text.length > 40 && !/[.!?:;…。！？]["”’)\]]?$/.test(text) && /^["“(]?\p{Ll}/u.test(plainText(below))
}

const mirroredRule = (rule: RulingLine): RulingLine => ({ ...rule, left: -rule.right, right: -rule.left })

/** Swaps left and right, so right-to-left text is laid out like any other. */
export const mirrored = (line: TextLine): TextLine => ({
  ...line,
  left: -line.right,
  right: -line.left,
  words: line.words.map((word) => ({ ...word, text: logicalText(word) })).reverse(),
  isMirrored: true,
})

/** Returns the blocks of a page in reading order: column by column, each cut into blocks. */
export function layout(lines: readonly TextLine[], rules: readonly RulingLine[], typewriter: Typewriter): Block[] {
  const isRtl = isMostlyRtl(lines.flatMap(({ words }) => words))
  const placed = isRtl ? lines.map(mirrored).sort(inOrder) : lines
  return inReadingOrder(placed, isRtl ? rules.map(mirroredRule) : rules)
    .map((region) => blocksOf(withTables(region, rules, typewriter), typewriter))
    .reduce(joinedOver, [])
}

/** Replaces rows aligned in columns by tables; parts of other rows become one line. */
function withTables(lines: readonly TextLine[], rules: readonly RulingLine[], typewriter: Typewriter): TextLine[] {
  const isParted = (row: Row) => isPartedRow(row, typewriter)
  const rows = rowsOf(lines)
  const found: TextLine[] = []
  for (let at = 0; at < rows.length;) {
    const end = runEnd(rows, at, isParted)
    const run = rows.slice(at, end)
    const table = run.length > 1 ? alignedTable(run, rules) : undefined
    if (table) found.push(tableLine(hullOf(run), table))
    else found.push(...run.map(oneLine))
    at = end
  }
  return found
}

const hullOf = (rows: readonly Row[]): Box => ({
  left: Math.min(...rows.map(({ left }) => left)),
  right: Math.max(...rows.map(({ right }) => right)),
  top: rows[0]?.top ?? 0,
  bottom: rows.at(-1)?.bottom ?? 0,
})

const oneLine = ({ lines }: Row): TextLine => {
  const [first] = lines
  if (!first || lines.length === 1) return first as TextLine
  const whole = lineOf(lines.flatMap(({ words }) => words))
  return first.isMirrored ? mirrored(whole) : whole
}

/** True for a row of several parts, unless it is code or an entry of a table of contents with dot leaders. */
function isPartedRow({ lines }: Row, typewriter: Typewriter): boolean {
  const isCode = lines.every((line) => isCodeLine(line, typewriter))
  return lines.length > 1 && !isCode && lines.every((line) => !line.table && !hasLeaders(line))
}

/**
 * Returns the end of the rows that may form one table: split rows, and single lines between them below a later column.
 */
function runEnd(rows: readonly Row[], at: number, isParted: (row: Row) => boolean): number {
  const first = rows[at]!
  if (!isParted(first)) return at + 1
  let end = at + 1
  for (let next = at + 1; next < rows.length; next += 1) {
    const row = rows[next]!
    const before = rows[next - 1]!
    const size = row.lines[0]?.size ?? 10
    if (row.top - before.bottom > size * 2.2) break
    if (isParted(row)) end = next + 1
    else if (!hangs(row, first, before)) break
    else if (row.left > (first.lines[0]?.right ?? 0)) end = next + 1
  }
  return end
}

/** True for a single line that may continue a cell: close below it, and no wider than the part above it. */
function hangs(row: Row, first: Row, before: Row): boolean {
  const [line] = row.lines
  if (!line || line.table || row.lines.length > 1) return false
  const second = first.lines[1]!
  const isClose = row.top - before.bottom < line.size * 0.6
  return isClose && (line.right < second.left || line.left > first.lines[0]!.right)
}

/** Returns lines in reading order, in parts that are each one column wide. */
function inReadingOrder(lines: readonly TextLine[], rules: readonly RulingLine[], depth = 0): TextLine[][] {
  if (lines.length === 0) return []
  const bands = depth < maxDepth && lines.length >= minLines * 2 ? columnBands(lines, rules) : undefined
  if (!bands) return [[...lines]]
  return bands.flatMap(({ left, right, whole }) =>
    whole
      ? inReadingOrder(whole, rules, depth + 1)
      : [...inReadingOrder(left, rules, depth + 1), ...inReadingOrder(right, rules, depth + 1)],
  )
}

/** Maximum nesting of columns; deeper ones are cells. */
const maxDepth = 5

type Band =
  | { whole: TextLine[]; left?: undefined; right?: undefined }
  | { whole?: undefined; left: TextLine[]; right: TextLine[] }

/**
 * Cuts the page at the first gutter with columns on its sides: everything above a cut is read before everything below.
 */
function columnBands(lines: readonly TextLine[], rules: readonly RulingLine[]): Band[] | undefined {
  for (const gutter of guttersOf(lines)) {
    const bands = bandsAt(lines, gutter, rules)
    if (bands.some(({ left }) => left)) return bands
  }
  return undefined
}

/** Cuts at lines or rules that cross the gutter. Between cuts without columns the lines stay together. */
function bandsAt(lines: readonly TextLine[], gutter: number, rules: readonly RulingLine[]): Band[] {
  const runs: TextLine[][] = []
  const isCut = cutsAt(gutter, lines, rules)
  let isBeside = false
  for (const line of lines) {
    const isNext = !crosses(line, gutter)
    const last = runs.at(-1)
    if (last && isNext && isBeside && !isCut(last.at(-1)!, line)) last.push(line)
    else runs.push([line])
    isBeside = isNext
  }
  const bands: Band[] = []
  for (const run of runs) {
    const left = run.filter((line) => line.left < gutter)
    const right = run.filter((line) => line.left >= gutter)
    const last = bands.at(-1)
    if (isColumns(left, right)) bands.push({ left, right })
    else if (last?.whole) last.whole.push(...run)
    else bands.push({ whole: [...run] })
  }
  return bands
}

const crosses = (line: TextLine, x: number) => line.left < x - 2 && line.right > x + 2

/** Minimum number of lines that start at one position for a column to start there. */
const minLines = 4

/**
 * Returns positions at which a further column may start: many lines start there, and hardly any line nearby crosses it.
 * Positions with the fewest crossing lines come first, then the leftmost.
 */
function guttersOf(lines: readonly TextLine[]): number[] {
  const margin = Math.min(...lines.map(({ left }) => left))
  const starts = new Map<number, TextLine[]>()
  for (const line of lines) {
    if (line.left < margin + 40) continue
    const place = Math.round(line.left / 3)
    for (const near of [place, place + 1]) {
      const group = starts.get(near)
      if (group) group.push(line)
      else starts.set(near, [line])
    }
  }
  return [...starts.values()]
    .filter((group) => group.length >= minLines)
    .sort((one, other) => other.length - one.length)
    .slice(0, 30)
    .map((group) => candidateOf(lines, group))
    .filter(({ isGood }) => isGood)
    .sort((one, other) => one.crossing - other.crossing || one.x - other.x)
    .map(({ x }) => x)
}

function candidateOf(lines: readonly TextLine[], group: readonly TextLine[]) {
  const x = Math.min(...group.map(({ left }) => left)) - 1
  const top = Math.min(...group.map((line) => line.top))
  const bottom = Math.max(...group.map((line) => line.bottom))
  const nearby = lines.filter((line) => line.bottom > top && line.top < bottom)
  const crossing = nearby.filter((line) => crosses(line, x)).length
  const left = nearby.filter((line) => line.right <= x + 2).length
  return { x, crossing, isGood: left >= minLines - 1 && crossing * 3 < nearby.length }
}

/** Columns contain running text: lines fill their width. Table cells are short, or form rows and start again in each. */
function isColumns(left: readonly TextLine[], right: readonly TextLine[]): boolean {
  if (left.length < 2 || right.length < 2) return false
  const areText = [left, right].filter(isText).length
  if (areText === 0) return false
  const aligned = alignedShare(left, right)
  return areText === 2 ? aligned < 0.8 || !(beginLikeEntries(left) && beginLikeEntries(right)) : aligned < 0.5
}

function isText(lines: readonly TextLine[]): boolean {
  const margin = Math.min(...lines.map(({ left }) => left))
  // The side may contain further columns, so only its first one is checked.
  const column = lines.filter(({ left }) => left < margin + 30)
  const widths = column.map(({ left, right }) => right - left).sort((one, other) => one - other)
  const full = widths[Math.floor(widths.length * 0.8)] ?? 0
  const length = median(column.map(({ words }) => words.reduce((sum, { drawn }) => sum + drawn.length + 1, 0)))
  return median(widths) >= full * 0.6 && length >= 14
}

/** True if most lines start with a capital or a number, like entries rather than lines of sentences. */
function beginLikeEntries(lines: readonly TextLine[]): boolean {
  const starts = lines.filter(({ words }) => /^[^\p{L}\p{N}]*[\p{Lu}\p{N}]/u.test(words[0]?.text ?? ''))
  return starts.length > lines.length * 0.6
}

/** Returns the share of the shorter side's lines that have a line of the other side at the same height. */
function alignedShare(left: readonly TextLine[], right: readonly TextLine[]): number {
  const [few, many] = left.length < right.length ? [left, right] : [right, left]
  const heights = new Set(
    many.flatMap(({ baseline }) => [Math.round(baseline), Math.round(baseline) + 1, Math.round(baseline) - 1]),
  )
  return few.filter(({ baseline }) => heights.has(Math.round(baseline))).length / few.length
}

/** True if something crosses the whole width between two consecutive lines. */
type IsCut = (above: TextLine, below: TextLine) => boolean

/**
 * Finds what separates columns above from columns below, apart from text across the gutter: horizontal rules across it,
 * and the rows of a table as wide as the page, none of whose cells fills its side of the gutter.
 */
function cutsAt(gutter: number, lines: readonly TextLine[], rules: readonly RulingLine[]): IsCut {
  const heights = rules
    .filter((rule) => isHorizontal(rule) && rule.left < gutter - 5 && rule.right > gutter + 5)
    .map(({ top }) => top)
    .sort((one, other) => one - other)
  const wide = wideRowLines(gutter, lines)
  return (above, below) =>
    wide.has(above) !== wide.has(below) ||
    (below.baseline > above.baseline + 1 && hasBetween(heights, above.baseline, below.baseline))
}

/** Binary search, because there may be thousands of rules and lines. */
function hasBetween(sorted: readonly number[], from: number, to: number): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= from) low = middle + 1
    else high = middle
  }
  return low < sorted.length && sorted[low]! < to
}

/** Returns the lines of rows with three or more short parts, if two such rows are adjacent, and of their captions. */
function wideRowLines(gutter: number, lines: readonly TextLine[]): ReadonlySet<TextLine> {
  const isLeft = (line: TextLine) => line.left < gutter
  const leftWidth = usualWidth(lines.filter(isLeft))
  const rightWidth = usualWidth(lines.filter((line) => !isLeft(line)))
  const rows = rowsOf(lines)
  const isWide = rows.map(
    (row) =>
      row.lines.length > 2 &&
      row.lines.every((line) => line.right - line.left < (isLeft(line) ? leftWidth : rightWidth) * 0.6),
  )
  const isTable = rows.map((_, index) => isWide[index] === true && (isWide[index - 1] || isWide[index + 1]) === true)
  const captions = isTable.flatMap((isPart, index) =>
    isPart ? [-1, 1].flatMap((step) => (isTable[index + step] ? [] : captionAt(rows, index, step))) : [],
  )
  return new Set([...rows.filter((_, index) => isTable[index]), ...captions].flatMap((row) => row.lines))
}

/** Maximum number of lines of a caption. */
const maxCaption = 4

/** Returns the caption of a table: single lines that are closer to the table than to the text beyond them. */
function captionAt(rows: readonly Row[], table: number, step: number): Row[] {
  const gapTo = (at: number) => {
    const [above, below] = step < 0 ? [rows[at + step], rows[at]] : [rows[at], rows[at + step]]
    return above && below ? below.top - above.bottom : Infinity
  }
  const found: Row[] = []
  for (let at = table; found.length <= maxCaption; at += step) {
    if (found.length > 0 && gapTo(at) > gapTo(table) * 1.2) return found
    const next = rows[at + step]
    if (next?.lines.length !== 1) return []
    found.push(next)
  }
  return []
}

/** Returns the width of a full line: the 90th percentile. */
function usualWidth(lines: readonly TextLine[]): number {
  const widths = lines.map(({ left, right }) => right - left).sort((one, other) => one - other)
  return widths[Math.floor(widths.length * 0.9)] ?? 0
}
