import { sentencesOf } from '../../util/plain-markdown.ts'
import { blocksOf } from '../../util/markdown-blocks.ts'
import { rank, termsOf } from '../../util/rank.ts'

const sentenceCount = 3
/** Minimum length of a page's own description to come first, if the text does not repeat it. */
const minDescription = 90
/** Maximum number of sentences, because the cost is quadratic in it. */
const maxSentences = 250
/** Penalty of a sentence for repeating a chosen one (maximal marginal relevance: Carbonell, Goldstein 1998). */
const redundancy = 0.35

/**
 * Summarises a page in its own sentences: those near the top, about the title, and at the centre of the text (TextRank:
 * Mihalcea, Tarau 2004).
 */
export function summaryOf(
  markdown: string,
  { title = '', description = '' }: { title?: string | undefined; description?: string | undefined },
): string {
  const sentences = sentencesIn(markdown)
  if (sentences.length === 0) return description
  const central = normed(textRank(sentences.map((text) => new Set(termsOf(text)))))
  const titled = normed(rank(sentences, title).map(({ score }) => score))
  const scores = sentences.map((_, at) => 0.5 * Math.exp(-at / 8) + 0.3 * (central[at] ?? 0) + 0.35 * (titled[at] ?? 0))
  const chosen = choose(sentences, scores).join(' ')
  const isContained = description.length < minDescription || markdown.includes(description.slice(0, 60))
  return isContained ? chosen : `${description} ${chosen}`
}

/** Returns whole sentences of prose: no headings, no items of a few words. */
const sentencesIn = (markdown: string): string[] =>
  blocksOf(markdown)
    .filter(({ level }) => level === 0)
    .flatMap(({ text }) => sentencesOf(text))
    .map((sentence) => sentence.trim())
    .filter((text) => text.length >= 40 && text.length <= 400 && /[.!?。！？”"')]$/u.test(text))
    .slice(0, maxSentences)

function choose(sentences: readonly string[], scores: readonly number[]): string[] {
  const terms = sentences.map((text) => new Set(termsOf(text)))
  const chosen: number[] = []
  while (chosen.length < Math.min(sentenceCount, sentences.length)) {
    const values = scores.map((score, at) =>
      chosen.includes(at)
        ? -Infinity
        : score - redundancy * Math.max(0, ...chosen.map((c) => overlap(terms[c], terms[at]))),
    )
    chosen.push(values.indexOf(Math.max(...values)))
  }
  return chosen.toSorted((one, other) => one - other).flatMap((at) => sentences[at] ?? [])
}

const empty: ReadonlySet<string> = new Set()

function overlap(one = empty, other = empty): number {
  return shared(one, other) / Math.max(1, Math.min(one.size, other.size))
}

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>) => {
  let count = 0
  for (const term of one) if (other.has(term)) count++
  return count
}

const damping = 0.85
const rounds = 25

function textRank(sentences: readonly ReadonlySet<string>[]): number[] {
  const weights = sentences.map((one) => sentences.map((other) => (one === other ? 0 : likeness(one, other))))
  const sums = weights.map((row) => row.reduce((sum, weight) => sum + weight, 0) || 1)
  let ranks = sentences.map(() => 1)
  for (let round = 0; round < rounds; round++)
    ranks = ranks.map(
      (_, at) =>
        1 -
        damping +
        damping *
          ranks.reduce((sum, rankOf, from) => sum + ((weights[from]?.[at] ?? 0) / (sums[from] ?? 1)) * rankOf, 0),
    )
  return ranks
}

const likeness = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size > 1 && other.size > 1 ? shared(one, other) / (Math.log(one.size) + Math.log(other.size)) : 0

function normed(values: readonly number[]): number[] {
  const most = Math.max(...values, 1e-9)
  return values.map((value) => value / most)
}
