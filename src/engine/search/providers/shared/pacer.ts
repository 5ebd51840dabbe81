import { setTimeout } from 'node:timers/promises'
import { ProviderError, type SearchRequest } from '../../../../contracts/search.ts'

/** The rate limit of a service: `count` requests in any `perMs` milliseconds. */
export type RateLimit = { count: number; perMs: number }
export type Pacer = {
  /** Resolves when the next request may be sent. Fails with ProviderError if the wait would be too long, or the signal's reason. */
  waitTurn(request: Pick<SearchRequest, 'signal' | 'endsAt'>): Promise<void>
  /** Holds all requests back for a while, as the service asked. */
  pause(forMs: number): void
}
type TimeSource = { now(): number; wait(ms: number, signal: AbortSignal): Promise<unknown> }

/** A longer wait would leave the provider no time to answer. */
const maxWaitMs = 5000
const shareOfTimeLeft = 1 / 3

const realTime: TimeSource = {
  now: () => performance.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
}

/** Keeps the rate limit of a service across all searches of this process. */
export function createPacer({ count, perMs }: RateLimit, { now, wait }: TimeSource = realTime): Pacer {
  const state = { starts: [] as readonly number[], heldUntil: -Infinity }
  return {
    async waitTurn({ signal, endsAt = Infinity }) {
      signal.throwIfAborted()
      const at = now()
      const first = state.starts.length < count ? -Infinity : (state.starts.at(-count) ?? -Infinity) + perMs
      const start = Math.max(at, first, state.heldUntil)
      if (start - at > Math.min(maxWaitMs, (endsAt - Date.now()) * shareOfTimeLeft))
        throw rateLimited({ count, perMs }, start - at)
      state.starts = [...state.starts, start].slice(-count)
      if (start > at) await wait(start - at, signal).catch(() => signal.throwIfAborted())
    },
    pause(forMs) {
      state.heldUntil = Math.max(state.heldUntil, now() + forMs)
    },
  }
}

function rateLimited({ count, perMs }: RateLimit, pauseMs: number): ProviderError {
  const rule = `${count} ${count === 1 ? 'request' : 'requests'} in ${perMs / 1000} s`
  return new ProviderError('rate limited', `Its rule of ${rule} leaves none for now.`, { pauseMs: Math.ceil(pauseMs) })
}
