import { heaviest } from '../content-stream/geometry.ts'
import type { TextLine } from '../text/lines.ts'

/** Lines of one page with its height; the page itself is not needed to find what repeats. */
export type PageLines = { number: number; height: number; lines: readonly TextLine[] }

/** Parts of the height of a page in which running heads and feet stand. */
const headZone = 0.12
const footZone = 0.88
/** How many pages away the same head still counts. */
const reach = 4

/** Keys of margin lines, and the pages on which each was seen; of earlier pages, the last few. */
export type Repeats = ReadonlyMap<string, ReadonlySet<number>>

/**
 * Notes the lines at the top and bottom of pages by place and text, with numbers left out: page numbers change, the rest of
 * a running head stays. Pages left and right may differ, so every second page is enough.
 */
export function repeatsOf(pages: readonly PageLines[], known: Repeats): Repeats {
  const first = (pages[0]?.number ?? 0) - reach
  const seen = new Map<string, Set<number>>()
  for (const [key, numbers] of known) {
    const near = [...numbers].filter((number) => number >= first)
    if (near.length > 0) seen.set(key, new Set(near))
  }
  const keys = pages.flatMap((page) =>
    marginLines(page).flatMap((line) => keysOf(line, page.height).map((key) => ({ key, number: page.number }))),
  )
  for (const { key, number } of keys) {
    const numbers = seen.get(key)
    if (numbers) numbers.add(number)
    else seen.set(key, new Set([number]))
  }
  return seen
}

/** A page without what repeats on other pages near it, and without what stands beside that: a title beside its page number. */
export function withoutRepeats(page: PageLines, repeats: Repeats, pages: number): TextLine[] {
  const margin = marginLines(page)
  const repeated = margin.filter((line) =>
    keysOf(line, page.height).some((key) => isRepeated(repeats.get(key), page.number, pages)),
  )
  const gone = new Set(margin.filter((line) => repeated.some((other) => Math.abs(other.baseline - line.baseline) < 2)))
  return page.lines.filter((line) => !gone.has(line))
}

/** Lines in the margins in type no larger than that of the text: what is larger is a title, also where it comes again. */
function marginLines({ lines, height }: PageLines): TextLine[] {
  const written = lines.filter((line) => !line.table && line.words.length > 0 && line.words.length < 40)
  const top = written.filter((line) => line.bottom < height * headZone)
  const bottom = written.filter((line) => line.top > height * footZone)
  const body = heaviest(lines.map(({ size, words }) => [size, words.length])) ?? Infinity
  return [...top.slice(0, 6), ...bottom.slice(-6)].filter(({ size }) => size <= body * 1.2)
}

/** Two keys a line, so that places that differ by a point have one in common. */
function keysOf({ words, baseline }: TextLine, height: number): string[] {
  const text = words
    .map((word) => word.text)
    .join(' ')
    .toLowerCase()
  const shape = /^\W*[ivxlc]+\W*$/.test(text) ? '#' : text.replace(/\d+/g, '#')
  const place = baseline < height / 2 ? baseline : baseline - height
  return [Math.floor(place / 4), Math.floor(place / 4 + 0.5) + 0.5].map((spot) => `${spot} ${shape}`)
}

function isRepeated(numbers: ReadonlySet<number> | undefined, own: number, pages: number): boolean {
  if (!numbers || numbers.size < 2) return false
  if (pages <= 4) return true
  // A head that belongs to a chapter stands on a few pages in a row.
  const near = Array.from({ length: reach }, (_, index) => [own - index - 1, own + index + 1]).flat()
  return near.filter((number) => numbers.has(number)).length > 1
}
