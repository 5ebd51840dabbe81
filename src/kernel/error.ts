import { errors } from './error-table.ts'
import { faultsIn } from './issues.ts'
import { isRecord } from '../util/json.ts'

export type ErrorCode = keyof typeof errors
export type ErrorBody = {
  success: false
  error: string
  code: string
  hint?: string
  warning?: string
  details?: unknown
}

const maxTextBytes = 2000

/**
 * A failure meant for the caller, limited in size. `code` is a string, not ErrorCode, because a remote service may
 * have other codes.
 */
export class AppError extends Error {
  /** The name under which the library exports it. */
  override readonly name = 'GossamerError'
  readonly code: string
  readonly status: number
  readonly hint: string | undefined
  readonly details: unknown
  /** Notes on coerced and ignored input fields. */
  readonly warning: string | undefined

  constructor(code: string, init: ErrorFacts) {
    super(boundedText(init.message, maxTextBytes), { cause: init.cause })
    this.code = boundedText(code, 100)
    this.status = init.status
    this.hint = init.hint && boundedText(init.hint, maxTextBytes)
    this.details = boundedDetails(init.details)
    this.warning = init.warning && boundedText(init.warning, maxTextBytes)
  }

  /** The same error with other facts. */
  with(facts: Partial<ErrorFacts>): AppError {
    const { status, message, hint, details, warning, cause } = this
    return new AppError(this.code, { status, message, hint, details, warning, cause, ...facts })
  }
}

type ErrorFacts = {
  status: number
  message: string
  hint?: string | undefined
  details?: unknown
  warning?: string | undefined
  cause?: unknown
}

/**
 * `message` may be more specific than the table, and `details` name the faulty part of the input. Never put page
 * text, header values or keys in either.
 */
export type FailureFacts = { message?: string; hint?: string; details?: unknown; cause?: unknown }

export function failure(code: ErrorCode, facts: FailureFacts = {}): AppError {
  return new AppError(code, { ...errors[code], ...facts })
}

export function fail(code: ErrorCode, facts: FailureFacts = {}): never {
  throw failure(code, facts)
}

/** Converts anything thrown to an AppError. An unknown error gets an error id; its cause is written to the log only. */
export function toAppError(thrown: unknown, newId: () => string = () => crypto.randomUUID()): AppError {
  if (thrown instanceof AppError) return thrown
  const id = newId()
  return failure('UNKNOWN_ERROR', {
    message: `${errors.UNKNOWN_ERROR.message} Error id: ${id}.`,
    details: { errorId: id },
    cause: thrown,
  })
}

/** Error code of failed work: always a code of the table, so the number of distinct outcomes is bounded. */
export const outcomeOf = (thrown: unknown): string => (thrown instanceof AppError ? thrown.code : 'UNKNOWN_ERROR')

/** Codes whose details are an incomplete response. */
const partial: ReadonlySet<string> = new Set<ErrorCode>(['SUPPORT_TIMEOUT'])

export function toBody(error: AppError): ErrorBody {
  return {
    // Clients read the incomplete response at the top level, like a complete one.
    ...(partial.has(error.code) && isRecord(error.details) && error.details),
    success: false,
    error: textOnWire(error),
    code: error.code,
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(error.warning !== undefined && { warning: error.warning }),
    ...(error.details !== undefined && { details: error.details }),
  }
}

/**
 * Programs for Firecrawl show only this text, so it includes the first fault of a rejected input. As in that
 * service, "Bad Request" precedes faults of the schema, but not those of its own rules.
 */
function textOnWire({ code, message, details }: Pick<AppError, 'code' | 'message' | 'details'>): string {
  const [fault] = code === 'BAD_REQUEST' && message === errors.BAD_REQUEST.message ? faultsIn(details) : []
  if (!fault) return message
  return [fault.code === 'custom' ? '' : 'Bad Request', fault.path, fault.message].filter(Boolean).join(': ')
}

/** Returns the error in a response of a remote service, with the service's own code. */
export function fromBody(status: number, body: unknown): AppError {
  const fields: Partial<Record<keyof ErrorBody, unknown>> = isRecord(body) ? body : {}
  const code = textOf(fields.code) ?? codeOfStatus(status)
  const known = Object.hasOwn(errors, code) ? errors[code as ErrorCode] : undefined
  const text = textOf(fields.error)
  const isOurText = known !== undefined && text === textOnWire({ code, ...known, details: fields.details })
  return new AppError(code, {
    status,
    message:
      (isOurText ? known.message : text) ?? known?.message ?? `The remote service answered with status ${status}.`,
    hint: textOf(fields.hint) ?? known?.hint,
    warning: textOf(fields.warning),
    details: fields.details,
  })
}

/** Returns a text unchanged, and undefined for anything else: the response of a remote service is not validated. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return 'UNAUTHORIZED'
  if (status === 402) return 'INSUFFICIENT_CREDITS'
  if (status === 403) return 'PERMISSION_REQUIRED'
  if (status === 404) return 'JOB_NOT_FOUND'
  if (status === 408) return 'SCRAPE_TIMEOUT'
  if (status === 413) return 'PAYLOAD_TOO_LARGE'
  if (status === 429) return 'QUEUE_FULL'
  return status >= 500 ? 'REMOTE_UNAVAILABLE' : 'BAD_REQUEST'
}

/** A call that reached no operation. Its content is not recorded. */
export type RefusedCall = { teamId: string; operation: string; error: AppError }
export type RefusedNote = (call: RefusedCall) => void

type PlainError = { name: string; message: string; stack: string | undefined }
/** Serialised form of an error for another thread: an AppError whole, any other error as name, message and stack. */
export type Thrown =
  | {
      kind: 'typed'
      error: Pick<AppError, 'code' | 'status' | 'message' | 'hint' | 'details' | 'warning'>
      cause: PlainError | undefined
    }
  | { kind: 'other'; error: PlainError }

export function packThrown(thrown: unknown): Thrown {
  if (!(thrown instanceof AppError)) return { kind: 'other', error: plainError(thrown) }
  const { code, status, message, hint, details, warning, cause } = thrown
  const error = { code, status, message, hint, details: asJson(details), warning }
  return { kind: 'typed', error, cause: cause === undefined ? undefined : plainError(cause) }
}

export function unpackThrown(thrown: Thrown): Error {
  if (thrown.kind === 'other') return errorOf(thrown.error)
  const { error, cause } = thrown
  return new AppError(error.code, { ...error, cause: cause && errorOf(cause) })
}

function plainError(thrown: unknown): PlainError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown), stack: undefined }
  const { name, message, stack } = thrown
  return { name, message, stack }
}

const errorOf = ({ name, message, stack }: PlainError): Error => Object.assign(new Error(message), { name, stack })

/** Details are sent as JSON in responses, so another thread gets only values that JSON can represent, too. */
const asJson = (details: unknown): unknown => (details === undefined ? undefined : JSON.parse(JSON.stringify(details)))

/** Limits of the details, so that an error does not repeat a large input: all its texts together have at most 16 kB. */
const maxEntries = 20
const maxDetailBytes = 9_000
const maxWordBytes = 300
const maxDepth = 5

/** Cuts a text so that its JSON has at most `maxBytes` bytes. */
export function boundedText(text: string, maxBytes: number): string {
  if (text.length * 6 <= maxBytes || bytesOf(text) <= maxBytes) return text
  let end = Math.min(text.length, maxBytes)
  while (bytesOf(text.slice(0, end)) > maxBytes - 4) end = Math.floor(end * 0.8)
  return `${text.slice(0, end).toWellFormed()}…`
}

/** Returns the details unchanged if they fit, otherwise the part that fits. */
function boundedDetails(details: unknown): unknown {
  const isList = Array.isArray(details)
  if (!(isList && details.length > maxEntries) && fits(details)) return details
  const short = bounded(details, maxDepth)
  if (!isList || !Array.isArray(short)) return bytesOf(short) <= maxDetailBytes ? short : undefined
  let max = Math.min(details.length, maxEntries)
  while (max > 0 && bytesOf(withRest(short, max, details.length)) > maxDetailBytes) max -= 1
  return withRest(short, max, details.length)
}

/** Cuts a list, and adds an entry in the shape of an issue that states how many entries are missing. */
function withRest(entries: readonly unknown[], max: number, count: number): readonly unknown[] {
  if (count <= max) return entries
  const shown = entries.slice(0, Math.min(max, maxEntries - 1))
  return [...shown, { path: [], message: `And ${count - shown.length} more.`, code: 'too_many' }]
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return boundedText(value, maxWordBytes)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((entry) => bounded(entry, depth - 1))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).slice(0, maxEntries)
  return Object.fromEntries(entries.map(([key, entry]) => [boundedText(key, maxWordBytes), bounded(entry, depth - 1)]))
}

/** True if the details fit. Values that are obviously too long are not serialised. */
function fits(details: unknown): boolean {
  let left = maxDetailBytes
  const take = (value: unknown): boolean => {
    if (typeof value === 'object' && value !== null)
      for (const [key, entry] of Object.entries(value)) {
        left -= key.length
        if (left < 0 || !take(entry)) return false
      }
    else left -= typeof value === 'string' ? value.length : 1
    return left >= 0
  }
  return take(details) && bytesOf(details) <= maxDetailBytes
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '')

/** The `code` of a system error, such as ENOENT; undefined for any other value. */
export function errorCode(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined
}
