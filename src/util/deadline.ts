/** A step that did not end in its time. */
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
 * Runs a step that may take so long and no longer. Rejects on time with a DeadlineError, or with the signal's reason,
 * even when the work never answers; the signal given to the work aborts at that moment.
 */
export function withDeadline<T>(
  { step, ms }: { step: string; ms: number },
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) return Promise.reject(signal.reason as Error)
  const own = new AbortController()
  return new Promise<T>((resolve, reject) => {
    const clear = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
    const end = (reason: Error) => {
      clear()
      reject(reason)
      own.abort(reason)
    }
    const leave = () => end(signal?.reason as Error)
    const timer = setTimeout(() => end(new DeadlineError(step, ms)), ms)
    signal?.addEventListener('abort', leave, { once: true })
    // A promise takes its first outcome; a late one, also a failure, is dropped here.
    work(own.signal).then(resolve, reject).finally(clear)
  })
}
