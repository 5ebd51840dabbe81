import { stopWords, wordsIn } from './words.ts'

/** `k1`: how slowly further occurrences of a word stop adding to the score. */
const saturation = 1.2

type Parameters = {
  /** `b`: how far a text that is longer than others is marked down, 0 to 1. */
  lengthShare: number
  /** `δ` of BM25+: added for each word that occurs at all (Lv, Zhai 2011: Lower-Bounding Term Frequency Normalization). */
  presence?: number
}

/** How often each word occurs in a text, and how many words that are; parts of a text may weigh more than others. */
export type Counted = { counts: ReadonlyMap<string, number>; length: number }

/** Score of a text for a question, and the share of the words of the question that the text contains. */
export type Fit = { score: number; coverage: number }

/**
 * BM25 (Robertson, Zaragoza 2009: The Probabilistic Relevance Framework). Returns the score of a word that occurs a number of
 * times in a text of a length, among texts of these lengths. To be multiplied by the rarity of the word, and added up.
 */
export function createBm25(lengths: readonly number[], { lengthShare, presence = 0 }: Parameters) {
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length))
  return (times: number, length: number): number => {
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / average)
    return times === 0 ? 0 : (times * (saturation + 1)) / (times + norm) + presence
  }
}

/** Inverse document frequency of BM25: the fewer texts contain a word, the more it says about them. Never negative. */
export const rarity = (holders: number, all: number): number => Math.log(1 + (all - holders + 0.5) / (holders + 0.5))

export function tally(parts: Iterable<readonly [words: readonly string[], weight: number]>): Counted {
  const counts = new Map<string, number>()
  let length = 0
  for (const [words, weight] of parts) {
    length += words.length * weight
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight)
  }
  return { counts, length }
}

/** Words of a text that are not stop words, as `wordsIn` normalises them. */
export function termsOf(text: string): string[] {
  const telling = text.split(/\s+/).filter((word) => !stopWords.has(word.toLowerCase().replace(/[^\p{L}\p{N}]+$/u, '')))
  return wordsIn(telling.join(' '))
}

/** BM25 of each text for a question. */
export function rank(texts: readonly string[], question: string): Fit[] {
  const asked = [...new Set(termsOf(question))]
  const counted = texts.map((text) => tally([[termsOf(text), 1]]))
  const score = createBm25(
    counted.map(({ length }) => length),
    { lengthShare: 0.75 },
  )
  const rarities = asked.map((word) => rarity(counted.filter(({ counts }) => counts.has(word)).length, texts.length))
  return counted.map(({ counts, length }) => {
    const scores = asked.map((word, at) => score(counts.get(word) ?? 0, length) * (rarities[at] ?? 0))
    return {
      score: scores.reduce((sum, each) => sum + each, 0),
      coverage: scores.filter((each) => each > 0).length / Math.max(1, asked.length),
    }
  })
}
