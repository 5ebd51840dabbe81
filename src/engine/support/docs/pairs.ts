import type { Section } from './sections.ts'

/** How many words further the second word of a pair may stand. */
const reach = 2
/** What a pair by other words for what is meant counts, for each of the two. */
const relatedShare = 0.4

/** Words that stand beside each other in what people ask a section by, and in its headings. */
export type Pairs = ReadonlySet<string>
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
