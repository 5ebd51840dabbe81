import {
  type Box,
  contains,
  type Point,
  type Direction,
  type Glyph,
  type Link,
  type PageGraphics,
} from '../content-stream/page-graphics.ts'
import type { Font } from './pdf-fonts.ts'

/** A run of glyphs without a gap, in one font. Its box is in a space in which its text runs to the right. */
export type Word = Box & {
  text: string
  /** The same characters in left-to-right order, for scripts that are read from right to left. */
  drawn: readonly string[]
  baseline: number
  size: number
  font: Font
  tag: Glyph['tag']
  href: string | undefined
  /** True if set in a typewriter font; characters that always have the same width do not count. */
  isTyped: boolean
  /** True if a blank was drawn before the word. */
  isSpaced: boolean
}

/** Words of one reading direction. */
export type Flow = { direction: Direction; words: Word[] }

/** Scripts written without blanks between words. */
export const noBlanks =
  /[\u2E80-\u303F\u3040-\u30FF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF\u0E00-\u0E7F]/

const wide = new RegExp(`${noBlanks.source}|[\\uAC00-\\uD7AF]`)

/** A gap wider than this share of the font size separates two words; kerning is narrower, a narrow blank wider. */
export const wordGap = 0.15

const directions: readonly Direction[] = ['right', 'down', 'up', 'left', 'oblique']

/** Returns words in drawing order, grouped by direction; the page's main direction comes first. */
export function flowsOf({
  width,
  height,
  glyphs,
  links,
}: Pick<PageGraphics, 'width' | 'height' | 'glyphs' | 'links'>): Flow[] {
  const hrefOf = hrefFinder(linkFinder(links))
  return directions
    .map((direction) => {
      const own = glyphs.filter((glyph) => glyph.direction === direction)
      return { direction, words: undoubled(wordsOf(own, uprighter(direction, width, height), hrefOf)) }
    })
    .filter(({ words }) => words.length > 0)
    .sort((one, other) => slantOf(one) - slantOf(other) || other.words.length - one.words.length)
}

/** Ranks slanted text last, even if the page has more of it. */
const slantOf = ({ direction }: Flow) => Number(direction === 'oblique')

/** Rotates positions on the page so text of this direction runs to the right. */
export function uprighter(direction: Direction, width: number, height: number) {
  return ({ x, y }: { x: number; y: number }) => {
    if (direction === 'down') return { x: y, y: width - x }
    if (direction === 'up') return { x: height - y, y: x }
    if (direction === 'left') return { x: width - x, y: height - y }
    return { x, y }
  }
}

type OpenWord = Word & { drawn: string[] }

type HrefOf = (glyph: Glyph) => string | undefined

/** Finds the link under the middle of a glyph. */
function hrefFinder(linkAt: ReturnType<typeof linkFinder>): HrefOf {
  return ({ x, y, width, size, direction }) =>
    direction === 'right' ? linkAt({ x: x + width / 2, y: y - size * 0.3 }) : linkAt({ x, y })
}

function wordsOf(glyphs: readonly Glyph[], upright: ReturnType<typeof uprighter>, hrefOf: HrefOf): Word[] {
  const words: OpenWord[] = []
  let open: OpenWord | undefined
  let isSpaced = false
  for (const glyph of glyphs) {
    if (glyph.text.trim() === '') {
      // A blank without width only marks where a word may be broken.
      if (glyph.width > 0) open = undefined
      if (glyph.width > 0) isSpaced = true
      continue
    }
    const { x, y } = upright(glyph)
    const href = hrefOf(glyph)
    if (!open || open.href !== href || !follows(open, glyph, x, y)) {
      open = { ...startWord(glyph, x, y), href, isSpaced }
      words.push(open)
      isSpaced = false
    }
    // Some writers draw right-to-left scripts in reading order.
    if (x < open.left) open.drawn.unshift(glyph.text)
    else open.drawn.push(glyph.text)
    open.left = Math.min(open.left, x)
    open.right = Math.max(open.right, x + glyph.width)
  }
  return words.map((word) => {
    const text = word.drawn.join('')
    return { ...word, text, isTyped: word.font.pitch === 'fixed' && !wide.test(text) }
  })
}

function follows(word: OpenWord, glyph: Glyph, x: number, y: number): boolean {
  const gap = x - word.right
  return (
    word.font === glyph.font &&
    word.tag === glyph.tag &&
    Math.abs(word.size - glyph.size) < 0.1 &&
    Math.abs(word.baseline - y) < glyph.size * 0.1 &&
    gap < glyph.size * wordGap &&
    gap > -glyph.size * 0.4
  )
}

function startWord({ size, font, tag, width }: Glyph, x: number, y: number) {
  const box = { left: x, top: y - size * 0.8, right: x + width, bottom: y + size * 0.2 }
  return { ...box, text: '', drawn: [] as string[], baseline: y, size, font, tag, isTyped: false }
}

/** Removes duplicates: some files draw a word again with a slight offset to make it bold or to add a shadow. */
function undoubled(words: readonly Word[]): Word[] {
  const known = new Map<string, Word[]>()
  return words.filter((word) => {
    // Checking only the last occurrences is enough, because no page repeats one word that often.
    const same = known.get(word.text)?.slice(-50) ?? []
    const reach = word.size * 0.2
    const isDouble = same.some(
      (other) => Math.abs(other.left - word.left) < reach && Math.abs(other.baseline - word.baseline) < reach,
    )
    if (!isDouble) known.set(word.text, [...same, word])
    return !isDouble
  })
}

/** Height in points of the bands that index links. */
const bandHeight = 20
const maxBands = 100

/** Finds the link at a position without checking all links of the page. */
function linkFinder(links: readonly Link[]): (at: Point) => string | undefined {
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
