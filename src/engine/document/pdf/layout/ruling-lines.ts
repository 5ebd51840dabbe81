import { type Box, type Matrix, moved, type Point } from '../content-stream/geometry.ts'
import type { RulingLine } from '../content-stream/graphics.ts'

/** Thicker than this is a shape, shorter a dot of a pattern. */
const maxThickness = 3
const minLength = 5

/** Codes of path segments, and how many numbers follow each. */
const moveTo = 0
const closePath = 4
const lengths: Readonly<Record<number, number>> = { 0: 2, 1: 2, 2: 6, 3: 4, 4: 0 }

/**
 * The rules that a painted path draws: each straight segment of a stroke, and fills so thin that they are lines.
 * Tables are drawn in both ways.
 */
export function rulingLinesOf(outlines: readonly (readonly Point[])[], paint: 'stroke' | 'fill'): RulingLine[] {
  if (paint === 'fill') return outlines.map(boxAround).filter(isRulingLine)
  return outlines
    .flatMap((points) => points.slice(1).map((point, index) => boxAround([points[index]!, point])))
    .filter(isRulingLine)
}

/** A small round or square shape, as the marks of list items are drawn by browsers. */
export function bulletShapeOf(outlines: readonly (readonly Point[])[]): Box | undefined {
  const box = boxAround(outlines.flat())
  const [width, height] = [box.right - box.left, box.bottom - box.top]
  return width > 1.5 && width < 8 && Math.abs(width - height) < 0.8 ? box : undefined
}

/** Corners of the outlines of a path on the page; of a curve, its end. */
export function outlinesOf(path: ArrayLike<number>, map: Matrix): Point[][] {
  const outlines: Point[][] = []
  for (let at = 0; at < path.length;) {
    const code = path[at] ?? closePath
    const length = lengths[code]
    if (length === undefined) break
    const outline = outlines.at(-1)
    if (code === closePath) outline?.push(outline[0]!)
    else {
      const point = moved(map, path[at + length - 1] ?? 0, path[at + length] ?? 0)
      if (code === moveTo || !outline) outlines.push([point])
      else outline.push(point)
    }
    at += 1 + length
  }
  return outlines
}

function boxAround(points: readonly Point[]): RulingLine {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y)
  }
  return box
}

function isRulingLine({ left, top, right, bottom }: RulingLine): boolean {
  const width = right - left
  const height = bottom - top
  return Math.min(width, height) <= maxThickness && Math.max(width, height) >= minLength
}

export const isHorizontal = ({ left, top, right, bottom }: RulingLine): boolean => right - left >= bottom - top
