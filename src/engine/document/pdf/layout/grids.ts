import { type Box, snapped } from '../content-stream/geometry.ts'
import type { RulingLine } from '../content-stream/graphics.ts'
import { isHorizontal } from './ruling-lines.ts'

/** A table drawn with rules: edges of its columns and rows, and which of its cells are one. */
export type Grid = Box & { xs: readonly number[]; ys: readonly number[]; cells: readonly GridCell[] }
export type GridCell = Box & { row: number; column: number; rowspan: number; colspan: number }

/** Rules this near to each other meet. */
const reach = 3
/** More cells than this are squared paper or a drawing. */
const maxCells = 5000

/** Grids of at least two columns and two rows, or three and one, that rules make. */
export function gridsOf(rules: readonly RulingLine[]): Grid[] {
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

/** Groups of rules that touch, found by a sweep from left to right. */
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

/** Cells without a rule between them are one, so long as they make a rectangle. */
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

type Stretch = { at: number; from: number; to: number }

/** "edge slot" for each edge that a rule draws along the whole of a slot between two edges of the other kind. */
function coverage(
  rules: readonly RulingLine[],
  edges: readonly number[],
  slots: readonly number[],
  stretchOf: (rule: RulingLine) => Stretch,
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
