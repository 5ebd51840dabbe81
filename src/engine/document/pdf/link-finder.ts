import { contains, type Point } from './geometry.ts'
import type { Link } from './marks.ts'

/** Height of the bands by which links are found, points. */
const bandHeight = 20
const maxBands = 100

/** Finds the link at a place without asking all links of the page. */
export function linkFinder(links: readonly Link[]): (at: Point) => string | undefined {
  const bands = new Map<number, Link[]>()
  for (const link of links) {
    const first = Math.floor(link.box.top / bandHeight)
    const last = Math.min(first + maxBands, Math.floor(link.box.bottom / bandHeight))
    for (let band = first; band <= last; band += 1) {
      const inside = bands.get(band)
      if (inside) inside.push(link)
      else bands.set(band, [link])
    }
  }
  return (at) => bands.get(Math.floor(at.y / bandHeight))?.find(({ box }) => contains(box, at))?.href
}
