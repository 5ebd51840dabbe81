import type { ModelRequest, ModelUsage } from '../../contracts/model-port.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Log } from '../../kernel/log.ts'
import type { Reply } from './dialect/dialect.ts'
import type { Question } from './exchange/ask-server.ts'

/** What a question cost, with all that was asked again. */
export type Spent = ModelUsage & { model: string; calls: number }

export type Tally = {
  add(question: Question, reply: Reply): void
  spent(): Spent
}

/** Counts what the server says it charged, or estimates it where the server does not say. */
export function createTally(model: string): Tally {
  const spent = { model, calls: 0, inputTokens: 0, outputTokens: 0 }
  return {
    add({ system, messages }, { text, usage, model: named }) {
      const { inputTokens, outputTokens } = usage ?? {
        inputTokens: estimated([system, ...messages.map((message) => message.text)].join('\n')),
        outputTokens: estimated(text),
      }
      spent.calls += 1
      spent.inputTokens += inputTokens
      spent.outputTokens += outputTokens
      spent.model = (named ?? model).slice(0, maxName)
    },
    spent: () => ({ ...spent }),
  }
}

const maxName = 200
const bytesPerToken = 4

const estimated = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

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
