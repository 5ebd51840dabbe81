import type { ProviderError, ProviderErrorKind } from '../../contracts/search-port.ts'
import type { Clock } from '../../contracts/ports.ts'

const minuteMs = 60_000

/** How long a provider is not asked after each kind of error, unless it names a time itself. */
const pausesMs: Record<ProviderErrorKind, number> = {
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
const maxPauseMs = 24 * 60 * minuteMs

export type Breaker = {
  /** Why a provider may not be asked now; undefined when it may. */
  pauseReason(name: string): string | undefined
  recordError(name: string, error: ProviderError): void
}

/** A circuit breaker: a provider that has just failed is not asked for a while, which would only prolong a block. */
export function createBreaker(clock: Clock): Breaker {
  const pauses = new Map<string, { until: number; kind: ProviderErrorKind }>()
  return {
    pauseReason(name) {
      const pause = pauses.get(name)
      if (!pause || pause.until <= clock.now()) return undefined
      return `left alone for ${Math.ceil((pause.until - clock.now()) / 1000)} s after: ${pause.kind}`
    },
    recordError(name, { kind, pauseMs }) {
      const until = clock.now() + Math.min(pauseMs ?? pausesMs[kind], maxPauseMs)
      // Concurrent requests may fail together; the longest pause counts.
      if (until > (pauses.get(name)?.until ?? 0)) pauses.set(name, { until, kind })
    },
  }
}
