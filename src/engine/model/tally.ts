import type { ModelUsage } from '../../contracts/model-port.ts'
import type { Reply } from './dialect/dialect.ts'
import type { Question } from './exchange/ask.ts'

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
