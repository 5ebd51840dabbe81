import type { Ctx } from '../../core/ctx.ts'
import { AppError, failure } from '../../core/error.ts'
import type { Clock } from '../../core/ports.ts'

/** Aborts with the caller's signal, or when the timeout is over; it counts from when the call came in, ms. */
export function timeLeft(clock: Clock, call: Pick<Ctx, 'signal' | 'startedAt'>, timeoutMs: number): AbortSignal {
  const leftMs = Math.max(0, timeoutMs - (clock.now() - call.startedAt))
  return AbortSignal.any([call.signal, AbortSignal.timeout(leftMs)])
}

/** An abort is told by who caused it: our deadline or the caller. */
export function interrupted(
  thrown: unknown,
  signal: AbortSignal,
  callerSignal: AbortSignal,
  timeoutMs: number,
): unknown {
  if (thrown instanceof AppError || !signal.aborted) return thrown
  if (callerSignal.aborted) return failure('REQUEST_CANCELLED', { cause: thrown })
  return failure('SCRAPE_TIMEOUT', {
    message: `The scrape did not finish within ${timeoutMs} ms.`,
    details: { timeoutMs },
    cause: thrown,
  })
}
