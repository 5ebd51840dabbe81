import { setImmediate } from 'node:timers/promises'
import { type Counted, createBm25, rarity, tally } from '../../../util/rank.ts'
import { stemOf, wordsIn, percentDecoded } from '../../../util/words.ts'

/** Facts about a page that are known without fetching it. */
export type Candidate = { url: string; title?: string | undefined; description?: string | undefined }

/** Fields are weighted before saturation, as in BM25F. */
const lengthShare = 0.5
const weights = { title: 3, lastSegment: 3, path: 1.5, rest: 1, description: 1 } as const
/** Weight of a word that only starts with the search term. */
const prefixWeight = 0.4
const minPrefix = 3

const fillers = new Set(
  'a all an and any are as at be by can do does find for from get give go have how i in into is it its list me my of on or our page pages please show site tell that the their there this to up us was we website what when where which who why will with you your'
    .split(' ')
    .map(stemOf),
)

type Indexed<C> = Counted & { candidate: C }
/** Words that match one search term, each with its weight. */
type Term = ReadonlyMap<string, number>

/**
 * Returns the candidates that match the query, best first; equal scores keep their order. A word that occurs in most
 * candidates does not count as a match as long as another word of the query is more selective.
 */
export async function rankByQuery<C extends Candidate>(candidates: readonly C[], query: string): Promise<C[]> {
  const indexed = await inTurns(candidates, indexOf)
  const terms = termsOf(query, indexed)
  const spread = terms.map((term) => indexed.filter(({ counts }) => frequency(term, counts) > 0).length)
  const hasSelective = spread.some((count) => count > 0 && count <= indexed.length / 2)
  const isCounted = terms.map((_, at) => !hasSelective || (spread[at] ?? 0) <= indexed.length / 2)
  const scoreOf = createBm25(
    indexed.map(({ length }) => length),
    { lengthShare },
  )
  return indexed
    .map(({ candidate, counts, length }) => {
      const frequencies = terms.map((term) => frequency(term, counts))
      const isMatch = frequencies.some((count, at) => count > 0 && isCounted[at])
      const sum = frequencies.reduce(
        (score, count, at) => score + scoreOf(count, length) * rarity(spread[at] ?? 0, indexed.length),
        0,
      )
      const coverage = frequencies.filter((count) => count > 0).length / terms.length
      return { candidate, score: isMatch ? sum * coverage : 0 }
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ candidate }) => candidate)
}

/** Maps items in slices so other calls can run in between: a hundred thousand URLs take two seconds. */
async function inTurns<A, B>(items: readonly A[], make: (item: A) => B): Promise<B[]> {
  const made: B[] = []
  for (const item of items) {
    made.push(make(item))
    if (made.length % 1000 === 0) await setImmediate()
  }
  return made
}

/** Returns the best weighted count of the words that match a term. */
function frequency(term: Term, counts: ReadonlyMap<string, number>): number {
  let best = 0
  for (const [word, count] of counts) best = Math.max(best, count * (term.get(word) ?? 0))
  return best
}

function termsOf(query: string, indexed: readonly Indexed<Candidate>[]): Term[] {
  const all = [...new Set(wordsIn(query))]
  const significant = all.filter((word) => !fillers.has(word))
  const vocabulary = new Set(indexed.flatMap(({ counts }) => [...counts.keys()]))
  const words = significant.length > 0 ? significant : all
  return words.map((word, at) => {
    const next = words[at + 1]
    const before = words[at - 1]
    const joined = [...(next ? [word + next] : []), ...(before ? [before + word] : [])]
    const longer = word.length < minPrefix ? [] : [...vocabulary].filter((other) => other.startsWith(word))
    return new Map([
      ...longer.map((other) => [other, prefixWeight] as const),
      ...joined.map((pair) => [pair, 1] as const),
      [word, 1] as const,
    ])
  })
}

function indexOf<C extends Candidate>(candidate: C): Indexed<C> {
  const { title = '', description = '' } = candidate
  const counted = tally([
    ...addressFields(candidate.url),
    [wordsIn(title), weights.title],
    [wordsIn(description), weights.description],
  ])
  return { candidate, ...counted }
}

/**
 * Returns the words of a URL with their weights: last path segment, other segments, then sub-domain, query and
 * fragment.
 */
function addressFields(url: string): [string[], number][] {
  const parsed = URL.parse(url)
  if (!parsed) return []
  const segments = parsed.pathname.split('/').filter(Boolean).map(percentDecoded)
  const last = (segments.pop() ?? '').replace(/\.[a-z]{2,5}$/i, '')
  const labels = parsed.hostname.split('.').slice(0, -2)
  const rest = [...labels, percentDecoded(parsed.search), percentDecoded(parsed.hash)].join(' ')
  return [
    [segmentWords(last), weights.lastSegment],
    [segments.flatMap(segmentWords), weights.path],
    [wordsIn(rest), weights.rest],
  ]
}

/** Splits a segment into words. `change-log` is indexed as `changelog` too. */
function segmentWords(segment: string): string[] {
  const words = wordsIn(segment)
  const [one, other] = segment.split(/[-_]/)
  return words.length === 2 && one && other ? [...words, ...wordsIn(one + other)] : words
}
