import type { ModelRequest, ModelUsage } from '../../contracts/model-port.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Log } from '../../kernel/log.ts'
import type { Reply } from './dialect/dialect.ts'
import type { Question } from './exchange/ask-server.ts'

/** Cost of a question, including its retries. */
export type Spent = ModelUsage & { model: string; calls: number }

export type Tally = ReturnType<typeof createTally>

/** Counts the usage reported by the server, or estimates it if none is reported. */
export function createTally(model: string) {
  const spent = { model, calls: 0, inputTokens: 0, outputTokens: 0 }
  return {
    add({ system, messages }: Question, { text, usage, model: named }: Reply) {
      const { inputTokens, outputTokens } = usage ?? {
        inputTokens: estimated([system, ...messages.map((message) => message.text)].join('\n')),
        outputTokens: estimated(text),
      }
      spent.calls += 1
      spent.inputTokens += inputTokens
      spent.outputTokens += outputTokens
      spent.model = (named ?? model).slice(0, maxName)
    },
    spent: (): Spent => ({ ...spent }),
  }
}

const maxName = 200
const bytesPerToken = 4

const estimated = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

/** Records the cost of models by month, key, task and model. */
export function createModelBooks({ usage, clock }: Pick<Ports, 'usage' | 'clock'>, log: Log) {
  const writing = new Set<Promise<void>>()
  return {
    /** Not awaited by callers, and a failure does not affect the answer. */
    add({ teamId, keyName, task }: ModelRequest, spent: Spent): void {
      const written: Promise<void> = usage
        .addModel({ teamId, keyName, task, ...spent }, clock.now())
        .catch((cause: unknown) => log.warn('model usage could not be recorded', { cause }))
        .finally(() => writing.delete(written))
      writing.add(written)
    },
    /** Resolves when everything added so far has been written. */
    written: async () => void (await Promise.allSettled(writing)),
  }
}
