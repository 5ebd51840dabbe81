import { type Box, contains, median } from '../content-stream/geometry.ts'
import type { RulingLine } from '../content-stream/graphics.ts'
import { type Cell, type TextLine, linesOf, type Table } from '../text/lines.ts'
import type { Word } from '../text/words.ts'
import type { Grid, GridCell } from './grids.ts'
import { isHorizontal } from './ruling-lines.ts'

/** The table in a grid of rules; undefined when too little of the grid holds text. */
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
  return headed(full.map((cells) => cells.map((cell) => cellOf(linesOf(byCell.get(cell) ?? []), cell))))
}

export const middleOf = (box: Box) => ({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 })

const cellOf = (lines: readonly TextLine[], { colspan, rowspan }: { colspan: number; rowspan: number }): Cell => ({
  lines,
  colspan,
  rowspan,
  kind: 'data',
})

/** The first row names the columns: markdown has no table without such a row. */
function headed(rows: readonly (readonly Cell[])[]): Table {
  return {
    rows: rows.map((row, index) => (index === 0 ? row.map((cell): Cell => ({ ...cell, kind: 'header' })) : row)),
  }
}

/** Lines of one height. */
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

/** The table that rows without upright rules make; undefined when their parts do not stand in columns. */
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

/** Columns are where the parts of full rows overlap; parts that span several columns are left aside. */
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
 * Lines of one row of cells. Rules between rows tell; else lines that are set closer than rows are, or a line that
 * leaves the first column empty.
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
    const goesOn = isByRules
      ? before && !isRuled(before.row, item.row, level)
      : (hasTwoPitches && gap < tight * 1.15) || (item.cells[0]?.length === 0 && index > 1 && gap < tight * 1.15)
    if (last && goesOn) last.cells.forEach((cell, column) => cell.push(...(item.cells[column] ?? [])))
    else merged.push({ row: item.row, cells: item.cells.map((cell) => [...cell]) })
  })
  return merged
}

function isRuled(above: Row, below: Row, level: readonly RulingLine[]): boolean {
  const [from, to] = [above.bottom - 3, below.top + 3]
  return level.some((rule) => rule.top >= from && rule.bottom <= to)
}
