import { type Box, contains, type RulingLine } from '../content-stream/page-graphics.ts'
import { isMostlyRtl, plainText } from '../text/pdf-inline.ts'
import { type TextLine, lineOf, linesOf, type Table, hasLeaders, isCodeLine } from '../text/text-lines.ts'
import type { Word } from '../text/pdf-words.ts'
import { type Block, blocksOf, type Typewriter } from './pdf-blocks.ts'
import { inReadingOrder } from './reading-order.ts'
import { gridsOf, alignedTable, middleOf, type Row, rowsOf, tableInGrid } from './pdf-tables.ts'

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

/** Joins a paragraph that starts at the foot of a column with its continuation at the head of the next. */
function joinedOver(before: Block[], blocks: Block[]): Block[] {
  const last = before.at(-1)
  const [first, ...rest] = blocks
  if (last?.kind !== 'text' || first?.kind !== 'text' || !goesOn(last.lines, first.lines)) return [...before, ...blocks]
  return [...before.slice(0, -1), { kind: 'text', lines: [...last.lines, ...first.lines] }, ...rest]
}

function goesOn(above: readonly TextLine[], below: readonly TextLine[]): boolean {
  const [end, start] = [above.at(-1), below[0]]
  if (!end || !start || Math.abs(end.size - start.size) > 0.5 || start.baseline > end.baseline) return false
  const text = plainText(above)
  return text.length > 40 && !/[.!?:;…。！？]["”’)\]]?$/.test(text) && /^["“(]?\p{Ll}/u.test(plainText(below))
}

const mirroredRule = (rule: RulingLine): RulingLine => ({ ...rule, left: -rule.right, right: -rule.left })

const mirrored = (line: TextLine): TextLine => ({
  ...line,
  left: -line.right,
  right: -line.left,
  words: line.words.toReversed(),
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

/** Listings keep their columns unchanged; dot leaders connect a title to its page. */
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
