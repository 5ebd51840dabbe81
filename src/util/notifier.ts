export type Notifier = {
  /** Ends the current wait, or else the next one at once. */
  notify(): void
  /** Resolves on the next notification, or after so long. The wait does not keep the process alive. */
  wait(ms: number): Promise<void>
}

/** Lets a loop sleep until there is something to do. */
export function createNotifier(): Notifier {
  let isNotified = false
  let wakeUp: (() => void) | undefined
  return {
    notify() {
      isNotified = true
      wakeUp?.()
    },
    async wait(ms) {
      if (!isNotified) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wakeUp = resolve
        const timer = setTimeout(resolve, ms)
        timer.unref()
        await promise
        clearTimeout(timer)
        wakeUp = undefined
      }
      isNotified = false
    },
  }
}
