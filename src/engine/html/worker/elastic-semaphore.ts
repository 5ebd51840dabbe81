export type SemaphoreLimits = {
  /** Permits in normal operation. */
  usual: number
  /** Permits when a caller has waited for `patienceMs`. */
  most: number
  /** Milliseconds. */
  patienceMs: number
}
type ElasticSemaphore = {
  /** Resolves with a permit, in FIFO order; rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<void>
  /** Returns a permit. */
  release(): void
}
type Waiter = { since: number; go(): void }

/** A FIFO semaphore that grants permits beyond the usual number to callers that have waited too long. */
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
    // Timers may fire slightly early; a minimum delay avoids a busy loop.
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
