import type { Clock } from '../../contracts/ports.ts'
import type { SearchError, SearchFault } from '../../contracts/search.ts'

const minuteMs = 60_000

/** How long a provider is left alone after a failure of each kind, unless it names a time itself. */
const pausesMs: Record<SearchFault, number> = {
  'rate limited': 3 * minuteMs,
  'bot challenge': 60 * minuteMs,
  'engines unresponsive': minuteMs,
  'json disabled': 60 * minuteMs,
  'bad key': 60 * minuteMs,
  'quota used up': 60 * minuteMs,
  'timed out': minuteMs / 2,
  'unreadable answer': 5 * minuteMs,
  unreachable: minuteMs / 2,
  refused: 3 * minuteMs,
  'other sites': 0,
}
const longestMs = 24 * 60 * minuteMs

export type Breaker = {
  /** Why a provider is left alone now; undefined when it may be asked. */
  pauseOf(name: string): string | undefined
  failed(name: string, error: SearchError): void
}

/** Leaves providers alone that have just failed: asking on would only prolong a block. */
export function createBreaker(clock: Clock): Breaker {
  const pauses = new Map<string, { until: number; fault: SearchFault }>()
  return {
    pauseOf(name) {
      const pause = pauses.get(name)
      if (!pause || pause.until <= clock.now()) return undefined
      return `left alone for ${Math.ceil((pause.until - clock.now()) / 1000)} s after: ${pause.fault}`
    },
    failed(name, { fault, pauseMs }) {
      const until = clock.now() + Math.min(pauseMs ?? pausesMs[fault], longestMs)
      // Of requests that ran at once, the longest pause counts.
      if (until > (pauses.get(name)?.until ?? 0)) pauses.set(name, { until, fault })
    },
  }
}
