export type Notifier = {
  /** Ends the wait there is, or else the next one at once. */
  notify(): void
  /** Until somebody rings, at most so long; the wait alone does not hold the process open. */
  wait(ms: number): Promise<void>
}

/** Lets a loop sleep until there is news. */
export function createNotifier(): Notifier {
  let hasRung = false
  let wakeUp: (() => void) | undefined
  return {
    notify() {
      hasRung = true
      wakeUp?.()
    },
    async wait(ms) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wakeUp = resolve
        const timer = setTimeout(resolve, ms)
        timer.unref()
        await promise
        clearTimeout(timer)
        wakeUp = undefined
      }
      hasRung = false
    },
  }
}
