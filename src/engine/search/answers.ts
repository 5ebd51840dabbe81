import type { Clock } from '../../contracts/ports.ts'
import type { SearchHit, SearchPeriod, SearchProvider, SearchRequest } from '../../contracts/search.ts'

const freshMs = 10 * 60_000
const staleMs = 24 * 3_600_000
const maxAnswers = 500

type Answer = { at: number; hits: readonly SearchHit[] }

/** What providers answered lately: fresh answers spare a request, stale ones are better than none. */
export function createAnswers(clock: Clock) {
  const answers = new Map<string, Answer>()
  const find = (
    provider: SearchProvider,
    request: SearchRequest,
    maxAgeMs: number,
  ): readonly SearchHit[] | undefined => {
    const answer = answers.get(keyOf(provider, request))
    return answer && clock.now() - answer.at <= maxAgeMs ? answer.hits : undefined
  }
  return {
    fresh: (provider: SearchProvider, request: SearchRequest) => find(provider, request, freshMs),
    stale: (provider: SearchProvider, request: SearchRequest) => find(provider, request, staleMs),
    keep(provider: SearchProvider, request: SearchRequest, hits: readonly SearchHit[]): void {
      if (request.retention === 'none') return
      const key = keyOf(provider, request)
      answers.delete(key)
      answers.set(key, { at: clock.now(), hits })
      // A Map keeps the order of insertion, so the first is the oldest.
      const [oldest] = answers.keys()
      if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest)
    },
  }
}
export type Answers = ReturnType<typeof createAnswers>

/** What decides an answer: two questions that differ in nothing else have the same. */
function keyOf({ name }: SearchProvider, request: SearchRequest): string {
  const { signal: _, endsAt: _end, retention: _kept, passages: _ours, period, ...rest } = request
  return JSON.stringify([name, rest, period && spanOf(period)])
}

/** "The last day" begins at another moment in each call, and is the same question. */
const spanOf = ({ bare, from, to, sort }: SearchPeriod) => [bare ?? rounded(from), rounded(to), sort]
const rounded = (time: number | undefined) => time && Math.round(time / freshMs)
