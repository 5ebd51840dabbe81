import type { Refusal, Refusals } from '../contracts/job-ports.ts'
import type { Clock } from '../contracts/ports.ts'
import { type AppError, type RefusedCall, toAppError } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { faultsIn } from '../kernel/issues.ts'
import { plainName } from '../kernel/lenient/field-names.ts'
import { inputSchema } from '../kernel/json-schema.ts'
import type { Log } from '../kernel/log.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { isRecord } from '../util/json.ts'
import { retentionOptions } from './check-input.ts'

type RefusalPorts = { refusals: Pick<Refusals, 'note'>; clock: Clock; log: Pick<Log, 'warn'> }

/** Statuses of failures that callers can fix or must know about. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 402, 403, 404, 409, 410, 413, 415, 429])
/** Codes of failures that a page caused, which jobs record. */
const pageFailure = /^SCRAPE_/
const minuteMs = 60_000
/** Limit per team in each process, since some clients repeat refused calls endlessly. */
const maxAMinute = 20

const isRefusal = ({ status, code }: AppError): boolean => refusalStatuses.has(status) && !pageFailure.test(code)

/** Limit on pending writes of all teams. Further ones are dropped, so a slow database does not fill the memory. */
const maxPending = 200

/**
 * Records why calls were refused, since they leave no job for support to look into. Runs in the background; failed
 * writes are ignored.
 */
export function createRefusalNotes({ refusals, clock, log }: RefusalPorts) {
  const seen = new Map<string, Set<string>>()
  let minute = 0
  /** True if this refusal is new in the current minute and the team is below its limit. */
  function isNew(teamId: string, facts: string): boolean {
    const now = Math.floor(clock.now() / minuteMs)
    if (now !== minute) seen.clear()
    minute = now
    const own = seen.get(teamId) ?? new Set<string>()
    if (own.has(facts) || own.size >= maxAMinute) return false
    seen.set(teamId, own.add(facts))
    return true
  }
  const pending = new Set<Promise<void>>()
  function note(teamId: string, facts: Omit<Refusal, 'at'>): void {
    if (pending.size >= maxPending || !isNew(teamId, JSON.stringify(facts))) return
    const writing = refusals
      .note(teamId, { at: clock.now(), ...facts })
      .catch(() => {})
      .finally(() => pending.delete(writing))
    pending.add(writing)
  }
  /** Never throws, so that input which cannot be described does not change the answer to the call. */
  function noteCall(teamId: string, operation: AnyOperation, input: object, error: AppError): void {
    try {
      if (isRefusal(error) && !requestsZeroRetention(input)) note(teamId, factsOf(operation, input, error))
    } catch (cause) {
      log.warn('refusal could not be recorded', { cause })
    }
  }
  const middleware: Middleware = (operation, next) => async (input, ctx) => {
    try {
      return await next(input, ctx)
    } catch (thrown) {
      const error = toAppError(thrown)
      noteCall(ctx.team.id, operation, input, error)
      throw thrown
    }
  }
  return {
    middleware,
    /** Omits the error texts, which may contain input of the caller. */
    refused({ teamId, operation, error }: RefusedCall): void {
      const { code, status } = error
      if (isRefusal(error)) note(teamId, { operation, code, status, message: '', faults: [], given: {} })
    },
    /** Waits for pending writes. */
    settled: async (): Promise<void> => void (await Promise.all(pending)),
  }
}
export type RefusalNotes = ReturnType<typeof createRefusalNotes>

const most = { given: 20, faults: 5, message: 300, texts: 1000, depth: 12 }

/** Describes the refusal without any text from the caller. */
function factsOf(operation: AnyOperation, input: object, error: AppError): Omit<Refusal, 'at'> {
  const { name } = operation
  const { code, status, message, details } = error
  const hidden = hiding(operation, input)
  return {
    operation: name,
    code,
    status,
    message: hidden(message),
    faults: faultsIn(details)
      .slice(0, most.faults)
      .map((fault) => ({ path: pathOf(fault.path), message: hidden(fault.message) })),
    given: givenOf(operation, input),
  }
}

/** Fields in which the caller chooses the names of the inner fields. */
const callerNamed = /^((?:\w+\.)*(?:headers|metadata|schema|context|customHeaders|variables|data|env))[.[].*$/
const isName = /^[A-Za-z][\w.[\]-]{0,79}$/
const pathOf = (path: string) => {
  const known = path.replace(callerNamed, '$1')
  return isName.test(known) ? known : ''
}

function givenOf({ input: { shape }, mcp }: AnyOperation, input: object): Refusal['given'] {
  const shown = (mcp && mcp.arguments?.shape) || {}
  const known = Object.entries(input).filter(
    ([name, value]) => value !== undefined && (Object.hasOwn(shape, name) || Object.hasOwn(shown, name)),
  )
  return Object.fromEntries(known.slice(0, most.given).map(([name, value]) => [name, kindOf(value)]))
}

function kindOf(value: unknown): number | boolean | string {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'string') return `a text of ${value.length} characters`
  if (Array.isArray(value)) return `a list of ${value.length}`
  return value === null ? 'null' : 'an object'
}

/** JSON Schema of each input as text: its words are public, even if a caller sends them. */
const vocabularies = new WeakMap<AnyOperation, string>()
function vocabularyOf(operation: AnyOperation): string {
  const known = vocabularies.get(operation) ?? JSON.stringify(inputSchema(operation))
  vocabularies.set(operation, known)
  return known
}

const shortest = 3
/**
 * Returns a function that replaces the texts of the input, and the words in them, with an ellipsis, except those that
 * are very short or occur in the schema.
 */
function hiding(operation: AnyOperation, input: object): (text: string) => string {
  const vocabulary = vocabularyOf(operation)
  const texts = textsIn(input)
  return (text) => {
    if (texts === undefined) return ''
    const sent = texts.flatMap((each) => [each, ...each.split(/[^\p{L}\p{N}]+/u)])
    const own = new Set(sent.filter((each) => each.length >= shortest && text.includes(each)))
    const longestFirst = [...own].filter((each) => !vocabulary.includes(each)).toSorted((a, b) => b.length - a.length)
    return longestFirst.reduce((left, each) => left.replaceAll(each, '…'), text).slice(0, most.message)
  }
}

/** Returns the texts and inner names of the input; undefined if there are too many to examine. */
function textsIn(input: object): string[] | undefined {
  const texts: string[] = []
  const walk = (value: unknown, depth: number): boolean => {
    if (typeof value === 'string') texts.push(value)
    if (depth > most.depth || texts.length > most.texts) return false
    if (Array.isArray(value)) return value.every((each) => walk(each, depth + 1))
    if (!isRecord(value)) return true
    // Names at the top level are those of arguments, and public.
    return Object.keys(value).every((name) => (depth === 0 || walk(name, depth)) && walk(value[name], depth + 1))
  }
  return walk(input, 0) ? texts : undefined
}

const isRequested = (value: unknown) => value !== false && value !== 0 && value !== 'false' && value !== null

/** True if a call requests, anywhere and in any spelling, that nothing be stored, or is too deep to examine. */
function requestsZeroRetention(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.toLowerCase() === 'zdr'
  if (typeof value !== 'object' || value === null) return false
  if (depth > most.depth) return true
  if (Array.isArray(value)) return value.some((each) => requestsZeroRetention(each, depth + 1))
  return Object.entries(value).some(
    ([name, each]) =>
      (retentionOptions.has(plainName(name)) && isRequested(each)) || requestsZeroRetention(each, depth + 1),
  )
}
