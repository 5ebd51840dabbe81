import type { Line } from './line.ts'
import type { Rule } from './marks.ts'
import { isLevel } from './rules.ts'
import { rowsOf } from './tables.ts'

/** Tells whether something runs across the whole width between two lines that follow each other. */
export type IsCut = (above: Line, below: Line) => boolean

/**
 * What parts columns above from columns below, besides text across the gutter: level rules across it, and the rows of a
 * table as wide as the page, none of whose cells fills its side of the gutter.
 */
export function cutsAt(gutter: number, lines: readonly Line[], rules: readonly Rule[]): IsCut {
  const heights = rules
    .filter((rule) => isLevel(rule) && rule.left < gutter - 5 && rule.right > gutter + 5)
    .map(({ top }) => top)
    .sort((one, other) => one - other)
  const wide = wideRowLines(gutter, lines)
  return (above, below) =>
    wide.has(above) !== wide.has(below) ||
    (below.baseline > above.baseline + 1 && hasBetween(heights, above.baseline, below.baseline))
}

/** By halves, since there may be thousands of rules and of lines. */
function hasBetween(sorted: readonly number[], from: number, to: number): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) <= from) low = middle + 1
    else high = middle
  }
  return low < sorted.length && (sorted[low] as number) < to
}

/** Lines of rows with three or more short parts, where two such rows follow each other. */
function wideRowLines(gutter: number, lines: readonly Line[]): ReadonlySet<Line> {
  const isLeft = (line: Line) => line.left < gutter
  const leftWidth = usualWidth(lines.filter(isLeft))
  const rightWidth = usualWidth(lines.filter((line) => !isLeft(line)))
  const rows = rowsOf(lines)
  const isWide = rows.map(
    (row) =>
      row.lines.length > 2 &&
      row.lines.every((line) => line.right - line.left < (isLeft(line) ? leftWidth : rightWidth) * 0.6),
  )
  return new Set(
    rows.flatMap((row, index) => (isWide[index] && (isWide[index - 1] || isWide[index + 1]) ? row.lines : [])),
  )
}

/** Width of a full line: that of the widest tenth. */
function usualWidth(lines: readonly Line[]): number {
  const widths = lines.map(({ left, right }) => right - left).sort((one, other) => one - other)
  return widths[Math.floor(widths.length * 0.9)] ?? 0
}
