import { type Box, contains, median, isHorizontal, snapped, type RulingLine } from '../content-stream/page-graphics.ts'
import { type Cell, type TextLine, linesOf, type Table } from '../text/text-lines.ts'
import { isMostlyRtl } from '../text/pdf-inline.ts'
import type { Word } from '../text/pdf-words.ts'

/** A table drawn with rules: edges of its columns and rows, and its merged cells. */
type Grid = Box & { xs: readonly number[]; ys: readonly number[]; cells: readonly GridCell[] }
type GridCell = Box & { row: number; column: number; rowspan: number; colspan: number }

/** Maximum distance in points of rules that meet. */
const reach = 3
/** Maximum number of cells; grids with more are graph paper or a drawing. */
const maxCells = 5000

const knownGrids = new WeakMap<readonly RulingLine[], readonly Grid[]>()

/**
 * Returns grids formed by rules, with at least two columns and two rows, or three columns and one row. Cached, because
 * each part of a tagged page is laid out with the rules of the whole page.
 */
export function gridsOf(rules: readonly RulingLine[]): readonly Grid[] {
  const grids = knownGrids.get(rules) ?? findGrids(rules)
  knownGrids.set(rules, grids)
  return grids
}

function findGrids(rules: readonly RulingLine[]): Grid[] {
  return connected(rules).flatMap((group) => {
    const level = group.filter(isHorizontal)
    const upright = group.filter((rule) => !isHorizontal(rule))
    const ys = snapped(
      level.map(({ top, bottom }) => (top + bottom) / 2),
      reach,
    )
    const xs = snapped(
      upright.map(({ left, right }) => (left + right) / 2),
      reach,
    )
    const columns = xs.length - 1
    const rows = ys.length - 1
    if (columns < 1 || rows < 1 || columns * rows < 3 || columns * rows > maxCells) return []
    const cells = cellsOf(xs, ys, level, upright)
    const isTable = cells.length > 2 && new Set(cells.map(({ column }) => column)).size > 1
    return isTable ? [{ ...hull(xs, ys), xs, ys, cells }] : []
  })
}

const hull = (xs: readonly number[], ys: readonly number[]): Box => ({
  left: xs[0] ?? 0,
  right: xs.at(-1) ?? 0,
  top: ys[0] ?? 0,
  bottom: ys.at(-1) ?? 0,
})

/** Groups rules that touch, using a sweep from left to right. */
function connected(rules: readonly RulingLine[]): RulingLine[][] {
  const sorted = [...rules].sort((one, other) => one.left - other.left)
  const parents = sorted.map((_, index) => index)
  const rootOf = (index: number): number => {
    let at = index
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!] as number
    return at
  }
  let open: number[] = []
  sorted.forEach((rule, index) => {
    open = open.filter((other) => sorted[other]!.right + reach >= rule.left)
    for (const other of open) if (touches(rule, sorted[other]!)) parents[rootOf(index)] = rootOf(other)
    open.push(index)
  })
  return [...Map.groupBy(sorted.keys(), rootOf).values()].map((group) => group.map((index) => sorted[index]!))
}

const touches = (one: RulingLine, other: RulingLine) =>
  one.left - reach <= other.right &&
  other.left - reach <= one.right &&
  one.top - reach <= other.bottom &&
  other.top - reach <= one.bottom

/** Merges cells without a rule between them, provided that they form a rectangle. */
function cellsOf(
  xs: readonly number[],
  ys: readonly number[],
  level: readonly RulingLine[],
  upright: readonly RulingLine[],
): GridCell[] {
  const hasRight = coverage(upright, xs, ys, ({ left, right, top, bottom }) => ({
    at: (left + right) / 2,
    from: top,
    to: bottom,
  }))
  const hasBottom = coverage(level, ys, xs, ({ left, right, top, bottom }) => ({
    at: (top + bottom) / 2,
    from: left,
    to: right,
  }))
  const taken = new Set<string>()
  const cells: GridCell[] = []
  for (let row = 0; row + 1 < ys.length; row += 1) {
    for (let column = 0; column + 1 < xs.length; column += 1) {
      if (taken.has(`${row} ${column}`)) continue
      let colspan = 1
      while (column + colspan + 1 < xs.length && !hasRight.has(`${column + colspan} ${row}`)) colspan += 1
      let rowspan = 1
      while (row + rowspan + 1 < ys.length && isOpenBelow(hasBottom, row + rowspan, column, colspan)) rowspan += 1
      for (let slot = 0; slot < rowspan * colspan; slot += 1)
        taken.add(`${row + Math.floor(slot / colspan)} ${column + (slot % colspan)}`)
      const box = {
        left: xs[column] ?? 0,
        right: xs[column + colspan] ?? 0,
        top: ys[row] ?? 0,
        bottom: ys[row + rowspan] ?? 0,
      }
      cells.push({ ...box, row, column, rowspan, colspan })
    }
  }
  return cells
}

function isOpenBelow(hasBottom: ReadonlySet<string>, edge: number, column: number, colspan: number): boolean {
  return Array.from({ length: colspan }, (_, index) => column + index).every((c) => !hasBottom.has(`${edge} ${c}`))
}

/**
 * Returns "edge slot" for each edge that a rule draws across the middle of the slot between two edges of the other
 * direction.
 */
function coverage(
  rules: readonly RulingLine[],
  edges: readonly number[],
  slots: readonly number[],
  stretchOf: (rule: RulingLine) => { at: number; from: number; to: number },
): ReadonlySet<string> {
  const covered = new Set<string>()
  for (const rule of rules) {
    const { at, from, to } = stretchOf(rule)
    const edge = edges.findIndex((value) => Math.abs(value - at) <= reach)
    slots.slice(1).forEach((end, slot) => {
      const middle = ((slots[slot] ?? 0) + end) / 2
      if (from <= middle && to >= middle) covered.add(`${edge} ${slot}`)
    })
  }
  return covered
}

/** Returns the table in a grid of rules; undefined if too little of the grid contains text. */
export function tableInGrid(grid: Grid, words: readonly Word[]): Table | undefined {
  const byCell = new Map<GridCell, Word[]>(grid.cells.map((cell) => [cell, []]))
  for (const word of words) {
    const cell = grid.cells.find((box) => contains(box, middleOf(word)))
    if (cell) byCell.get(cell)?.push(word)
  }
  const filled = [...byCell].filter(([, inside]) => inside.length > 0)
  const columns = new Set(filled.map(([cell]) => cell.column)).size
  if (columns < 2 || filled.length < 3 || filled.length * 4 < grid.cells.length) return undefined
  const rows = grid.ys.slice(1).map((_, row) => grid.cells.filter((cell) => cell.row === row))
  const full = rows.filter((cells) => cells.some((cell) => (byCell.get(cell)?.length ?? 0) > 0))
  const ordered = isMostlyRtl(words) ? full.map((cells) => cells.toReversed()) : full
  return headed(ordered.map((cells) => cells.map((cell) => cellOf(linesOf(byCell.get(cell) ?? []), cell))))
}

export const middleOf = (box: Box) => ({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 })

const cellOf = (lines: readonly TextLine[], { colspan, rowspan }: { colspan: number; rowspan: number }): Cell => ({
  lines,
  colspan,
  rowspan,
  kind: 'data',
})

/** Makes the first row the header, because markdown tables require one. */
function headed(rows: readonly (readonly Cell[])[]): Table {
  return {
    rows: rows.map((row, index) => (index === 0 ? row.map((cell): Cell => ({ ...cell, kind: 'header' })) : row)),
  }
}

/** Lines at the same height. */
export type Row = Box & { lines: TextLine[] }

export function rowsOf(lines: readonly TextLine[]): Row[] {
  const rows: Row[] = []
  for (const line of lines) {
    const last = rows.at(-1)
    const first = last?.lines[0]
    if (last && first && Math.abs(line.baseline - first.baseline) <= line.size * 0.35) {
      last.lines.push(line)
      Object.assign(last, {
        left: Math.min(last.left, line.left),
        right: Math.max(last.right, line.right),
        bottom: Math.max(last.bottom, line.bottom),
      })
    } else rows.push({ lines: [line], left: line.left, right: line.right, top: line.top, bottom: line.bottom })
  }
  return rows
}

/** Returns the table formed by rows without vertical rules; undefined if their parts are not aligned in columns. */
export function alignedTable(rows: readonly Row[], rules: readonly RulingLine[]): Table | undefined {
  const columns = columnsOf(rows)
  if (columns.length < 2) return undefined
  const placed = rows.map((row) => ({ row, cells: placedIn(row, columns) }))
  const logical = mergedRows(placed, rules.filter(isHorizontal))
  const several = logical.filter(({ cells }) => cells.filter((lines) => lines.length > 0).length > 1).length
  if (several < 2 || several * 2 < logical.length) return undefined
  return headed(logical.map(({ cells }) => cells.map((lines) => cellOf(lines, { colspan: 1, rowspan: 1 }))))
}

type Column = { left: number; right: number }

/** Returns the columns that the parts of full rows form; rows with fewer parts are ignored. */
function columnsOf(rows: readonly Row[]): Column[] {
  const most = Math.max(...rows.map(({ lines }) => lines.length))
  const full = rows.filter(({ lines }) => lines.length >= Math.max(2, most - 1))
  const columns: Column[] = []
  for (const { left, right } of full.flatMap(({ lines }) => lines).sort((one, other) => one.left - other.left)) {
    const last = columns.at(-1)
    if (last && left < last.right) last.right = Math.max(last.right, right)
    else columns.push({ left, right })
  }
  return columns.length >= Math.min(most, 2) ? columns : []
}

function placedIn({ lines }: Row, columns: readonly Column[]): TextLine[][] {
  const cells: TextLine[][] = columns.map(() => [])
  for (const line of lines) {
    const overlap = ({ left, right }: Column) => Math.min(right, line.right) - Math.max(left, line.left)
    let best = 0
    columns.forEach((column, index) => {
      if (overlap(column) > overlap(columns[best]!)) best = index
    })
    cells[best]?.push(line)
  }
  return cells
}

type Placed = { row: Row; cells: TextLine[][] }

/**
 * Merges lines of one row of cells: by the rules between rows if any; otherwise lines set closer than rows, or a line
 * that leaves the first column empty.
 */
function mergedRows(placed: readonly Placed[], level: readonly RulingLine[]): Placed[] {
  const gaps = placed.slice(1).map(({ row }, index) => row.top - placed[index]!.row.top)
  const tight = Math.min(...gaps)
  const hasTwoPitches =
    Math.max(...gaps) > tight * 1.3 && tight < median(placed.map(({ row }) => row.lines[0]?.size ?? 0)) * 1.5
  const inner = placed.slice(1).filter(({ row }, index) => isRuled(placed[index]!.row, row, level))
  const isByRules = inner.length >= 3 && inner.length < placed.length - 1
  const merged: Placed[] = []
  placed.forEach((item, index) => {
    const last = merged.at(-1)
    const before = placed[index - 1]
    const gap = gaps[index - 1] ?? Infinity
    const continuesLast = isByRules
      ? before && !isRuled(before.row, item.row, level)
      : (hasTwoPitches && gap < tight * 1.15) || (item.cells[0]?.length === 0 && index > 1 && gap < tight * 1.15)
    if (last && continuesLast) last.cells.forEach((cell, column) => cell.push(...(item.cells[column] ?? [])))
    else merged.push({ row: item.row, cells: item.cells.map((cell) => [...cell]) })
  })
  return merged
}

function isRuled(above: Row, below: Row, level: readonly RulingLine[]): boolean {
  const [from, to] = [above.bottom - 3, below.top + 3]
  return level.some((rule) => rule.top >= from && rule.bottom <= to)
}
