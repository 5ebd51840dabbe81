/** A step that exceeded its time limit. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly step: string
  readonly ms: number

  constructor(step: string, ms: number) {
    super(`${step} did not end within ${ms} ms`)
    this.step = step
    this.ms = ms
  }
}

/**
 * Runs a step with a time limit. Rejects in time with a DeadlineError, or with the signal's reason, even when the work never
 * settles; the signal given to the work aborts at that moment.
 */
export function withDeadline<T>(
  { step, ms }: { step: string; ms: number },
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) return Promise.reject(abortReason(signal))
  const controller = new AbortController()
  return new Promise<T>((resolve, reject) => {
    const clear = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const end = (reason: Error) => {
      clear()
      reject(reason)
      controller.abort(reason)
    }
    const onAbort = () => signal && end(abortReason(signal))
    const timer = setTimeout(() => end(new DeadlineError(step, ms)), ms)
    signal?.addEventListener('abort', onAbort, { once: true })
    // A promise settles once: a late result or error is dropped.
    work(controller.signal).then(resolve, reject).finally(clear)
  })
}

/** The reason of an aborted signal. One that is no Error becomes the cause of an Error. */
export const abortReason = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('The call was aborted.', { cause: reason })
