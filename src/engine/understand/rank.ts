import { stopWords } from '../../util/stop-words.ts'
import { unspacedRuns, wordsIn } from '../../util/words.ts'

/** Constants of BM25 as they are usually chosen (Robertson, Zaragoza 2009: The Probabilistic Relevance Framework). */
const saturation = 1.2
const lengthShare = 0.75

/** How well a text fits a question: its BM25 score, and the share of the question's words that it holds. */
export type Fit = { score: number; coverage: number }

/** Words of a text that say what it is about. */
export function termsOf(text: string): string[] {
  const telling = text.split(/\s+/).filter((word) => !stopWords.has(word.toLowerCase().replace(/[^\p{L}\p{N}]+$/u, '')))
  return wordsIn(telling.join(' '))
}

/** Words as people count them; where no spaces part them, two characters for one. */
export function countWords(text: string): number {
  const runs = text.match(unspacedRuns) ?? []
  const unspaced = runs.reduce((sum, run) => sum + run.length, 0)
  return text.split(/\s+/).length + Math.floor(unspaced / 2)
}

/** BM25 of each text for a question; the rarer a word is among the texts, the more it counts. */
export function rank(texts: readonly string[], question: string): Fit[] {
  const asked = [...new Set(termsOf(question))]
  const counted = texts.map((text) => countOf(termsOf(text), asked))
  const averageLength = Math.max(1, counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length))
  const weights = new Map(
    asked.map((word) => [word, rarity(counted.filter(({ of }) => of.has(word)).length, texts.length)]),
  )
  return counted.map(({ of, length }) => {
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / averageLength)
    const score = [...of].reduce(
      (sum, [word, count]) => sum + ((weights.get(word) ?? 0) * count * (saturation + 1)) / (count + norm),
      0,
    )
    return { score, coverage: asked.length > 0 ? of.size / asked.length : 0 }
  })
}

const rarity = (holders: number, all: number) => Math.log(1 + (all - holders + 0.5) / (holders + 0.5))

function countOf(words: readonly string[], asked: readonly string[]): { of: Map<string, number>; length: number } {
  const of = new Map<string, number>()
  for (const word of words) if (asked.includes(word)) of.set(word, (of.get(word) ?? 0) + 1)
  return { of, length: words.length }
}
