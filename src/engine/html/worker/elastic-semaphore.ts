export type SemaphoreLimits = {
  /** So many at a time as a rule. */
  usual: number
  /** So many where somebody had to wait long. */
  most: number
  /** What is long, ms. */
  patienceMs: number
}
type ElasticSemaphore = {
  /** Resolves when it is the caller's turn; rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<void>
  /** Ends a turn that was taken. */
  release(): void
}
type Waiter = { since: number; go(): void }

/** Turns in the order they came. Whoever waits too long because the others take long has one beyond the usual number. */
export function createElasticSemaphore({ usual, most, patienceMs }: SemaphoreLimits): ElasticSemaphore {
  let active = 0
  const queue = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined

  const mayEnter = ({ since }: Waiter) => active < usual || (active < most && performance.now() - since >= patienceMs)

  function admitWaiters(): void {
    clearTimeout(timer)
    timer = undefined
    for (const next of queue) {
      if (!mayEnter(next)) return scheduleCheck(next)
      active += 1
      next.go()
    }
  }

  function scheduleCheck({ since }: Waiter): void {
    if (active >= most) return
    // Timers may ring a little early, and must then not ring without a pause.
    timer = setTimeout(admitWaiters, Math.max(1, since + patienceMs - performance.now())).unref()
  }

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.delete(waiter)
        reject(signal.reason as Error)
      }
      const go = () => {
        queue.delete(waiter)
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiter = { since: performance.now(), go }
      signal.addEventListener('abort', leave, { once: true })
      queue.add(waiter)
      if (queue.size === 1) scheduleCheck(waiter)
    })
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (active >= usual) return wait(signal)
      active += 1
    },
    release() {
      active -= 1
      admitWaiters()
    },
  }
}
