import { abortReason } from './deadline.ts'

export type Semaphore = {
  /** Resolves when a slot is free, with whether that took a wait; rejects with the signal's reason. */
  acquire(signal: AbortSignal): Promise<'at once' | 'after a wait'>
  /** Frees a slot: the longest waiting caller is next. */
  release(): void
  load(): { active: number; waiting: number }
}

/** Lets `max` callers in at a time, the others in the order in which they came. */
export function createSemaphore(max: number): Semaphore {
  let active = 0
  const waiting = new Set<() => void>()

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        waiting.delete(go)
        signal.removeEventListener('abort', onAbort)
        active += 1
        resolve()
      }
      const onAbort = () => {
        waiting.delete(go)
        reject(abortReason(signal))
      }
      waiting.add(go)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  return {
    async acquire(signal) {
      signal.throwIfAborted()
      if (active >= max) return wait(signal).then(() => 'after a wait')
      active += 1
      return 'at once'
    },
    release() {
      active -= 1
      const [next] = waiting
      next?.()
    },
    load: () => ({ active, waiting: waiting.size }),
  }
}
