import type { Box } from '../marks/geometry.ts'
import type { Word } from './words.ts'

/** Words side by side without a wide gap: a line of a column, or the part of a line in one cell of a table. */
export type Line = Box & {
  words: readonly Word[]
  baseline: number
  /** Font size of most of its characters. */
  size: number
  /** Left and right are changed round, so that what is read from right to left is laid out like all else. */
  isMirrored?: boolean
  /** A table that was found here, in place of words. */
  table?: Table
}

export type Cell = { lines: readonly Line[]; colspan: number; rowspan: number; kind: 'header' | 'data' }
export type Table = { rows: readonly (readonly Cell[])[] }
