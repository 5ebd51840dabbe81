import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../core/ports.ts'
import { SearchError } from '../../../core/search.ts'

export type PaceOptions = {
  /** Least time between two queries to one engine, ms. */
  gapMs?: number
  /** Up to so much more, at random, ms. */
  jitterMs?: number
  random?: () => number
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}
export type Pace = {
  /** Waits for a turn with an engine. Fails with SearchError at once when that would take longer than `patienceMs`. */
  turn(name: string, patienceMs: number, signal: AbortSignal): Promise<void>
}

const sleepFor = async (ms: number, signal: AbortSignal) => void (await wait(ms, undefined, { signal }))

/** Asks each engine as slowly as a person does: they block whoever hurries. */
export function createPace(
  clock: Clock,
  { gapMs = 2500, jitterMs = 1500, random = Math.random, sleep = sleepFor }: PaceOptions = {},
): Pace {
  const nextTurns = new Map<string, number>()
  return {
    async turn(name, patienceMs, signal) {
      const now = clock.now()
      const at = Math.max(now, nextTurns.get(name) ?? 0)
      if (at - now > patienceMs)
        throw new SearchError('rate limited', 'Others are waiting to ask it, one at a time.', { pauseMs: at - now })
      // Taken before the wait, so that two who wait do not go at once.
      nextTurns.set(name, at + gapMs + Math.round(random() * jitterMs))
      if (at > now) await sleep(at - now, signal)
    },
  }
}
