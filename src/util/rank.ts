import { stopWords, wordsIn } from './words.ts'

/** `k1` of BM25: with a higher value, further occurrences of a word add more to the score. */
const saturation = 1.2

type Parameters = {
  /** `b`: penalty for texts longer than the average, 0 to 1. */
  lengthShare: number
  /** `δ` of BM25+: added for each word that occurs (Lv, Zhai 2011: Lower-Bounding Term Frequency Normalization). */
  presence?: number
}

/** Occurrences of each word in a text, and their total; parts of a text may be weighted. */
export type Counted = { counts: ReadonlyMap<string, number>; length: number }

export type Fit = {
  score: number
  /** Share of the question's words that the text contains, 0 to 1. */
  coverage: number
  /** The same share, with each word weighted by its rarity. */
  share: number
}

/**
 * BM25 (Robertson, Zaragoza 2009: The Probabilistic Relevance Framework). Returns a function that scores a word by its
 * occurrences and the length of the text. Multiply by the word's rarity, then sum over words.
 */
export function createBm25(lengths: readonly number[], { lengthShare, presence = 0 }: Parameters) {
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length))
  return (times: number, length: number): number => {
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / average)
    return times === 0 ? 0 : (times * (saturation + 1)) / (times + norm) + presence
  }
}

/** Inverse document frequency of BM25: the fewer texts contain a word, the higher its weight. Never negative. */
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

/** Returns the words of a text without stop words, normalised by `wordsIn`. */
export function termsOf(text: string): string[] {
  const significant = text
    .split(/\s+/)
    .filter((word) => !stopWords.has(word.toLowerCase().replace(/[^\p{L}\p{N}]+$/u, '')))
  return wordsIn(significant.join(' '))
}

const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0)

/** Scores each text for a question by BM25. */
export function rank(texts: readonly string[], question: string): Fit[] {
  const terms = [...new Set(termsOf(question))]
  const counted = texts.map((text) => tally([[termsOf(text), 1]]))
  const score = createBm25(
    counted.map(({ length }) => length),
    { lengthShare: 0.75 },
  )
  const rarities = terms.map((word) => rarity(counted.filter(({ counts }) => counts.has(word)).length, texts.length))
  return counted.map(({ counts, length }) => {
    const scores = terms.map((word, at) => score(counts.get(word) ?? 0, length) * (rarities[at] ?? 0))
    return {
      score: sum(scores),
      coverage: scores.filter((each) => each > 0).length / Math.max(1, terms.length),
      share: sum(rarities.filter((_, at) => (scores[at] ?? 0) > 0)) / Math.max(Number.MIN_VALUE, sum(rarities)),
    }
  })
}

/** Shortens a text to the lines that are most relevant to the words, with adjacent lines, in reading order. */
export function excerptOf(text: string, words: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const lines = text.split('\n')
  const fits = rank(lines, words)
  const order = lines
    .map((_, at) => ({ at, score: fits[at]?.score ?? 0 }))
    .toSorted((one, other) => other.score - one.score)
  const chosen = new Set<number>()
  let left = maxCharacters
  for (const { at } of order)
    for (const near of [at, at - 1, at + 1]) {
      const line = lines[near]
      if (line === undefined || chosen.has(near) || line.length >= left) continue
      chosen.add(near)
      left -= line.length + 1
    }
  return lines.filter((_, at) => chosen.has(at)).join('\n')
}
