/** An affine map: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]
export type Point = { x: number; y: number }
/** Points (1/72 inch) from the top left corner of the page as it is shown; y grows downwards. */
export type Box = { left: number; top: number; right: number; bottom: number }

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** The map that does `second` first and `first` after it, as PDF multiplies. */
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

/** The upright box around a rectangle that a map moves. */
export function boxOf(map: Matrix, rectangle: ArrayLike<number>): Box {
  const [x0, y0, x1, y1] = [rectangle[0] ?? 0, rectangle[1] ?? 0, rectangle[2] ?? 0, rectangle[3] ?? 0]
  const corners = [moved(map, x0, y0), moved(map, x1, y0), moved(map, x0, y1), moved(map, x1, y1)]
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

export const contains = (box: Box, { x, y }: Point): boolean =>
  x >= box.left && x <= box.right && y >= box.top && y <= box.bottom

/** The middle value; 0 of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** What has the most weight. */
export function heaviest<T>(entries: Iterable<readonly [T, number]>): T | undefined {
  const weights = new Map<T, number>()
  for (const [value, weight] of entries) weights.set(value, (weights.get(value) ?? 0) + weight)
  let best: { value: T; weight: number } | undefined
  for (const [value, weight] of weights) if (!best || weight > best.weight) best = { value, weight }
  return best?.value
}

/** Sorted values with those that lie within `tolerance` of their group's first taken as one (the mean of the group). */
export function snapped(values: readonly number[], tolerance: number): number[] {
  const groups: number[][] = []
  for (const value of [...values].sort((one, other) => one - other)) {
    const last = groups.at(-1)
    if (last && value - (last[0] ?? value) <= tolerance) last.push(value)
    else groups.push([value])
  }
  return groups.map((group) => group.reduce((sum, value) => sum + value, 0) / group.length)
}
