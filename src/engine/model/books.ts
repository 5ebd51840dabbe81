import type { ModelRequest } from '../../contracts/model-port.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Log } from '../../kernel/log.ts'
import type { Spent } from './tally.ts'

export type ModelBooks = {
  /** Nobody waits for it, and a failure spoils no answer. */
  add(request: ModelRequest, spent: Spent): void
  /** Resolves when all that was added is written. */
  written(): Promise<void>
}

/** Keeps what models cost by month, key, task and model. */
export function createModelBooks({ usage, clock }: Pick<Ports, 'usage' | 'clock'>, log: Log): ModelBooks {
  const writing = new Set<Promise<void>>()
  return {
    add({ teamId, keyName, task }, spent) {
      const written: Promise<void> = usage
        .addModel({ teamId, keyName, task, ...spent }, clock.now())
        .catch((cause: unknown) => log.warn('model usage could not be recorded', { cause }))
        .finally(() => writing.delete(written))
      writing.add(written)
    },
    written: async () => void (await Promise.allSettled(writing)),
  }
}
