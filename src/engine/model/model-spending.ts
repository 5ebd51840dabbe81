import type { ModelRequest, ModelUsage } from '../../contracts/model-port.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Log } from '../../kernel/log.ts'
import type { Reply } from './dialect/dialect.ts'
import type { Question } from './exchange/ask-server.ts'

/** Cost of a question, including its retries. */
export type Spent = ModelUsage & { model: string; calls: number }

export type Tally = {
  add(question: Question, reply: Reply): void
  spent(): Spent
}

/** Counts the usage reported by the server, or estimates it if none is reported. */
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
  /** Not awaited by callers, and a failure does not affect the answer. */
  add(request: ModelRequest, spent: Spent): void
  /** Resolves when everything added so far has been written. */
  written(): Promise<void>
}

/** Records the cost of models by month, key, task and model. */
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
