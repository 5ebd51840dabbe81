import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../../contracts/ports.ts'
import { ModelFault } from './fault.ts'

export type RetryOptions = {
  clock: Clock
  /** Before the second attempt; twice that before the third. */
  pauseMs: number
  /** No attempt begins after it, ms since the epoch. */
  endsAt: number
  signal: AbortSignal
  /** Whether another attempt would do harm by now. */
  isOver(): boolean
}

const maxAttempts = 3

/** Tries again after trouble that passes, as late as the server asks for, as long as there is time. */
export async function withRetries<T>(options: RetryOptions, attempt: () => Promise<T>): Promise<T> {
  for (let nth = 1; ; nth++) {
    try {
      return await attempt()
    } catch (fault) {
      if (!(fault instanceof ModelFault) || !fault.isPassing || nth === maxAttempts || options.isOver()) throw fault
      const pauseMs = fault.facts.pauseMs ?? jittered(options.pauseMs * 2 ** (nth - 1))
      if (options.clock.now() + pauseMs >= options.endsAt) throw fault
      await setTimeout(pauseMs, undefined, { signal: options.signal })
    }
  }
}

/** Callers that were turned away together do not come back together. */
const jittered = (ms: number) => ms * (0.75 + Math.random() / 2)
