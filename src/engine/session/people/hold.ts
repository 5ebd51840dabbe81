import { DeadlineError, withDeadline } from '../../../util/deadline.ts'

/** Who holds the browser: as long as a person does, agents wait. */
export type Hold = {
  /** Who has it; undefined while nobody does. */
  holder(): object | undefined
  /** From whoever had it. `again`: only if nobody else has taken it meanwhile. */
  take(by: object, how?: 'again'): void
  release(by: object): void
  /** Released, too, unless somebody takes it soon: a lost connection comes back. */
  leave(by: object): void
  /** False when it is still held after some time. Rejects with the signal's reason. */
  untilFree(signal: AbortSignal): Promise<boolean>
}
export type HoldTimes = {
  /** How long an agent waits, ms. */
  patienceMs: number
  /** How long it stays held by who has lost the connection, ms. */
  graceMs: number
}

/** Shorter than what clients wait for an answer. */
const usualTimes: HoldTimes = { patienceMs: 45_000, graceMs: 10_000 }

export function createHold(changed: () => void, times = usualTimes): Hold {
  let holder: object | undefined
  let leaving: NodeJS.Timeout | undefined
  let free = Promise.withResolvers<void>()

  function set(to: object | undefined): void {
    clearTimeout(leaving)
    leaving = undefined
    holder = to
    if (!to) {
      free.resolve()
      free = Promise.withResolvers()
    }
    changed()
  }

  return {
    holder: () => holder,
    take(by, how) {
      if (how === 'again' && holder && !leaving) return
      set(by)
    },
    release(by) {
      if (holder === by) set(undefined)
    },
    leave(by) {
      if (holder === by) leaving ??= setTimeout(set, times.graceMs, undefined).unref()
    },
    async untilFree(signal) {
      if (!holder) return true
      const limit = { step: 'wait for the person', ms: times.patienceMs }
      return withDeadline(limit, signal, () => free.promise).then(
        () => true,
        (error: unknown) => {
          if (error instanceof DeadlineError && !signal.aborted) return false
          throw error
        },
      )
    },
  }
}
