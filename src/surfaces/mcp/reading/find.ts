import { rarity } from '../../../util/rank.ts'
import { offPair, standalone } from '../cut.ts'
import type { Hit, Matcher } from './matcher.ts'
import { type Heading, headingsOf, nameOf, fenceAfter } from './outline.ts'

/** A stretch of a page that is found as one: a heading, a paragraph, a block of code, a line of a long list or table. */
type Unit = { kind: 'heading' | 'code' | 'text'; at: number; end: number }
type Line = { at: number; end: number; start: string }

/** Longer paragraphs are found line by line. */
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

/** As much of a line as tells what it is. */
const startLength = 300

function* linesOf(text: string, from: number, end: number): Generator<Line> {
  for (let at = from; at < end;) {
    const next = text.indexOf('\n', at)
    const lineEnd = next === -1 || next > end ? end : next
    yield { at, end: lineEnd, start: text.slice(at, Math.min(lineEnd, at + startLength)) }
    at = lineEnd + 1
  }
}

/** The mark of the block of code that is open after a line; in a list or a quotation code is indented. */
function openAfter({ start }: Line, open: string | undefined): string | undefined {
  const [, mark, info = ''] = /^[ \t>]*(`{3,}|~{3,})(.*)$/s.exec(start) ?? []
  return mark === undefined ? open : fenceAfter(open, mark, info)
}

/** Of the page with this number among those that were looked through; `at` is an offset in it. */
export type Passage = { page: number; at: number; heading: string; text: string }
export type Found = {
  /** Best first. */
  passages: readonly Passage[]
  /** How many there are in all. */
  count: number
  /** Whether the best lacks some of the words. */
  isPartial: boolean
}
/** A text, or what stands between two offsets of it. */
export type Range = { text: string; from?: number | undefined; end?: number | undefined }
type Most = { maxCharacters: number; maxPassages: number }
type Sheet = { page: number; text: string; units: readonly Unit[]; headings: readonly Heading[] }
type Place = { sheet: Sheet; index: number; unit: Unit; hit: Hit; heading: Heading | undefined }

/** The passages of some pages that fit best, as many as there is room for. */
export function findPassages(pages: readonly Range[], matcher: Matcher, most: Most): Found {
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
    const isFar = score < (ranked[0]?.score ?? 0) * leastShare
    if (isFar || passages.length >= most.maxPassages || room < leastPassage) break
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

/** A passage that fits so much worse than the best is no help. */
const leastShare = 0.2
/** A passage with less room than this says nothing. */
const leastPassage = 120

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

/** Rare words tell more. */
const weightsOf = (places: readonly Place[], units: number, count: number): number[] =>
  Array.from({ length: count }, (_, word) => {
    const holding = places.filter(({ hit }) => (hit.scores[word] ?? 0) > 0).length
    return rarity(holding, units)
  })

/** Words that the headings above hold count as well, but less. */
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

/** A heading brings what stands below it, and words that announce something (`…:`) bring that. */
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

/** The part around a hit, in whole lines of code or whole words. */
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
