import { codeReader } from '../../../util/markdown-blocks.ts'
import { type Counted, createBm25, rarity, tally } from '../../../util/rank.ts'
import type { DocsPage, DocsSection } from '../../../contracts/ports.ts'

export type Section = DocsSection & {
  /** Phrases in which people ask about the section; only the first part of a long section has them. */
  askedAs: readonly string[]
}

/** Characters after which a section is split, between paragraphs or table rows but not within code. */
const longSection = 1800

/** Splits a page at its headings. Code blocks are never broken. */
export function sectionsOf({ path, text, askedAs = {} }: DocsPage): Section[] {
  const lines = text.split('\n')
  const sections: Section[] = []
  let headings: string[] = []
  let phrases: readonly string[] = []
  let first = 0
  let length = 0
  const reader = codeReader()
  const close = (end: number) => {
    const own = lines
      .slice(first, end)
      .join('\n')
      .replace(/<!--.*?-->/gs, '')
      .trim()
    if (own !== '') sections.push({ path, firstLine: first + 1, lastLine: end, headings, askedAs: phrases, text: own })
    phrases = []
    first = end
    length = 0
  }
  for (const [at, line] of lines.entries()) {
    const isCode = reader(line)
    const heading = isCode ? undefined : headingOf(line)
    if (heading) {
      close(at)
      headings = [...headings.slice(0, heading.level - 1), heading.title]
      phrases = phrasesOf(askedAs[heading.title])
    } else if (/^(?:\||\s*$)/.test(line) && !isCode && length > longSection) close(at)
    length += line.length
  }
  close(lines.length)
  return sections
}

function headingOf(line: string): { level: number; title: string } | undefined {
  const [, marks, title] = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line) ?? []
  return marks === undefined || title === undefined ? undefined : { level: marks.length, title }
}

const phrasesOf = (text = '') =>
  text
    .split(';')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')

/**
 * Weight of a word per field, relative to the text, and the influence of the field's length (`b` of BM25): long texts
 * contain more words by chance, but long lists of phrases are informative.
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

/** Number of occurrences of each word per field of a section or page. */
export type Counts = Readonly<Record<Field, Counted>> & { all: ReadonlySet<string> }

/** Index of words in sections or pages. `parts` are the meanings of a word with their weights, 0 to 1. */
export type FieldIndex = {
  /** Returns the BM25+ score of one word in a section, without its rarity; 0 if no meaning of it occurs. */
  score(section: number, parts: ReadonlyMap<string, number>): number
  /** Returns the weight of the best meaning of a word that a section contains, 0 to 1. */
  held(section: number, parts: ReadonlyMap<string, number>): number
  /** Returns the rarity of a word among the sections, as a weight. */
  rarity(term: string): number
  has(term: string): boolean
  terms(): Iterable<string>
}

/** Indexes sections or pages by field. */
export function indexFields(counted: readonly Counts[]): FieldIndex {
  const inFields = fields.map((field) => {
    const { weight, lengthShare } = weights[field]
    // Empty fields do not count for the average length.
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

const count = (terms: readonly string[]) => tally([[terms, 1]])

/** Maximum distance between the words of a pair. */
const reach = 2
/** Weight of a synonym relative to the word itself. It applies to each word of a pair. */
export const relatedShare = 0.4

/** Pairs of nearby words in the phrases and headings of a section. */
type Pairs = ReadonlySet<string>
/** A word of the question: its possible meanings and its weight. */
export type Concept = { parts: ReadonlyMap<string, number>; weight: number }

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
 * Scores adjacent words of a question that also occur as a pair, by the smaller weight of the two: adjacent words are
 * more significant than separate ones (Metzler, Croft 2005: A Markov Random Field Model for Term Dependencies).
 */
export function pairsHeld(pairs: Pairs, concepts: readonly Concept[]): number {
  let sum = 0
  for (const [at, one] of concepts.entries()) {
    const other = concepts[at + 1]
    if (other) sum += held(pairs, one, other) * Math.min(one.weight, other.weight)
  }
  return sum
}

/** Returns 1 for the words themselves, less for synonyms, 0 if there is no such pair. */
function held(pairs: Pairs, one: Concept, other: Concept): number {
  let most = 0
  for (const [first, of] of one.parts)
    for (const [second, and] of other.parts) {
      const share = (of < 1 ? relatedShare : 1) * (and < 1 ? relatedShare : 1)
      if (share > most && first !== second && pairs.has(keyOf(first, second))) most = share
    }
  return most
}
