import { setTimeout } from 'node:timers/promises'
import { ProviderError, type SearchRequest } from '../../../../contracts/search-port.ts'
import { createFairSemaphore } from '../../../../util/semaphore.ts'

/** The rate limit of a service: `count` requests in any `perMs` milliseconds. */
export type RateLimit = {
  count: number
  perMs: number
  /** Random extra time after each request, at most, ms. */
  jitterMs?: number
}
type PacedRequest = Pick<SearchRequest, 'teamId' | 'signal' | 'endsAt'> & {
  /** A longer wait would leave the provider no time to answer. */
  maxWaitMs?: number
}
export type Pacer = {
  /**
   * Resolves when the next request may be sent; teams take turns. Fails with ProviderError if the wait would be too long, at
   * once if it is for the team's own requests, or with the signal's reason.
   */
  waitTurn(request: PacedRequest): Promise<void>
  /** Holds all requests back for a while, as the service asked. */
  pause(forMs: number): void
}
type TimeSource = { now(): number; wait(ms: number, signal: AbortSignal): Promise<unknown>; random(): number }

const usualMaxWaitMs = 5000
const shareOfTimeLeft = 1 / 3

const realTime: TimeSource = {
  now: () => performance.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
  random: Math.random,
}

/** Keeps the rate limit of a service across all searches of this process. */
export function createPacer(limit: RateLimit, { now, wait, random }: TimeSource = realTime): Pacer {
  const { count, perMs, jitterMs = 0 } = limit
  const turns = createFairSemaphore({ usual: 1, reserved: 0 })
  const waiting = new Map<string, number>()
  const state = { starts: [] as readonly number[], heldUntil: -Infinity }

  /** When a request may start before which so many others are sent. */
  function startAfter(others: number): number {
    const starts = [...state.starts]
    for (let sent = 0; sent <= others; sent++)
      starts.push(Math.max(now(), (starts.at(-count) ?? -Infinity) + perMs, state.heldUntil))
    return starts.at(-1) ?? 0
  }

  /** When it is the team's turn; the others wait behind it until then. */
  async function next(limitMs: number, { teamId, signal }: PacedRequest): Promise<void> {
    const endsAt = now() + limitMs
    const late = AbortSignal.timeout(Math.max(0, Math.ceil(limitMs)))
    const leave = await turns.acquire(teamId, AbortSignal.any([signal, late])).catch(() => {
      signal.throwIfAborted()
      throw rateLimited(limit, 0)
    })
    try {
      const start = startAfter(0)
      if (start > endsAt) throw rateLimited(limit, 0)
      if (start > now()) await wait(start - now(), signal).catch(() => signal.throwIfAborted())
      state.starts = [...state.starts, start + Math.round(random() * jitterMs)].slice(-count)
    } finally {
      leave()
    }
  }

  return {
    async waitTurn(request) {
      const { teamId, signal, endsAt = Infinity, maxWaitMs = usualMaxWaitMs } = request
      signal.throwIfAborted()
      const own = waiting.get(teamId) ?? 0
      const limitMs = Math.min(maxWaitMs, (endsAt - Date.now()) * shareOfTimeLeft)
      const waitMs = startAfter(own) - now()
      // Others need not wait for what the team has waiting.
      if (waitMs > limitMs) throw rateLimited(limit, own > 0 ? 0 : waitMs)
      waiting.set(teamId, own + 1)
      try {
        await next(limitMs, request)
      } finally {
        const left = (waiting.get(teamId) ?? 1) - 1
        if (left > 0) waiting.set(teamId, left)
        else waiting.delete(teamId)
      }
    },
    pause(forMs) {
      state.heldUntil = Math.max(state.heldUntil, now() + forMs)
    },
  }
}

function rateLimited({ count, perMs }: RateLimit, pauseMs: number): ProviderError {
  const rule = `${count} ${count === 1 ? 'request' : 'requests'} in ${perMs / 1000} s`
  return new ProviderError('rate limited', `Only ${rule} may be sent to it, which leaves none for now.`, {
    pauseMs: Math.ceil(pauseMs),
  })
}
