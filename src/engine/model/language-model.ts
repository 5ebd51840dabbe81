import { createHash } from 'node:crypto'
import type {
  Model,
  ModelRequest,
  ModelText,
  JsonMode,
  ModelMessage,
  ModelObject,
  ModelUsage,
} from '../../contracts/model-port.ts'
import type { Clock, Ports } from '../../contracts/ports.ts'
import { failure } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { DeadlineError, withDeadline } from '../../util/async.ts'
import { createFairSemaphore } from '../../util/semaphore.ts'
import type { TrustedClient } from '../net/http/trusted-client.ts'
import { createAbilities, ask, type Kit, type Question } from './exchange/ask-server.ts'
import { ModelFault } from './exchange/fault.ts'
import { answerIn, type AnswerSchema, wireSchema } from './json/read-answer.ts'
import { modernised, type Schema } from './json/schema-forms.ts'
import { type Dialect, dialects, type Reply, schemaInstruction } from './dialect/dialect.ts'
import type { DialectName } from './model-settings.ts'
import { type Breach, createValidator } from './json/validator.ts'

/** One question in progress. */
type Call = { kit: Kit; request: ModelRequest; model: string; tally: Tally; signal: AbortSignal; endsAt: number }

const questionOf = ({ request, model, signal, endsAt }: Call): Question => ({
  teamId: request.teamId,
  model,
  system: request.system,
  messages: request.input,
  maxOutputTokens: request.maxOutputTokens,
  signal,
  endsAt,
})

/** Number of requests for a value: a wrong answer is returned to the model once, with its errors. */
const maxTries = 2

/** Returns a value that matches the schema. Fails with a ModelFault or the signal's reason. */
async function answerObject(call: Call, schema: AnswerSchema): Promise<ModelObject> {
  const { tally } = call
  let question: Question = { ...questionOf(call), schema }
  let breaches: readonly Breach[] = []
  for (let round = 1; round <= maxTries; round++) {
    const { reply, jsonMode } = await ask(call.kit, question)
    tally.add(question, reply)
    if (reply.end === 'declined') throw new ModelFault('declined')
    const answer = answerIn(reply.text, schema)
    if ('value' in answer) return { ...answer, ...factsOf(reply, jsonMode ?? 'prompt', tally) }
    breaches = answer.breaches
    question = { ...question, messages: withFeedback(question.messages, reply.text, breaches, schema) }
  }
  throw new ModelFault('off schema', { rules: [...new Set(breaches.map(({ rule }) => rule))].slice(0, 5) })
}

function factsOf({ end }: Reply, jsonMode: JsonMode, tally: Tally): Omit<ModelObject, 'value'> {
  const { model, inputTokens, outputTokens } = tally.spent()
  return { isTruncated: end === 'cut', jsonMode, model, usage: { inputTokens, outputTokens } }
}

/** Limits of the feedback: characters of the wrong answer, and number of violations. */
const maxQuoted = 4000
const maxBreaches = 10

/** Chat templates require alternating roles and no empty message. */
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

/** Location and settings of the model. */
export type ModelService = {
  dialect: DialectName
  url: string
  key: string | undefined
  model: string
  /** Model for easy and frequent tasks. */
  fastModel: string | undefined
  maxTimeoutMs: number
}

/** Returns the URL for requests. Users configure the base URL, with or without its version, or the full URL. */
export function endpointOf(
  { url: given, dialect: name }: Pick<ModelService, 'url' | 'dialect'>,
  dialect: Dialect,
): string {
  const url = new URL(given)
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(?:chat\/completions|messages)$/, '')
  const base = name === 'anthropic' ? path.replace(/\/v1$/, '') : path || '/v1'
  url.pathname = `${base}${dialect.path}`
  return url.href
}

export type ModelOptions = {
  service: ModelService
  client: TrustedClient
  clock: Clock
  /** Called with the cost of each question, including failed ones. Never throws. */
  onSpent(request: ModelRequest, spent: Spent): void
  /** Pause in ms before the first retry. */
  retryPauseMs?: number
}

/**
 * Maximum number of concurrent requests: more than a local model handles at a time, and below the limits of providers.
 */
const maxConcurrent = 8
const defaultRetryPauseMs = 500
/** Number of requests for a text: an empty answer is requested once more. */
const maxRounds = 2

/**
 * Maximum number of cached schemas. A crawl asks thousands of questions with one schema, and compiling it takes longer
 * than validating.
 */
const maxCached = 50

/** Returns a function that prepares a schema, or returns it from a cache. It fails with BAD_REQUEST for an invalid schema. */
function createAnswerSchemas(): (schema: object) => AnswerSchema {
  const cache = new Map<string, AnswerSchema>()
  return (schema) => {
    const key = createHash('sha256').update(JSON.stringify(schema)).digest('base64')
    const known = cache.get(key)
    if (known) return known
    const parts: Schema = { ...schema }
    const prepared = { key, own: modernised(parts), wire: wireSchema(parts), validate: createValidator(parts) }
    if (cache.size >= maxCached) cache.clear()
    cache.set(key, prepared)
    return prepared
  }
}

/** Creates the client for the language model of a server. */
export function createModel(options: ModelOptions): Pick<Model, 'text' | 'object'> {
  const { service, client, clock, retryPauseMs = defaultRetryPauseMs } = options
  const dialect = dialects[service.dialect]
  const kit: Kit = {
    server: { client, dialect, url: endpointOf(service, dialect), key: service.key },
    abilities: createAbilities(clock, dialect.jsonModes),
    slots: createFairSemaphore({ usual: maxConcurrent }),
    clock,
    retryPauseMs,
  }
  const schemas = createAnswerSchemas()

  async function inTime<T>(request: ModelRequest, work: (call: Call) => Promise<T>): Promise<T> {
    const ms = Math.min(request.timeoutMs, service.maxTimeoutMs)
    const model = (request.effort === 'fast' ? service.fastModel : undefined) ?? service.model
    const tally = createTally(model)
    const endsAt = clock.now() + ms
    try {
      return await withDeadline({ step: 'the language model', ms }, request.signal, (signal) =>
        work({ kit, request, model, tally, signal, endsAt }),
      )
    } catch (thrown) {
      throw failureOf(thrown)
    } finally {
      if (tally.spent().calls > 0) options.onSpent(request, tally.spent())
    }
  }

  return {
    text: (request) => inTime(request, answerText),
    object: async ({ schema, ...request }) => {
      const answer = schemas(schema)
      return inTime(request, (call) => answerObject(call, answer))
    },
  }
}

function failureOf(thrown: unknown): unknown {
  if (thrown instanceof ModelFault) return thrown.toFailure()
  if (!(thrown instanceof DeadlineError)) return thrown
  return failure('MODEL_TIMEOUT', {
    message: `The language model did not answer within ${Math.ceil(thrown.ms / 1000)} s.`,
    cause: thrown,
  })
}

async function answerText({ request, tally, ...call }: Call): Promise<ModelText> {
  const question = questionOf({ request, tally, ...call })
  for (let round = 1; round <= maxRounds; round++) {
    const { reply } = await ask(call.kit, { ...question, onText: request.onText })
    tally.add(question, reply)
    if (reply.end === 'declined') throw new ModelFault('declined')
    if (reply.text === '') continue
    const { model, inputTokens, outputTokens } = tally.spent()
    return { text: reply.text, isTruncated: reply.end === 'cut', model, usage: { inputTokens, outputTokens } }
  }
  throw new ModelFault('empty')
}

/** Cost of a question, including its retries. */
export type Spent = ModelUsage & { model: string; calls: number }

type Tally = ReturnType<typeof createTally>

/** Counts the usage reported by the server, or estimates it if none is reported. */
function createTally(model: string) {
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
    /** Starts the write without waiting for it; a failure does not affect the answer. */
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
