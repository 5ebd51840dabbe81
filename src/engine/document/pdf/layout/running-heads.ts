import { heaviest, snapped } from '../content-stream/page-graphics.ts'
import type { TextLine } from '../text/text-lines.ts'
import type { Flow, Word } from '../text/pdf-words.ts'

/** Text of a line without its numbers, so lines that count pages have the same shape. */
type NumberedText = {
  shape: string
  numbers: readonly number[]
  /** `page`: declared to be a page number. `count`: may contain page numbers. `fixed`: numbers belong to the text. */
  kind: 'page' | 'count' | 'fixed'
  /** True if the line contains only numbers and words that accompany a page number. */
  isBare: boolean
}

const pageWord =
  'pages?|pg|seite|página|pagina|pág|pag|strona|strana|str|sida|sid|side|sivu|sayfa|oldal|страница|стр|trang|halaman|[psс](?=\\.)'
const ofAll = '(?:\\s*(?:of|von|de|di|sur|van|av|af|ze?|из|/)\\s*#)?'
const namedPage = new RegExp(`(?<!\\p{L})(?:${pageWord})\\.?\\s*#${ofAll}|第?\\s*#\\s*[页頁쪽]|#\\s*ページ`, 'u')
const bareNumber = new RegExp(`^\\P{L}*(?:[a-z][-–.])?#${ofAll}\\P{L}*$`, 'u')
/** A number at an end of the line, separated from words. */
const separated = /^#\s*[|·•–—]|^#\s+-\s|[|·•–—]\s*#$|\s-\s+#$/
const atEnd = /^#\s|\s#$/

/** Maximum difference between the number at an end of a foot line and the number of its page in the file. */
const maxFrontMatter = 20

/**
 * Reads a line at the edge of a page. At the top of pages, "Question 3" is a heading; at the foot, "Report 3" is its
 * page 3.
 */
function numberedText(text: string, place: { edge: 'head' | 'foot'; page: number }): NumberedText {
  const plain = text.toLowerCase().trim()
  const [, roman] = /^\P{L}*?([ivxlc]+)\P{L}*$/u.exec(plain) ?? []
  if (roman !== undefined && !/\d/.test(plain))
    return { shape: '#', numbers: [romanNumber(roman)], kind: 'count', isBare: true }
  const numbers = (plain.match(/\d+/g) ?? []).map(Number)
  const shape = plain.replace(/\d+/g, '#')
  if (namedPage.test(shape)) {
    const isBare = !/[\p{L}\p{N}]/u.test(shape.replace(namedPage, ''))
    return { shape, numbers, kind: 'page', isBare }
  }
  const isBare = bareNumber.test(shape)
  const last = (shape.startsWith('#') ? numbers[0] : numbers.at(-1)) ?? Infinity
  const isFoot = place.edge === 'foot' && atEnd.test(shape) && Math.abs(last - place.page) <= maxFrontMatter
  return { shape, numbers, kind: isBare || isFoot || separated.test(shape) ? 'count' : 'fixed', isBare }
}

/** True if the numbers of two lines of one shape are equal, or differ like their page numbers. */
function countsAlong(text: NumberedText, numbers: readonly number[], apart: number): boolean {
  if (text.kind === 'page') return true
  return text.numbers.every((number, index) => {
    const by = number - (numbers[index] ?? NaN)
    // With two book pages on each sheet, numbers differ by twice as much.
    return by === 0 || (text.kind === 'count' && (by === apart || by === apart * 2))
  })
}

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 }

export function romanNumber(text: string): number {
  const digits = [...text.toLowerCase()].map((digit) => romanDigits[digit] ?? 0)
  return digits.reduce((sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit), 0)
}

/** Parts of a page that are needed to find repetitions. */
export type PageLines = {
  number: number
  height: number
  lines: readonly TextLine[]
  /** Lines that the file marks as running heads or page numbers, and which are therefore missing in `lines`. */
  artifacts: readonly TextLine[]
  /** Text in other directions than the page's main one. */
  others: readonly Flow[]
  chars: number
}

/** Shares of the page height that bound the zones of running heads and feet. */
const headZone = 0.12
const footZone = 0.88
/** Maximum distance in pages between two occurrences of a running head. */
const reach = 4
/** Maximum share of the text in running heads; lines that contain more of it are content. */
const maxShare = 0.75

type Sighting = { page: number; numbers: readonly number[]; isSetOff: boolean }
type EdgeLine = Sighting & { line: TextLine; keys: readonly string[]; text: NumberedText }

/** Sightings of lines at page edges, by position and shape; for earlier pages, only the last few. */
export type Repeats = ReadonlyMap<string, readonly Sighting[]>

/** Records the lines at the top and bottom of pages by their position and their text without numbers. */
export function repeatsOf(pages: readonly PageLines[], known: Repeats): Repeats {
  const first = (pages[0]?.number ?? 0) - reach
  const seen = new Map<string, Sighting[]>()
  for (const [key, sightings] of known) {
    const near = sightings.filter(({ page }) => page >= first)
    if (near.length > 0) seen.set(key, near)
  }
  for (const { keys, page, numbers, isSetOff } of pages.flatMap(edgeLines))
    for (const key of keys) seen.set(key, [...(seen.get(key) ?? []), { page, numbers, isSetOff }])
  return seen
}

type Cleared<Page> = { page: Page; lines: readonly TextLine[]; lost: 'heads' | 'no heads' }

/**
 * Removes page numbers and lines repeated at the same position near an edge of nearby pages, provided that the page
 * keeps some text, and all pages together keep at least a quarter of theirs.
 */
export function withoutRunningHeads<Page extends PageLines>(pages: readonly Page[], repeats: Repeats): Cleared<Page>[] {
  const last = pages.at(-1)?.number ?? 0
  const found = pages.map((page) => ({ page, ...repeatedOn(page, repeats, last) }))
  const inHeads = found.flatMap(({ heads }) => heads).reduce((sum, line) => sum + textOf(line).length, 0)
  const areHeads = inHeads <= maxShare * pages.reduce((sum, { chars }) => sum + chars, 0)
  return found.map((each) => clearedOf(each.page, each.numbers, areHeads ? each.heads : []))
}

function clearedOf<Page extends PageLines>(
  page: Page,
  numbers: readonly TextLine[],
  heads: readonly TextLine[],
): Cleared<Page> {
  const without = (gone: readonly TextLine[]) => page.lines.filter((line) => !gone.includes(line))
  const holds = (lines: readonly TextLine[]) => lines.length > 0 || page.others.length > 0
  const lost = page.artifacts.some(hasMoreThanNumbers) ? 'heads' : 'no heads'
  const rest = without([...numbers, ...heads])
  if (heads.length > 0 && holds(rest)) return { page, lines: rest, lost: 'heads' }
  const cleaned = without(numbers)
  return { page, lines: holds(cleaned) ? cleaned : page.lines, lost }
}

function hasMoreThanNumbers(line: TextLine): boolean {
  const text = textOf(line)
  return /\p{L}/u.test(text) && !numberedText(text, { edge: 'foot', page: 0 }).isBare
}

function repeatedOn(
  page: PageLines,
  repeats: Repeats,
  last: number,
): { numbers: readonly TextLine[]; heads: readonly TextLine[] } {
  const edges = edgeLines(page).map((edge) => ({ ...edge, others: othersLike(edge, repeats) }))
  const near = Math.min(reach, last - page.number) + Math.min(reach, page.number - 1)
  const numbers = edges.filter((edge) => isPageNumber(edge, edge.others) && edge.others.length >= (near < 4 ? 1 : 2))
  const isBeside = ({ line }: EdgeLine) => numbers.some((other) => Math.abs(other.line.baseline - line.baseline) < 2)
  const heads = edges.filter(
    (edge) => !numbers.includes(edge) && edge.others.length > 0 && (isBeside(edge) || isHead(edge, edge.others, near)),
  )
  return { numbers: numbers.map(({ line }) => line), heads: heads.map(({ line }) => line) }
}

function othersLike({ keys, page, text }: EdgeLine, repeats: Repeats): Sighting[] {
  const like = keys
    .flatMap((key) => repeats.get(key) ?? [])
    .filter((other) => other.page !== page && Math.abs(other.page - page) <= reach)
    .filter((other) => countsAlong(text, other.numbers, page - other.page))
  return [...new Map(like.map((other) => [other.page, other])).values()]
}

function isPageNumber({ text, numbers }: EdgeLine, others: readonly Sighting[]): boolean {
  if (!text.isBare) return false
  return (
    text.kind === 'page' || others.some((other) => other.numbers.some((number, index) => number !== numbers[index]))
  )
}

/**
 * True if the line is on at least half of the nearby pages, or on three consecutive pages or every second of them:
 * heads belong to chapters, and left and right pages may have their own.
 */
function isHead({ page, isSetOff }: EdgeLine, others: readonly Sighting[], near: number): boolean {
  const setOff = others.filter((other) => other.isSetOff).length + (isSetOff ? 1 : 0)
  if (setOff * 2 <= others.length) return false
  const isOn = (number: number) => others.some((other) => other.page === number)
  const isInRow = [1, 2].some((step) =>
    [-2, -1, 0].some((from) => [0, 1, 2].every((at) => from + at === 0 || isOn(page + (from + at) * step))),
  )
  return isInRow || others.length * 2 >= near
}

/** Returns lines in the margins in type no larger than the text: larger lines are titles, even if repeated. */
function edgeLines(page: PageLines): EdgeLine[] {
  const { lines, height } = page
  const written = lines.filter((line) => !line.table && line.words.length > 0 && line.words.length < 40)
  const body = heaviest(lines.map(({ size, words }) => [size, words.length])) ?? Infinity
  const small = (line: TextLine) => line.size <= body * 1.2
  const top = written.filter((line) => line.bottom < height * headZone).slice(0, 6)
  const bottom = written.filter((line) => line.top > height * footZone).slice(-6)
  const fromTop = snapped(
    lines.map(({ baseline }) => baseline),
    2,
  )
  const fromFoot = fromTop.map((row) => height - row).reverse()
  return [
    ...top.filter(small).map((line) => edgeLine(page, line, { edge: 'head', at: line.baseline, rows: fromTop })),
    ...bottom
      .filter(small)
      .map((line) => edgeLine(page, line, { edge: 'foot', at: height - line.baseline, rows: fromFoot })),
  ]
}

/** Distances are from the edge nearest to the line. */
type Place = { edge: 'head' | 'foot'; at: number; rows: readonly number[] }

function edgeLine({ number: page, height }: PageLines, line: TextLine, { edge, at, rows }: Place): EdgeLine {
  const text = numberedText(textOf(line), { edge, page })
  // Two keys, so two positions that differ by a point have a key in common.
  const spots = [Math.floor(at / 4), Math.floor(at / 4 + 0.5) + 0.5]
  const keys = spots.map((spot) => `${edge} ${spot} ${text.shape}`)
  const isSetOff = standsApart({ at, size: line.size, rows, border: height * headZone })
  return { page, line, text, numbers: text.numbers, isSetOff, keys }
}

/**
 * True if a line is farther from the text of the page than the lines of the text are from each other: lines of a form
 * are evenly spaced.
 */
function standsApart(line: { at: number; size: number; rows: readonly number[]; border: number }): boolean {
  const { at, size, rows, border } = line
  const gaps = rows.slice(1).map((row, index) => row - rows[index]!)
  return gaps.some((gap, index) => {
    const from = rows[index]!
    if (from < at - 2 || from > border) return false
    const close = gaps.filter((other, place) => place !== index && other <= size * 3.5)
    const usual = close.sort((one, other) => one - other)[Math.floor(close.length / 4)] ?? size * 1.35
    return gap > usual * 1.25
  })
}

const textOf = ({ words }: TextLine) => words.map(({ text }) => text).join(' ')

/** Minimum number of pages that show the same word at the same place. */
const minPages = 3

/**
 * Finds words that are drawn at the same place on most pages and lie behind or over other text: a watermark. Labels of
 * forms, which repeat as well, have their place to themselves.
 */
export function watermarksOf(pages: readonly (readonly Word[])[]): ReadonlySet<Word> {
  const places = new Map<string, Word[]>()
  for (const words of pages)
    for (const [key, word] of new Map(words.map((each) => [placeOf(each), each]))) {
      const same = places.get(key)
      if (same) same.push(word)
      else places.set(key, [word])
    }
  const repeated = [...places.values()].filter(({ length }) => length >= minPages && length * 2 > pages.length)
  const candidates = new Set(repeated.flat())
  const covered = new Set(pages.flatMap((words) => coveredAmong(words, candidates)))
  return new Set(repeated.filter((same) => same.filter((word) => covered.has(word)).length * 2 > same.length).flat())
}

const placeOf = ({ text, left, baseline, size }: Word) =>
  [text, left, baseline, size].map((part) => (typeof part === 'number' ? Math.round(part) : part)).join(' ')

/** Returns the candidates that share their place with smaller words, or with words that do not repeat. */
function coveredAmong(words: readonly Word[], candidates: ReadonlySet<Word>): Word[] {
  return words
    .filter((word) => candidates.has(word))
    .filter((word) =>
      words.some((other) => overlaps(word, other) && (!candidates.has(other) || other.size * 1.5 < word.size)),
    )
}

function overlaps(one: Word, other: Word): boolean {
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return one.right > other.left && other.right > one.left && height > Math.min(one.size, other.size) * 0.4
}
