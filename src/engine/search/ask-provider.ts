import type { Ports } from '../../contracts/ports.ts'
import { SearchError, type SearchHit, type SearchProvider, type SearchRequest } from '../../contracts/search.ts'
import { DeadlineError, withDeadline } from '../../util/deadline.ts'
import type { Answers } from './answers.ts'
import type { Breaker } from './breaker.ts'

/** One provider may take so long, however much time there is. */
const longestMs = 12_000
/** With less than this there is no use in asking. */
const leastMs = 250
/** Time is only shared with the providers after it above this. */
const oneTurnMs = 3000

export type Asking = Pick<Ports, 'clock'> & { breaker: Breaker; answers: Answers }
export type Answer =
  | { provider: SearchProvider; hits: readonly SearchHit[] }
  | { provider: SearchProvider; why: string }

/** Asks one provider, unless it answered the same lately or has to be left alone. Rejects only with the signal's reason. */
export async function askProvider(
  { clock, breaker, answers }: Asking,
  provider: SearchProvider,
  request: SearchRequest,
): Promise<Answer> {
  const { name } = provider
  request.signal.throwIfAborted()
  const fresh = answers.fresh(provider, request)
  if (fresh) return { provider, hits: fresh }
  const pause = breaker.pauseOf(name)
  if (pause !== undefined) return { provider, why: `${name} is ${pause}.` }
  const ms = turnMs(request, clock.now())
  if (ms < leastMs) return { provider, why: `${name} was not asked: no time was left.` }
  try {
    const hits = await askFor(ms, provider, request)
    answers.keep(provider, request, hits)
    return { provider, hits }
  } catch (thrown) {
    request.signal.throwIfAborted()
    const error = faultOf(thrown)
    if (error.fault === 'other sites') return { provider, hits: [] }
    // That a caller was in a hurry is no fault of the provider.
    if (!(thrown instanceof DeadlineError) || ms === longestMs) breaker.failed(name, error)
    return { provider, why: `${name} failed (${error.fault}): ${error.message}` }
  }
}

/** Ends on time even when the provider never does. */
export const askFor = (ms: number, provider: SearchProvider, request: SearchRequest): Promise<SearchHit[]> =>
  withDeadline({ step: 'search', ms }, request.signal, async (signal) => provider.search({ ...request, signal }))

export const leftMs = ({ endsAt }: SearchRequest, now: number): number =>
  endsAt === undefined ? longestMs : Math.max(0, endsAt - now)

/** Half of what is left, so that the next one has a turn as well where this one hangs. */
function turnMs(request: SearchRequest, now: number): number {
  const left = leftMs(request, now)
  return Math.min(longestMs, request.endsAt === undefined ? longestMs : Math.max(left / 2, Math.min(left, oneTurnMs)))
}

function faultOf(thrown: unknown): SearchError {
  if (thrown instanceof SearchError) return thrown
  if (thrown instanceof DeadlineError)
    return new SearchError('timed out', `No answer within ${Number((thrown.ms / 1000).toFixed(1))} s.`, {
      cause: thrown,
    })
  return new SearchError('unreadable answer', 'Its answer could not be read.', { cause: thrown })
}
