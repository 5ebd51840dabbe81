import type { JsonMode, ModelMessage, ModelObject } from '../../contracts/model-port.ts'
import { type Call, questionOf } from './call.ts'
import { schemaInstruction } from './dialect/dialect.ts'
import { ask, type Question } from './exchange/ask.ts'
import { ModelFault } from './exchange/fault.ts'
import { type AnswerSchema, answerIn } from './json/answer.ts'
import type { Breach } from './json/validator.ts'
import type { Tally } from './tally.ts'

/** First answer, and one more that knows what was wrong with it. */
const maxTries = 2

/** A value that obeys the schema. Fails with a ModelFault or the signal's reason. */
export async function answerObject(call: Call, schema: AnswerSchema): Promise<ModelObject> {
  const { tally } = call
  let question: Question = { ...questionOf(call), schema }
  let breaches: readonly Breach[] = []
  for (let round = 1; round <= maxTries; round++) {
    const { reply, jsonMode } = await ask(call.kit, question)
    tally.add(question, reply)
    if (reply.end === 'declined') throw new ModelFault('declined')
    const answer = answerIn(reply.text, schema)
    if ('value' in answer) return objectOf(answer.value, reply.end === 'cut', jsonMode ?? 'prompt', tally)
    breaches = answer.breaches
    question = { ...question, messages: withFeedback(question.messages, reply.text, breaches, schema) }
  }
  throw new ModelFault('off schema', { rules: [...new Set(breaches.map(({ rule }) => rule))].slice(0, 5) })
}

function objectOf(value: unknown, isTruncated: boolean, jsonMode: JsonMode, tally: Tally): ModelObject {
  const { model, inputTokens, outputTokens } = tally.spent()
  return { value, isTruncated, jsonMode, model, usage: { inputTokens, outputTokens } }
}

/** Of a wrong answer the model sees so much, and so many of its faults. */
const maxQuoted = 4000
const maxBreaches = 10

/** Chat templates want the roles to take turns, and no message empty. */
function withFeedback(
  messages: readonly ModelMessage[],
  answer: string,
  breaches: readonly Breach[],
  { wire }: AnswerSchema,
): ModelMessage[] {
  const faults = breaches.slice(0, maxBreaches).map(({ place, message }) => `- ${place || 'the whole'}: ${message}`)
  const why = faults.length > 0 ? `it breaks the schema:\n${faults.join('\n')}` : 'it holds no complete JSON.'
  const text = `Your last answer cannot be used: ${why}\n\n${schemaInstruction(wire.own)}`
  if (answer !== '')
    return [...messages, { role: 'assistant', text: answer.slice(0, maxQuoted) }, { role: 'user', text }]
  const last = messages.at(-1)
  return [...messages.slice(0, -1), { role: 'user', text: `${last?.text ?? ''}\n\n${text}` }]
}
