import type { Section } from './sections.ts'

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
/** `k1` of BM25, and what a word counts for being there at all (Lv, Zhai 2011: Lower-Bounding Term Frequency Normalization). */
const saturation = 1.2
const presence = 0.5

type Counted = { counts: ReadonlyMap<string, number>; length: number }
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
  const averages = new Map(fields.map((field) => [field, averageLength(counted.map((counts) => counts[field]))]))
  const holders = new Map<string, number>()
  for (const counts of counted) for (const term of counts.all) holders.set(term, (holders.get(term) ?? 0) + 1)

  const inField = (counts: Counts, field: Field, parts: ReadonlyMap<string, number>) => {
    const { counts: of, length } = counts[field]
    const times = [...parts].reduce((sum, [term, share]) => sum + share * (of.get(term) ?? 0), 0)
    if (times === 0) return 0
    const { weight, lengthShare } = weights[field]
    const norm = 1 - lengthShare + (lengthShare * length) / (averages.get(field) ?? 1)
    return weight * ((times * (saturation + 1)) / (times + saturation * norm) + presence)
  }
  return {
    score(section, parts) {
      const counts = counted[section]
      return counts ? fields.reduce((sum, field) => sum + inField(counts, field, parts), 0) : 0
    },
    held(section, parts) {
      const counts = counted[section]
      if (!counts) return 0
      return [...parts].reduce((most, [term, share]) => (share > most && counts.all.has(term) ? share : most), 0)
    },
    rarity: (term) => {
      const held = holders.get(term) ?? 0
      return Math.log(1 + (counted.length - held + 0.5) / (held + 0.5))
    },
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

function merged(parts: readonly Counted[]): Counted {
  const counts = new Map<string, number>()
  for (const part of parts) for (const [term, times] of part.counts) counts.set(term, (counts.get(term) ?? 0) + times)
  return { counts, length: parts.reduce((whole, { length }) => whole + length, 0) }
}

function count(terms: readonly string[]): Counted {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { counts, length: terms.length }
}

function averageLength(all: readonly Counted[]): number {
  const filled = all.filter(({ length }) => length > 0)
  return Math.max(1, filled.reduce((sum, { length }) => sum + length, 0) / Math.max(1, filled.length))
}
