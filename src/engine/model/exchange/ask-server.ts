import type { JsonMode, ModelMessage } from '../../../contracts/model-port.ts'
import type { Clock } from '../../../contracts/ports.ts'
import type { FairSemaphore } from '../../../util/semaphore.ts'
import { type OptionalField, optionalFields, type Prompt, type Reply } from '../dialect/dialect.ts'
import type { AnswerSchema } from '../json/read-answer.ts'
import { exchange, type ModelServer } from './exchange.ts'
import { ModelFault } from './fault.ts'
import { setTimeout } from 'node:timers/promises'

type RetryOptions = {
  clock: Clock
  /** Pause in ms before the second attempt; doubled before the third. */
  pauseMs: number
  /** Time after which no attempt starts, in ms since the epoch. */
  endsAt: number
  signal: AbortSignal
  /** Returns true if another attempt would cause harm, because text was already shown. */
  isOver(): boolean
}

const maxAttempts = 3

/** Retries after transient faults, after the pause that the server requests, as long as there is time. */
async function withRetries<T>(options: RetryOptions, attempt: () => Promise<T>): Promise<T> {
  for (let nth = 1; ; nth++) {
    try {
      return await attempt()
    } catch (fault) {
      if (!(fault instanceof ModelFault) || !fault.isTransient || nth === maxAttempts || options.isOver()) throw fault
      const pauseMs = fault.facts.pauseMs ?? jittered(options.pauseMs * 2 ** (nth - 1))
      if (options.clock.now() + pauseMs >= options.endsAt) throw fault
      await setTimeout(pauseMs, undefined, { signal: options.signal })
    }
  }
}

/** Adds jitter, so callers rejected at the same time do not retry at the same time. */
const jittered = (ms: number) => ms * (0.75 + Math.random() / 2)

/** Parts that all questions to one server share. */
export type Kit = {
  server: ModelServer
  abilities: Abilities
  slots: FairSemaphore
  clock: Clock
  retryPauseMs: number
}
export type Question = {
  teamId: string
  model: string
  system: string
  messages: readonly ModelMessage[]
  maxOutputTokens: number
  schema?: AnswerSchema | undefined
  onText?: ((chunk: string) => void) | undefined
  signal: AbortSignal
  endsAt: number
}

/**
 * Returns one answer of the model, in the strictest JSON mode that the server accepts. Fails with a ModelFault or the
 * signal's reason.
 */
export async function ask(kit: Kit, question: Question): Promise<{ reply: Reply; jsonMode: JsonMode | undefined }> {
  const { model, schema } = question
  if (!schema) return { reply: await askBy(kit, question, undefined), jsonMode: undefined }
  let refused: ModelFault | undefined
  for (const mode of modesOf(kit, model, schema)) {
    const { own, strict } = schema.wire
    try {
      const json = { mode, schema: mode === 'strict_schema' ? (strict ?? own) : own }
      const reply = await askBy(kit, question, json)
      kit.abilities.accepts(model, schema.key, mode, refused ? 'refused' : 'not tried')
      return { reply, jsonMode: mode }
    } catch (fault) {
      if (!(fault instanceof ModelFault) || fault.kind !== 'refused') throw fault
      refused = fault
    }
  }
  throw refused ?? new ModelFault('refused')
}

function modesOf({ server, abilities }: Kit, model: string, schema: AnswerSchema): JsonMode[] {
  const { jsonModes } = server.dialect
  const first = abilities.mode(model, schema.key)
  const from = first === undefined ? 0 : jsonModes.indexOf(first)
  return jsonModes.slice(from).filter((mode) => mode !== 'strict_schema' || schema.wire.strict !== undefined)
}

/** Retries without the fields that the server reports as unsupported, one at a time. */
async function askBy(kit: Kit, question: Question, json: Prompt['json']): Promise<Reply> {
  const { model, system, messages, maxOutputTokens, onText } = question
  for (;;) {
    const without = kit.abilities.without(model)
    const isStreamed = onText !== undefined
    const prompt = { model, system, messages, maxOutputTokens, json, isStreamed, without }
    try {
      return await askPatiently(kit, question, prompt)
    } catch (fault) {
      const field = refusedField(fault, kit.server.dialect.body(prompt), without)
      if (field === undefined) throw fault
      kit.abilities.refusesField(model, field)
    }
  }
}

function refusedField(fault: unknown, body: object, without: ReadonlySet<OptionalField>): OptionalField | undefined {
  if (!(fault instanceof ModelFault) || fault.kind !== 'refused') return undefined
  const words = new Set(fault.facts.message?.match(/\w+/g))
  return optionalFields.find((field) => words.has(field) && Object.hasOwn(body, field) && !without.has(field))
}

async function askPatiently({ server, slots, clock, retryPauseMs }: Kit, question: Question, prompt: Prompt) {
  const { teamId, signal, endsAt, onText } = question
  let isShown = false
  const show = (chunk: string) => {
    isShown = true
    onText?.(chunk)
  }
  const retry = { clock, pauseMs: retryPauseMs, endsAt, signal, isOver: () => isShown }
  return withRetries(retry, async () => {
    const leave = await slots.acquire(teamId, signal)
    try {
      return await exchange(server, { prompt, onText: onText && show, signal })
    } finally {
      leave()
    }
  })
}

type Abilities = ReturnType<typeof createAbilities>

/** Lifetime in ms of the mode recorded for a model, because a better server may replace the one at this URL. */
const rememberedMs = 3_600_000
const maxSchemas = 500

/** Remembers what the server refused, so the same request is not tried again each time. */
export function createAbilities({ now }: Clock, modes: readonly JsonMode[]) {
  const fields = new Map<string, Set<OptionalField>>()
  const ofModel = new Map<string, { mode: JsonMode; until: number }>()
  const ofSchema = new Map<string, JsonMode>()
  const strictest = new Map<string, JsonMode>()
  const isStricter = (one: JsonMode, other: JsonMode) => modes.indexOf(one) < modes.indexOf(other)
  return {
    /** Returns the fields to omit for a model. */
    without: (model: string): ReadonlySet<OptionalField> => fields.get(model) ?? new Set(),
    refusesField(model: string, field: OptionalField): void {
      fields.set(model, new Set([...(fields.get(model) ?? []), field]))
    },
    /** Returns the mode to try first. */
    mode(model: string, schema: string): JsonMode | undefined {
      const known = ofModel.get(model)
      return ofSchema.get(`${model}\n${schema}`) ?? (known && known.until > now() ? known.mode : undefined)
    },
    /** Records that a mode was accepted, with or without an earlier refusal of a stricter one. */
    accepts(model: string, schema: string, mode: JsonMode, stricter: 'refused' | 'not tried'): void {
      const best = strictest.get(model)
      if (best === undefined || isStricter(mode, best)) strictest.set(model, mode)
      if (stricter === 'not tried') return
      // A model that accepted a stricter mode with another schema refused this schema, not the mode.
      if (best === undefined || !isStricter(best, mode))
        return void ofModel.set(model, { mode, until: now() + rememberedMs })
      if (ofSchema.size >= maxSchemas) ofSchema.clear()
      ofSchema.set(`${model}\n${schema}`, mode)
    },
  }
}
