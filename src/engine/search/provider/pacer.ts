import { setTimeout } from 'node:timers/promises'
import { SearchError, type SearchRequest } from '../../../contracts/search.ts'

/** A rule of a service: so many requests in so much time. */
export type Rate = { count: number; perMs: number }
export type Pacer = {
  /** Resolves when the next request may go out. Fails with SearchError where that would take too long, or the signal's reason. */
  turn(request: Pick<SearchRequest, 'signal' | 'endsAt'>): Promise<void>
  /** Lets nothing out for a while, as the service asked. */
  hold(forMs: number): void
}
type Time = { now(): number; wait(ms: number, signal: AbortSignal): Promise<unknown> }

/** More would leave a provider no time to answer. */
const longestWaitMs = 5000
const shareOfTimeLeft = 1 / 3

const realTime: Time = {
  now: () => performance.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
}

/** Keeps the rule of a service over all searches of this process. */
export function createPacer({ count, perMs }: Rate, { now, wait }: Time = realTime): Pacer {
  const state = { starts: [] as readonly number[], heldUntil: -Infinity }
  return {
    async turn({ signal, endsAt = Infinity }) {
      signal.throwIfAborted()
      const at = now()
      const first = state.starts.length < count ? -Infinity : (state.starts.at(-count) ?? -Infinity) + perMs
      const start = Math.max(at, first, state.heldUntil)
      if (start - at > Math.min(longestWaitMs, (endsAt - Date.now()) * shareOfTimeLeft))
        throw tooSoon({ count, perMs }, start - at)
      state.starts = [...state.starts, start].slice(-count)
      if (start > at) await wait(start - at, signal).catch(() => signal.throwIfAborted())
    },
    hold(forMs) {
      state.heldUntil = Math.max(state.heldUntil, now() + forMs)
    },
  }
}

function tooSoon({ count, perMs }: Rate, pauseMs: number): SearchError {
  const rule = `${count} ${count === 1 ? 'request' : 'requests'} in ${perMs / 1000} s`
  return new SearchError('rate limited', `Its rule of ${rule} leaves none for now.`, { pauseMs: Math.ceil(pauseMs) })
}
