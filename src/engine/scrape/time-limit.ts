import type { Clock } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { AppError, failure } from '../../kernel/error.ts'

/** Aborts with the caller's signal, or when the timeout is over; it counts from when the call came in, ms. */
export function timeLeft(clock: Clock, call: Pick<Ctx, 'signal' | 'startedAt'>, timeoutMs: number): AbortSignal {
  const leftMs = Math.max(0, timeoutMs - (clock.now() - call.startedAt))
  return AbortSignal.any([call.signal, AbortSignal.timeout(leftMs)])
}

/**
 * The same for work that has an end: nothing of it is held on to after that, whereas the timer of a signal that nobody
 * needs any more runs on, and with it what waits for that signal. A crawl would keep the pages of a minute so.
 */
export async function withinTime<T>(
  clock: Clock,
  call: Pick<Ctx, 'signal' | 'startedAt'>,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const leave = () => over.abort(call.signal.reason)
  const late = () => over.abort(new DOMException('The time is up.', 'TimeoutError'))
  const timer = setTimeout(late, Math.max(0, timeoutMs - (clock.now() - call.startedAt))).unref()
  call.signal.addEventListener('abort', leave, { once: true })
  if (call.signal.aborted) leave()
  try {
    return await work(over.signal)
  } catch (thrown) {
    throw interrupted(thrown, over.signal, call.signal, timeoutMs)
  } finally {
    clearTimeout(timer)
    call.signal.removeEventListener('abort', leave)
  }
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
