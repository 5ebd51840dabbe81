import type { ProviderError, ProviderErrorKind } from '../../contracts/search-port.ts'
import type { Clock } from '../../contracts/ports.ts'

const minuteMs = 60_000

/** Pause of a provider after each kind of error, unless the provider specifies one. */
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
  /** Returns why a provider is paused; undefined if it is available. */
  pauseReason(name: string): string | undefined
  recordError(name: string, error: ProviderError): void
}

/**
 * Creates a circuit breaker: a provider that just failed is not queried for a while, because that would only prolong a
 * block.
 */
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
      // Concurrent requests may fail together; the longest pause applies.
      if (until > (pauses.get(name)?.until ?? 0)) pauses.set(name, { until, kind })
    },
  }
}
