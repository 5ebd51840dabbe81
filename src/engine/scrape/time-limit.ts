import type { Ctx } from '../../kernel/ctx.ts'
import { AppError, failure } from '../../kernel/error.ts'
import type { Clock } from '../../contracts/ports.ts'

type TimedCall = Pick<Ctx, 'signal' | 'startedAt'>

/** Aborts with the caller's signal, or `timeoutMs` after the call came in. */
export function timeLeft(clock: Clock, call: TimedCall, timeoutMs: number): AbortSignal {
  return AbortSignal.any([call.signal, AbortSignal.timeout(leftMs(clock, call, timeoutMs))])
}

const leftMs = (clock: Clock, { startedAt }: TimedCall, timeoutMs: number) =>
  Math.max(0, Math.floor(timeoutMs - (clock.now() - startedAt)))

export type TimeLimit = {
  signal: AbortSignal
  /** What to throw for what was thrown: an abort becomes the error of whoever caused it. */
  explain(thrown: unknown): unknown
  end(): void
}

/**
 * The same for work that ends before its time: `end` lets go of the timer and of the caller's signal. With `timeLeft` a
 * crawl would hold on to the pages of the last minute.
 */
export function startTimeLimit(clock: Clock, call: TimedCall, timeoutMs: number): TimeLimit {
  const over = new AbortController()
  const leave = () => over.abort(call.signal.reason)
  const late = () => over.abort(new DOMException('The time is up.', 'TimeoutError'))
  const timer = setTimeout(late, leftMs(clock, call, timeoutMs)).unref()
  call.signal.addEventListener('abort', leave, { once: true })
  if (call.signal.aborted) leave()
  return {
    signal: over.signal,
    explain: (thrown) => interrupted(thrown, over.signal, call.signal, timeoutMs),
    end: () => {
      clearTimeout(timer)
      call.signal.removeEventListener('abort', leave)
    },
  }
}

function interrupted(thrown: unknown, signal: AbortSignal, callerSignal: AbortSignal, timeoutMs: number): unknown {
  if (thrown instanceof AppError || !signal.aborted) return thrown
  if (callerSignal.aborted) return failure('REQUEST_CANCELLED', { cause: thrown })
  return failure('SCRAPE_TIMEOUT', {
    message: `The scrape did not finish within ${timeoutMs} ms.`,
    details: { timeoutMs },
    cause: thrown,
  })
}
