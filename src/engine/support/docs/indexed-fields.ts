import { type Counted, createBm25, rarity, tally } from '../../../util/rank.ts'
import type { DocsPage, DocsSection } from '../../../contracts/ports.ts'

export type Section = DocsSection & {
  /** What people ask who do not know its words, from comments such as `<!-- asked as: callback; notify me -->`. */
  askedAs: readonly string[]
}

/** A section longer than this, in characters, is split outside code, between paragraphs or rows of a table. */
const longSection = 1800

/** Splits a page at its headings. Code blocks are never broken. */
export function sectionsOf({ path, text }: DocsPage): Section[] {
  const lines = text.split('\n')
  const sections: Section[] = []
  let headings: string[] = []
  let first = 0
  let length = 0
  let isCode = false
  const close = (end: number) => {
    const section = sectionOf(lines.slice(first, end))
    if (section.text !== '') sections.push({ path, firstLine: first + 1, lastLine: end, headings, ...section })
    first = end
    length = 0
  }
  for (const [at, line] of lines.entries()) {
    const heading = isCode ? undefined : headingOf(line)
    if (heading) {
      close(at)
      headings = [...headings.slice(0, heading.level - 1), heading.title]
    } else if (/^(?:\||\s*$)/.test(line) && !isCode && length > longSection) close(at)
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    length += line.length
  }
  close(lines.length)
  return sections
}

function headingOf(line: string): { level: number; title: string } | undefined {
  const [, marks, title] = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line) ?? []
  return marks === undefined || title === undefined ? undefined : { level: marks.length, title }
}

const askedAsComment = /<!--\s*asked as:(.*?)-->/gs

function sectionOf(lines: readonly string[]): Pick<Section, 'askedAs' | 'text'> {
  const source = lines.join('\n')
  const askedAs = Array.from(source.matchAll(askedAsComment), ([, phrases = '']) => phrases.split(';'))
    .flat()
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
  return { askedAs, text: source.replace(/<!--.*?-->/gs, '').trim() }
}

/**
 * What a word counts in each field, in parts of what it counts in the text, and how far the length of the field is taken
 * into account (`b` of BM25): a long text holds more words by chance, a long list of phrases says more.
 */
const weights = {
  path: { weight: 0.5, lengthShare: 0 },
  title: { weight: 1, lengthShare: 0.3 },
  headings: { weight: 2, lengthShare: 0.4 },
  asked: { weight: 2, lengthShare: 0.6 },
  text: { weight: 1, lengthShare: 0.75 },
}
type Field = keyof typeof weights
const fields = Object.keys(weights) as Field[]
const presence = 0.5

/** How often each word stands in each field of a section or page. */
export type Counts = Readonly<Record<Field, Counted>> & { all: ReadonlySet<string> }

/** How often a word, or what is meant by it, stands in a section, or page: `parts` are its meanings and what each counts, 0 to 1. */
export type FieldIndex = {
  /** The share of BM25+ of one word in one section, without its rarity; 0 if no meaning of it is there. */
  score(section: number, parts: ReadonlyMap<string, number>): number
  /** The best meaning of a word that a section holds, 0 to 1. */
  held(section: number, parts: ReadonlyMap<string, number>): number
  /** How rare a word is among the sections, as its weight. */
  rarity(term: string): number
  has(term: string): boolean
  terms(): Iterable<string>
}

/** An index of sections, or of pages, by the fields that a word may stand in. */
export function indexFields(counted: readonly Counts[]): FieldIndex {
  const inFields = fields.map((field) => {
    const { weight, lengthShare } = weights[field]
    // Many sections have nothing in a field; they would make the others look long.
    const lengths = counted.map((counts) => counts[field].length).filter((length) => length > 0)
    const score = createBm25(lengths, { lengthShare, presence })
    return (section: Counts, parts: ReadonlyMap<string, number>) => {
      const { counts, length } = section[field]
      const times = [...parts].reduce((sum, [term, share]) => sum + share * (counts.get(term) ?? 0), 0)
      return weight * score(times, length)
    }
  })
  const holders = new Map<string, number>()
  for (const counts of counted) for (const term of counts.all) holders.set(term, (holders.get(term) ?? 0) + 1)

  return {
    score(section, parts) {
      const counts = counted[section]
      return counts ? inFields.reduce((sum, inField) => sum + inField(counts, parts), 0) : 0
    },
    held(section, parts) {
      const counts = counted[section]
      if (!counts) return 0
      return [...parts].reduce((most, [term, share]) => (share > most && counts.all.has(term) ? share : most), 0)
    },
    rarity: (term) => rarity(holders.get(term) ?? 0, counted.length),
    has: (term) => holders.has(term),
    terms: () => holders.keys(),
  }
}

export function countsOf(
  { path, headings: [title = '', ...headings], askedAs, text }: Section,
  termsOf: (text: string) => readonly string[],
): Counts {
  const of = {
    path: count(termsOf(path.replace(/\.md$/, '').replaceAll(/[-/]/g, ' '))),
    title: count(termsOf(title)),
    headings: count(termsOf(headings.join(' '))),
    asked: count(termsOf(askedAs.join('; '))),
    text: count(termsOf(text)),
  }
  return { ...of, all: new Set(fields.flatMap((field) => [...of[field].counts.keys()])) }
}

/** The words of a page, from those of its sections. */
export function together(sections: readonly [Counts, ...Counts[]]): Counts {
  const [{ path, title }] = sections
  const of = {
    path,
    title,
    headings: merged(sections.map(({ headings }) => headings)),
    asked: merged(sections.map(({ asked }) => asked)),
    text: merged(sections.map(({ text }) => text)),
  }
  return { ...of, all: new Set(sections.flatMap(({ all }) => [...all])) }
}

const count = (terms: readonly string[]) => tally([[terms, 1]])
const merged = (parts: readonly Counted[]) =>
  tally(parts.flatMap(({ counts }) => Array.from(counts, ([term, times]) => [[term], times] as const)))

/** How many words further the second word of a pair may stand. */
const reach = 2
/** What a pair by other words for what is meant counts, for each of the two. */
const relatedShare = 0.4

/** Words that stand beside each other in what people ask a section by, and in its headings. */
type Pairs = ReadonlySet<string>
type Concept = { parts: ReadonlyMap<string, number>; weight: number }

const keyOf = (one: string, other: string) => (one < other ? `${one} ${other}` : `${other} ${one}`)

export function pairsIn({ askedAs, headings }: Section, termsOf: (text: string) => readonly string[]): Pairs {
  const pairs = new Set<string>()
  for (const phrase of [...askedAs, ...headings]) {
    const terms = termsOf(phrase)
    for (const [at, term] of terms.entries())
      for (const next of terms.slice(at + 1, at + 1 + reach)) pairs.add(keyOf(term, next))
  }
  return pairs
}

/**
 * What of the question stands in pairs, by the smaller weight of each: two words beside each other say more than both
 * apart (Metzler, Croft 2005: A Markov Random Field Model for Term Dependencies).
 */
export function pairsHeld(pairs: Pairs, concepts: readonly Concept[]): number {
  let sum = 0
  for (const [at, one] of concepts.entries()) {
    const other = concepts[at + 1]
    if (other) sum += held(pairs, one, other) * Math.min(one.weight, other.weight)
  }
  return sum
}

/** 1 for the words themselves, less for others that mean the same, 0 for none. */
function held(pairs: Pairs, one: Concept, other: Concept): number {
  let most = 0
  for (const [first, of] of one.parts)
    for (const [second, and] of other.parts) {
      const share = (of < 1 ? relatedShare : 1) * (and < 1 ? relatedShare : 1)
      if (share > most && first !== second && pairs.has(keyOf(first, second))) most = share
    }
  return most
}
