import type { Refusal, Refusals } from '../contracts/job-ports.ts'
import type { Clock } from '../contracts/ports.ts'
import { type AppError, type RefusedCall, toAppError } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { faultsIn } from '../kernel/issues.ts'
import { inputSchema } from '../kernel/json-schema.ts'
import type { Log } from '../kernel/log.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { isRecord } from '../util/json.ts'

type RefusalPorts = { refusals: Pick<Refusals, 'note'>; clock: Clock; log: Pick<Log, 'warn'> }

/** What a caller can mend or must know, short of what a page or its site brought about: jobs tell that themselves. */
const refusing: ReadonlySet<number> = new Set([400, 402, 403, 404, 409, 410, 413, 415, 429])
const ofPages = /^SCRAPE_/
const minuteMs = 60_000
/** Of a team, in one process: whoever is refused all the time is to write no more than this. */
const mostAMinute = 20

const isRefusal = ({ status, code }: AppError): boolean => refusing.has(status) && !ofPages.test(code)

/** Notes being written at once, of all teams; further ones are dropped, so that a database that does not answer costs no memory. */
const mostPending = 200

/**
 * Writes down why calls were refused, since they leave no job that support could look into. Nobody waits for that, or is told
 * if it fails.
 */
export function createRefusalNotes({ refusals, clock, log }: RefusalPorts) {
  const seen = new Map<string, Set<string>>()
  let minute = 0
  /** Whether it is one more of this minute, and not too many. */
  function isNew(teamId: string, facts: string): boolean {
    const now = Math.floor(clock.now() / minuteMs)
    if (now !== minute) seen.clear()
    minute = now
    const own = seen.get(teamId) ?? new Set<string>()
    if (own.has(facts) || own.size >= mostAMinute) return false
    seen.set(teamId, own.add(facts))
    return true
  }
  const pending = new Set<Promise<void>>()
  function note(teamId: string, facts: Omit<Refusal, 'at'>): void {
    if (pending.size >= mostPending || !isNew(teamId, JSON.stringify(facts))) return
    const writing = refusals
      .note(teamId, { at: clock.now(), ...facts })
      .catch(() => {})
      .finally(() => pending.delete(writing))
    pending.add(writing)
  }
  /** A call is answered as it would be, whatever it holds that cannot be told. */
  function noteCall(teamId: string, operation: AnyOperation, input: object, error: AppError): void {
    try {
      if (isRefusal(error) && !asksForNothingKept(input)) note(teamId, factsOf(operation, input, error))
    } catch (cause) {
      log.warn('refusal not noted', { cause })
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
    /** The texts of its error may be made of what was sent, so they are left out. */
    refused({ teamId, operation, error }: RefusedCall): void {
      const { code, status } = error
      if (isRefusal(error)) note(teamId, { operation, code, status, message: '', faults: [], given: {} })
    },
    /** Waits for the notes that are being written. */
    settled: async (): Promise<void> => void (await Promise.all(pending)),
  }
}
export type RefusalNotes = ReturnType<typeof createRefusalNotes>

const most = { given: 20, faults: 5, message: 300, texts: 1000, depth: 12 }

/** The refusal, without any text that the caller sent. */
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

/** Below these the caller chooses the names. */
const ownNames = /^((?:\w+\.)*(?:headers|metadata|schema|context|customHeaders|variables|data|env))[.[].*$/
const isName = /^[A-Za-z][\w.[\]-]{0,79}$/
const pathOf = (path: string) => {
  const known = path.replace(ownNames, '$1')
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

/** Words of the schema are public, whoever sent them. */
const vocabularies = new WeakMap<AnyOperation, string>()
function vocabularyOf(operation: AnyOperation): string {
  const known = vocabularies.get(operation) ?? JSON.stringify(inputSchema(operation))
  vocabularies.set(operation, known)
  return known
}

const shortest = 3
/** Puts an ellipsis for all texts of the input, and for the words they are made of. */
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

/** All texts and names in it; undefined where there are too many to look at. */
function textsIn(input: object): string[] | undefined {
  const texts: string[] = []
  const walk = (value: unknown, depth: number): boolean => {
    if (typeof value === 'string') texts.push(value)
    if (depth > most.depth || texts.length > most.texts) return false
    if (Array.isArray(value)) return value.every((each) => walk(each, depth + 1))
    if (!isRecord(value)) return true
    // Names at the top are arguments.
    return Object.keys(value).every((name) => (depth === 0 || walk(name, depth)) && walk(value[name], depth + 1))
  }
  return walk(input, 0) ? texts : undefined
}

const promises = new Set(['zerodataretention', 'zdr', 'lockdown'])
const isAsked = (value: unknown) => value !== false && value !== 0 && value !== 'false' && value !== null

/** Whether a call asks, wherever and however it is written, that nothing of it be kept; also where it is too deep to tell. */
function asksForNothingKept(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.toLowerCase() === 'zdr'
  if (typeof value !== 'object' || value === null) return false
  if (depth > most.depth) return true
  if (Array.isArray(value)) return value.some((each) => asksForNothingKept(each, depth + 1))
  return Object.entries(value).some(
    ([name, each]) =>
      (promises.has(name.replaceAll(/[_-]/g, '').toLowerCase()) && isAsked(each)) ||
      asksForNothingKept(each, depth + 1),
  )
}
