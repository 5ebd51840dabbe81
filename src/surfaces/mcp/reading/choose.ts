import type { Part, Presentation } from '../../../kernel/operation.ts'
import { sanitised } from '../content.ts'
import { findPassages, type Matcher, type RankedPassages } from './find-passages.ts'
import { type Heading, headingsOf, nameOf } from './outline.ts'
import { distance, wordsIn } from '../../../util/words.ts'
import { plainLine } from '../../../util/plain-markdown.ts'

type Chosen =
  /** `others` are further headings that match the name. */
  { heading: Heading; others: readonly Heading[] } | { nearest: readonly Heading[] }

const pathMark = /\s+[>›»]\s+/

/**
 * The heading with this title or end of its path (`Install > Linux`), ignoring case, marks and punctuation; or the
 * only title that contains the name. Otherwise the three nearest.
 */
export function sectionNamed(headings: readonly Heading[], name: string): Chosen {
  const wanted = folded(plainLine(name))
  const [first, ...others] = headings.filter(({ title }) => folded(title) === wanted)
  if (first) return { heading: first, others }
  const [byPath, ...morePaths] = headings.filter((heading) => isPathOf(heading, name))
  if (byPath) return { heading: byPath, others: morePaths }
  const holding = wanted === '' ? [] : headings.filter(({ title }) => folded(title).includes(wanted))
  const [only] = holding
  if (only && holding.length === 1) return { heading: only, others: [] }
  return { nearest: holding.length > 1 ? holding.slice(0, 3) : nearest(headings, name) }
}

function isPathOf(heading: Heading, name: string): boolean {
  const steps = name.split(pathMark).map((step) => folded(plainLine(step)))
  if (steps.length < 2 || steps.at(-1) !== folded(heading.title)) return false
  const above = heading.above.map(folded)
  let from = 0
  return steps.slice(0, -1).every((step) => {
    const at = above.indexOf(step, from)
    from = at + 1
    return at !== -1
  })
}

/** Folds case and most punctuation; `+` and `#` count, since `C++` is not `C`. */
function folded(text: string): string {
  const lower = text.toLowerCase().normalize('NFKC')
  const words = lower
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}+#]+/gu, ' ')
    .trim()
  return words === '' ? lower.trim() : words
}

/** Limit of the comparison with similar titles, which is slow. */
const maxCompared = 3000
const longestTitle = 80

function nearest(headings: readonly Heading[], name: string): Heading[] {
  const wanted = name.toLowerCase().slice(0, longestTitle)
  const words = new Set(wordsIn(name.slice(0, 500)))
  const ranked = headings.slice(0, maxCompared).map((heading) => ({
    heading,
    shared: new Set(wordsIn(nameOf(heading).slice(-500)).filter((word) => words.has(word))).size,
    far: distance(wanted, heading.title.toLowerCase().slice(0, longestTitle)),
  }))
  ranked.sort((one, other) => other.shared - one.shared || one.far - other.far)
  return ranked.slice(0, 3).map(({ heading }) => heading)
}

/** The requested part of a page: matching passages, a section, or matching passages of a section. */
export type Wanted = { find?: string | undefined; section?: string | undefined }
type PagePart = Extract<Part, { kind: 'page' }>
type Room = { maxCharacters: number; isChosen: boolean }
export type Choice = { wanted: Wanted; matcher: Matcher | undefined }

/**
 * A presentation with only the chosen part of a page, and its pictures. A presentation of several pages gets the
 * matching passages of all of them.
 */
export function partOf(presentation: Presentation, { wanted, matcher }: Choice, room: Room): Presentation {
  if (presentation.inFull && matcher && wanted.find !== undefined)
    return passagesOfAll(presentation, { find: wanted.find, matcher }, room)
  const { readOn } = presentation
  const parts = presentation.parts.map(sanitised)
  const pages = parts.filter((part) => part.kind === 'page')
  const page = pages.find(({ label }) => label === 'markdown') ?? pages[0]
  if (!page) return presentation
  const before = pages.slice(0, pages.indexOf(page)).reduce((sum, { text }) => sum + text.length, 0)
  const [words, pictures] = (['text', 'image'] as const).map((kind) => parts.filter((part) => part.kind === kind))
  const around = (inner: readonly Part[]): Part[] => [...(words ?? []), ...inner, ...(pictures ?? [])]
  const section = chosenSection(page, wanted.section, before)
  if ('parts' in section) return { parts: around(section.parts) }
  const { heading, notes } = section
  if (matcher && wanted.find !== undefined) {
    const matching = passages(page, { find: wanted.find, matcher }, { heading, before, room })
    return { parts: around([...notes, ...matching]) }
  }
  const text = page.text.slice(heading?.at, heading?.end)
  const next = readOn && { ...readOn, arguments: { ...readOn.arguments, section: wanted.section } }
  return { parts: around([...notes, { ...page, text: text.trimEnd() }]), ...(next && { readOn: next }) }
}

const quoted = (text: string): string => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
const own = (text: string): Part => ({ kind: 'text', text })

function chosenSection(
  page: PagePart,
  name: string | undefined,
  before: number,
): { heading?: Heading; notes: Part[] } | { parts: Part[] } {
  if (name === undefined) return { notes: [] }
  const chosen = sectionNamed(headingsOf(page.text), name)
  if ('heading' in chosen) {
    const places = chosen.others.slice(0, 5).map(({ at }) => before + at)
    const more = `${chosen.others.length} more headings have this name, at offset ${places.join(', ')}. Use "Parent > Heading" to choose one.`
    return { heading: chosen.heading, notes: places.length > 0 ? [own(more)] : [] }
  }
  if (chosen.nearest.length === 0) return { parts: [own(`No heading ${quoted(name)}: the page has no headings.`)] }
  const text = chosen.nearest.map((heading) => `${before + heading.at} ${nameOf(heading)}`).join('\n')
  return { parts: [own(`No heading ${quoted(name)}. The nearest, with offset:`), { ...page, text }] }
}

/** About 300 tokens, so the whole response stays within 400. */
const usualRoom = 1100
const usualPassages = 5

type Search = { find: string; matcher: Matcher }

const most = ({ isChosen, maxCharacters }: Room) => ({
  maxCharacters: isChosen ? Math.max(usualRoom / 2, maxCharacters - 800) : usualRoom,
  maxPassages: isChosen ? 50 : usualPassages,
})

function passages(
  page: PagePart,
  { find, matcher }: Search,
  { heading, before, room }: { heading: Heading | undefined; before: number; room: Room },
): Part[] {
  const { at = 0, end = page.text.length } = heading ?? {}
  const ranked = findPassages([{ text: page.text, from: at, end }], matcher, most(room))
  if (ranked.count === 0) return [own(nothingHas(find, end - at))]
  const text = ranked.passages.map((each) => `[${`${before + each.at} ${each.heading}`.trim()}]\n${each.text}`)
  return [own(shownOf(ranked, 'offset and heading')), { ...page, text: text.join('\n\n') }]
}

/** The passages of several pages, after the program's own text, which explains how to read each page. */
function passagesOfAll({ parts, inFull = [] }: Presentation, { find, matcher }: Search, room: Room): Presentation {
  const pages = inFull.map(sanitised).filter((part) => part.kind === 'page')
  const ranked = findPassages(pages, matcher, most(room))
  const words = parts.filter((part) => part.kind === 'text')
  const length = pages.reduce((sum, { text }) => sum + text.length, 0)
  if (ranked.count === 0) return { parts: [...words, own(nothingHas(find, length))] }
  const text = ranked.passages.map(({ page, at, heading, text: passage }) => {
    const where = [`${pages[page]?.label}, ${at}`, heading].filter(Boolean)
    return `[${where.join(' ')}]\n${passage}`
  })
  const origin = pages[ranked.passages[0]?.page ?? 0]?.origin ?? ''
  return {
    parts: [
      ...words,
      own(shownOf(ranked, 'row, offset and heading')),
      { kind: 'page', label: 'passages', origin, text: text.join('\n\n') },
    ],
  }
}

const nothingHas = (find: string, characters: number) => `No match for ${quoted(find)} in ${characters} characters.`

const shownOf = ({ passages: shown, count, isPartial }: RankedPassages, before: string) =>
  `${shown.length} of ${count} passages, each after its ${before}.${isPartial ? ' None has all of the words.' : ''}`
