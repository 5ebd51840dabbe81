import { rarity } from '../../../util/rank.ts'
import { offPair, standalone, type Heading, headingsOf, nameOf, fenceAfter } from './outline.ts'
import { fail } from '../../../kernel/error.ts'
import { significantWords, wordsIn } from '../../../util/words.ts'

/** Score of a text for each search term (0: no match), and the offset of the first match. */
type Hit = { scores: readonly number[]; at: number; isPhrase: boolean }
export type Matcher = {
  /** Number of search terms. */
  count: number
  hit(text: string): Hit | undefined
}

/** Maximum program size of an expression: the time that RE2 takes is proportional to text length times program size. */
const maxProgram = 1000

/** Parses `find`: words, or an expression between slashes. Fails with BAD_REQUEST for an invalid expression. */
export async function matcherOf(find: string): Promise<Matcher> {
  const [, pattern, flags = ''] = /^\/(.+)\/([gimsuy]*)$/s.exec(find.trim()) ?? []
  return pattern === undefined ? wordMatcher(find) : expressionMatcher(pattern, flags)
}

/** Uses RE2, which for every expression takes time linear in the length of the text. */
async function expressionMatcher(pattern: string, flags: string): Promise<Matcher> {
  const { RE2JS } = await import('re2js')
  const options =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0)
  const compile = () => {
    try {
      return RE2JS.compile(RE2JS.translateRegExp(pattern), options)
    } catch {
      return refuse('it is not valid, or uses look-around or back-references')
    }
  }
  const expression = compile()
  if (expression.programSize() > maxProgram) refuse('it is too large')
  return {
    count: 1,
    hit(text) {
      const matcher = expression.matcher(text)
      return matcher.find() ? { scores: [1], at: matcher.start(), isPhrase: true } : undefined
    },
  }
}

function refuse(reason: string): never {
  const message = `The expression in find cannot be used: ${reason}. Expected: words, or /expression/ of RE2.`
  return fail('BAD_REQUEST', { message, details: [{ path: ['find'], message, code: 'invalid_pattern' }] })
}

/** More words slow the search down without improving it. */
const maxWords = 20

function wordMatcher(find: string): Matcher {
  const phrase = folded(find).trim().replace(/\s+/g, ' ')
  const all = [...new Set(phrase.split(' ').filter((word) => word !== ''))]
  const words = significantWords(all)
    .slice(0, maxWords)
    .map((word) => ({ word, stem: stemFor(word) }))
  return {
    count: words.length,
    hit(text) {
      const lower = folded(text)
      const hits = words.map((each) => wordHit(lower, each))
      const first = hits.reduce((least, { at }) => (at !== -1 && (least === -1 || at < least) ? at : least), -1)
      if (first === -1) return undefined
      const whole = lower.indexOf(phrase)
      return {
        scores: hits.map(({ score }) => score),
        at: whole === -1 ? first : whole,
        isPhrase: whole !== -1,
      }
    },
  }
}

/** The word without its ending, if that is a prefix of more than two letters; otherwise the word itself. */
function stemFor(word: string): string {
  const [stem = ''] = wordsIn(word).length === 1 ? wordsIn(word) : []
  const bare = stem.replace(/i$/, '')
  return bare.length > 2 && word.startsWith(bare) ? bare : word
}

const wordScores = { whole: 3, prefix: 2, within: 1 }

/** Whole words score higher than prefixes, and prefixes higher than parts of words. */
function wordHit(text: string, { word, stem }: { word: string; stem: string }): { score: number; at: number } {
  const any = text.indexOf(stem)
  if (any === -1) return { score: 0, at: -1 }
  const whole = placeOf(text, word, isApart)
  if (whole !== -1) return { score: wordScores.whole, at: whole }
  const prefix = placeOf(text, stem, (from) => !isLetter(text, from - 1))
  return prefix === -1 ? { score: wordScores.within, at: any } : { score: wordScores.prefix, at: prefix }

  function isApart(from: number): boolean {
    return !isLetter(text, from - 1) && !isLetter(text, from + word.length)
  }
}

function placeOf(text: string, part: string, fits: (at: number) => boolean): number {
  let at = text.indexOf(part)
  while (at !== -1 && !fits(at)) at = text.indexOf(part, at + 1)
  return at
}

const isLetter = (text: string, at: number): boolean => at >= 0 && /[\p{L}\p{N}_]/u.test(text.charAt(at))

/** Removes case, accents and markdown escapes, which shifts offsets only slightly. */
function folded(text: string): string {
  const lower = text.toLowerCase().replace(/\\(?=[!-/:-@[-`{-~])/g, '')
  if (/^[\n\r\t\x20-\x7e]*$/.test(lower)) return lower
  return lower.replace(/[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) => letter.normalize('NFD').charAt(0))
}

/** A unit of search: a heading, a paragraph, a block of code, a line of a long list or table. */
type Unit = { kind: 'heading' | 'code' | 'text'; at: number; end: number }
type Line = { at: number; end: number; start: string }

/** Longer paragraphs are searched line by line. */
const longest = 600

/** The units of `text` from `from` to `end`, in order. */
function unitsOf(text: string, from = 0, end = text.length): Unit[] {
  const units: Unit[] = []
  let lines: Unit[] = []
  let code: { at: number; mark: string } | undefined
  const flush = () => {
    const [first, last] = [lines[0], lines.at(-1)]
    if (first && last) units.push(...(last.end - first.at <= longest ? [{ ...first, end: last.end }] : lines))
    lines = []
  }
  const add = ({ start, ...place }: Line) => {
    const isHeading = /^ {0,3}#{1,6}[ \t]/.test(start)
    if (!isHeading && /\S/.test(start)) return void lines.push({ kind: 'text', ...place })
    flush()
    if (isHeading) units.push({ kind: 'heading', ...place })
  }
  for (const line of linesOf(text, from, end)) {
    const mark = openAfter(line, code?.mark)
    if (code && mark === undefined) {
      units.push({ kind: 'code', at: code.at, end: line.end })
      code = undefined
    } else if (!code && mark !== undefined) {
      flush()
      code = { at: line.at, mark }
    } else if (!code) add(line)
  }
  flush()
  if (code) units.push({ kind: 'code', at: code.at, end })
  return units
}

/** Characters of a line that suffice to recognise its kind. */
const startLength = 300

function* linesOf(text: string, from: number, end: number): Generator<Line> {
  for (let at = from; at < end;) {
    const next = text.indexOf('\n', at)
    const lineEnd = next === -1 || next > end ? end : next
    yield { at, end: lineEnd, start: text.slice(at, Math.min(lineEnd, at + startLength)) }
    at = lineEnd + 1
  }
}

/** Fence of the code block that is open after a line, which may be indented in a list or a quotation. */
function openAfter({ start }: Line, open: string | undefined): string | undefined {
  const [, mark, info = ''] = /^[ \t>]*(`{3,}|~{3,})(.*)$/s.exec(start) ?? []
  return mark === undefined ? open : fenceAfter(open, mark, info)
}

/** `page` is the index among the searched pages; `at` is an offset in that page. */
export type Passage = { page: number; at: number; heading: string; text: string }
export type RankedPassages = {
  /** Best first. */
  passages: readonly Passage[]
  /** Total number of matches. */
  count: number
  /** True if the best passage lacks some of the words. */
  isPartial: boolean
}
/** A text, or the part between two offsets of it. */
export type Range = { text: string; from?: number | undefined; end?: number | undefined }
type Most = { maxCharacters: number; maxPassages: number }
type Sheet = { page: number; text: string; units: readonly Unit[]; headings: readonly Heading[] }
type Place = { sheet: Sheet; index: number; unit: Unit; hit: Hit; heading: Heading | undefined }

/** The best matching passages of some pages, as many as there is room for. */
export function findPassages(pages: readonly Range[], matcher: Matcher, most: Most): RankedPassages {
  const sheets = pages.map(sheetOf)
  const places = sheets.flatMap((sheet) => placesOf(sheet, matcher))
  const units = sheets.reduce((sum, sheet) => sum + sheet.units.length, 0)
  const weights = weightsOf(places, units, matcher.count)
  const ranked = places
    .map((place) => ({ place, ...rankOf(place, matcher, weights) }))
    .sort((one, other) => other.score - one.score)
  const passages: Passage[] = []
  const taken: { sheet: Sheet; unit: Pick<Unit, 'at' | 'end'> }[] = []
  let room = most.maxCharacters
  for (const { place, score } of ranked) {
    const isFar = score < (ranked[0]?.score ?? 0) * minShare
    if (isFar || passages.length >= most.maxPassages || room < minPassage) break
    const { sheet } = place
    if (taken.some((each) => each.sheet === sheet && isWithin(each.unit, place.unit.at))) continue
    const { unit, ...passage } = passageAt(place, room)
    taken.push({ sheet, unit })
    passages.push({ page: sheet.page, ...passage })
    room -= passage.text.length + passage.heading.length + 20
  }
  return { passages, count: places.length, isPartial: ranked[0] !== undefined && !ranked[0].hasAll }
}

const isWithin = ({ at, end }: Pick<Unit, 'at' | 'end'>, place: number) => place >= at && place < end

function sheetOf({ text, from = 0, end = text.length }: Range, page: number): Sheet {
  return { page, text, units: unitsOf(text, from, end), headings: headingsOf(text).filter(({ at }) => at < end) }
}

/** Minimum score relative to the best passage. */
const minShare = 0.2
/** Minimum room for another passage; a shorter one would be useless. */
const minPassage = 120

function placesOf(sheet: Sheet, matcher: Matcher): Place[] {
  const { text, units, headings } = sheet
  const places: Place[] = []
  let next = 0
  for (const [index, unit] of units.entries()) {
    while ((headings[next]?.at ?? Infinity) <= unit.at) next += 1
    const hit = matcher.hit(text.slice(unit.at, unit.end))
    if (hit) places.push({ sheet, index, unit, hit, heading: headings[next - 1] })
  }
  return places
}

/** Rare words get higher weights. */
const weightsOf = (places: readonly Place[], units: number, count: number): number[] =>
  Array.from({ length: count }, (_, word) => {
    const holding = places.filter(({ hit }) => (hit.scores[word] ?? 0) > 0).length
    return rarity(holding, units)
  })

/** Words in the parent headings count less. */
const headingScore = 1.5
const phraseScore = 4

function rankOf({ unit, hit, heading }: Place, matcher: Matcher, weights: readonly number[]) {
  const above = heading && matcher.hit(nameOf(heading))
  const scores = hit.scores.map((score, word) => Math.max(score, (above?.scores[word] ?? 0) > 0 ? headingScore : 0))
  const words = scores.reduce((sum, score, word) => sum + score * (weights[word] ?? 0), 0)
  const phrase = hit.isPhrase ? phraseScore * weights.reduce((sum, weight) => sum + weight, 0) : 0
  const share = scores.filter((score) => score > 0).length / matcher.count
  const length = 1 + Math.max(0, unit.end - unit.at - longText) / 10_000
  return { score: ((words + phrase) * share) / length, hasAll: share === 1 }
}

const longText = 500

/** A heading includes the text below it, and a line ending in `:` the text that it announces. */
function passageAt({ sheet: { text, units }, index, unit, hit, heading }: Place, room: number) {
  const most = Math.min(room, unit.kind === 'code' ? room : longText)
  const name = heading === undefined ? '' : nameOf(heading)
  if (unit.end - unit.at > most) {
    return {
      unit,
      at: unit.at + hit.at,
      heading: name,
      text: clipped(text.slice(unit.at, unit.end), unit, hit.at, most),
    }
  }
  let last = unit
  for (const next of units.slice(index + 1, index + 20)) {
    const announces = last.kind === 'heading' || /:\s*$/.test(text.slice(Math.max(last.at, last.end - 20), last.end))
    const isStart = unit.kind === 'heading' && last.end - unit.at < longText
    const fits = next.end - unit.at <= (announces && next.kind === 'code' ? room : Math.min(room, 2 * longText))
    if (next.kind === 'heading' || !(announces || isStart) || !fits) break
    last = next
  }
  return { unit: { at: unit.at, end: last.end }, at: unit.at, heading: name, text: text.slice(unit.at, last.end) }
}

/** The part around a match, in whole lines of code or whole words. */
function clipped(text: string, { kind }: Unit, hit: number, room: number): string {
  const breakAt = kind === 'code' ? '\n' : ' '
  const wanted = Math.max(0, hit - Math.floor(room / 3))
  const start = wanted === 0 ? 0 : boundary(text, breakAt, wanted, hit)
  const last = text.lastIndexOf(breakAt, start + room)
  const end = start + room >= text.length ? text.length : offPair(text, last > hit ? last : start + room)
  if (kind === 'code') return standalone(text, start, end)
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

function boundary(text: string, breakAt: string, wanted: number, latest: number): number {
  const at = text.indexOf(breakAt, wanted)
  return at === -1 || at >= latest ? offPair(text, wanted) : at + 1
}
