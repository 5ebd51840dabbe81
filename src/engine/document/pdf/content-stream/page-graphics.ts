import type { Font } from '../text/pdf-fonts.ts'

/** An affine map: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]
export type Point = { x: number; y: number }
/** Rectangle in points (1/72 inch) from the top left corner of the page as shown; y grows downwards. */
export type Box = { left: number; top: number; right: number; bottom: number }

/** Returns the map that applies `second` and then `first`, in the order of PDF products. */
export function product(first: Matrix, second: ArrayLike<number>): Matrix {
  const [a, b, c, d, e, f] = first
  const [g, h, i, j, k, l] = sixOf(second)
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

export function sixOf(values: ArrayLike<number>): Matrix {
  const at = (index: number) => values[index] ?? 0
  return [at(0), at(1), at(2), at(3), at(4), at(5)]
}

export const moved = ([a, b, c, d, e, f]: Matrix, x: number, y: number): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
})

export const contains = (box: Box, { x, y }: Point): boolean =>
  x >= box.left && x <= box.right && y >= box.top && y <= box.bottom

/** Returns the median; 0 for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Returns the value with the greatest total weight. */
export function heaviest<T>(entries: Iterable<readonly [T, number]>): T | undefined {
  const weights = new Map<T, number>()
  for (const [value, weight] of entries) weights.set(value, (weights.get(value) ?? 0) + weight)
  let best: { value: T; weight: number } | undefined
  for (const [value, weight] of weights) if (!best || weight > best.weight) best = { value, weight }
  return best?.value
}

/** Sorts values and merges those within `tolerance` of the first value of their group into the mean of the group. */
export function snapped(values: readonly number[], tolerance: number): number[] {
  const groups: number[][] = []
  for (const value of [...values].sort((one, other) => one - other)) {
    const last = groups.at(-1)
    if (last && value - (last[0] ?? value) <= tolerance) last.push(value)
    else groups.push([value])
  }
  return groups.map((group) => group.reduce((sum, value) => sum + value, 0) / group.length)
}

/** Reading direction of text: to the right, down, to the left, up; or at another angle. */
export type Direction = 'right' | 'down' | 'left' | 'up' | 'oblique'

/** One drawn character (or ligature). Lengths are in points of the page as shown. */
export type Glyph = {
  text: string
  /** Start of the baseline. */
  x: number
  y: number
  /** Length along the reading direction. */
  width: number
  size: number
  font: Font
  direction: Direction
  /** Marked content that contains the glyph: its number in the page's tags, or page furniture. */
  tag: number | 'artifact' | undefined
  ink: 'visible' | 'invisible'
}

/** A straight thin line, horizontal or vertical. */
export type RulingLine = Box
export type Link = { box: Box; href: string }

export type PageGraphics = {
  width: number
  height: number
  glyphs: readonly Glyph[]
  rules: readonly RulingLine[]
  links: readonly Link[]
  /** Small shapes that may be bullets of list items. */
  dots: readonly Box[]
  /** Number of painted shapes that are not rules: many of them without text mean that letters were drawn as shapes. */
  shapes: number
}

export const isHorizontal = ({ left, top, right, bottom }: RulingLine): boolean => right - left >= bottom - top
