import type { z } from 'zod'
import type { Files } from '../contracts/fetch.ts'
import type { Ctx } from '../kernel/ctx.ts'
import { errors } from '../kernel/error-table.ts'
import { fail } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { type Dropped, droppedKeys, type Issue, readableIssues } from '../kernel/issues.ts'
import { flagMeant, isAbsent, plainName } from '../kernel/lenient/field-values.ts'
import { readInput } from '../kernel/lenient/read-leniently.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { limitsOf, sizeFaults } from '../kernel/size-limits.ts'
import { FileBytes } from '../util/file-bytes.ts'
import { isRecord } from '../util/json.ts'

/** Passes on what the caller means, and says in a warning what was read differently. A strict call is taken at its word. */
export const readLeniently: Middleware = (operation, next) => async (input, ctx) => {
  if (ctx.checked === operation.name || ctx.handling === 'strict' || !isRecord(input)) return next(input, ctx)
  const { input: meant, warning } = readInput(operation, input)
  if (warning !== undefined) ctx.warn(warning)
  return next(meant, ctx)
}

/**
 * Replaces the `path` of a call that takes a file by the file itself. It is read on this machine, also when the call then
 * goes to a remote service. Fails with FILE_NOT_ALLOWED without the permission `localFiles`.
 */
export const readLocalFile =
  (files: Files): Middleware =>
  ({ upload }, next) => {
    if (!upload) return next
    return async (input, ctx) => {
      const { path, ...rest } = input as { path?: unknown }
      if (typeof path !== 'string') return next(input, ctx)
      if (upload.field in rest)
        fail('BAD_REQUEST', {
          details: [{ path: ['path'], message: 'Send either a path or the file itself.', code: 'custom' }],
        })
      if (!ctx.team.permissions.includes('localFiles')) fail('FILE_NOT_ALLOWED')
      const { filename, bytes } = await files.read(path)
      return next({ ...rest, [upload.field]: { filename, base64: new FileBytes(bytes) } }, ctx)
    }
  }

/** Passes on the parsed input. Unknown keys are dropped with a warning, or of a strict call refused. Fails as `checkedInput` does. */
export const validate: Middleware = (operation, next) => async (input, ctx) =>
  next(ctx.checked === operation.name ? input : checkedInput(operation, input, ctx), ctx)

/**
 * The same check for calls to a remote service: the input goes on as it was sent, since the service has defaults of its own, and may
 * have what is not built here.
 */
export const validateOnly: Middleware = (operation, next) => async (input, ctx) => {
  checkedInput(operation, input, { warn: () => {}, handling: ctx.handling, unbuilt: new Set() })
  return next(input, ctx)
}

/** To keep nothing, or to fetch nothing. */
const promised = new Set(['zerodataretention', 'zdr', 'lockdown'])
/** Protections that the public service has. */
const notBuilt = new Set(['redactpii', 'threatprotection', 'checkpromptinjection'])
const maxLookedInto = 8

/** Where a dropped value asks for one of these, however it is written: going on without would break what was asked. */
function askedIn(names: ReadonlySet<string>, { path, key, value }: Dropped, depth = 0): string[] {
  if (names.has(plainName(key))) return isAsked(value) ? [path] : []
  if (!isRecord(value) || depth > maxLookedInto) return []
  return Object.entries(value).flatMap(([name, each]) =>
    askedIn(names, { path: `${path}.${name}`, key: name, value: each }, depth + 1),
  )
}

const isAsked = (value: unknown) => value !== false && value !== null && flagMeant(value) !== false && !isAbsent(value)

const notHere = (path: string) => ({
  path: [path],
  message: 'Not known here, so nothing was done: it would have had no effect.',
  code: 'unrecognized_keys',
})

const maxListed = 20

/** The first names and how many more: a warning must not grow with the request. */
const listed = (names: readonly string[]) =>
  names.slice(0, maxListed).join(', ') + (names.length > maxListed ? ` and ${names.length - maxListed} more` : '')

/** Each fault says where it is and what was expected; the example is a whole call. */
const refuse = ({ example }: AnyOperation, details: readonly Issue[]): never =>
  fail('BAD_REQUEST', { details, hint: `${errors.BAD_REQUEST.hint} Example: ${JSON.stringify(example)}` })

/** Zod throws where it compares a `length` that is no number. */
function read(operation: AnyOperation, input: object): z.ZodSafeParseResult<object> {
  try {
    return operation.input.safeParse(input)
  } catch {
    return refuse(operation, [
      { path: [], message: 'Expected texts and lists, not objects like them.', code: 'custom' },
    ])
  }
}

type Check = Pick<Ctx, 'warn' | 'handling'> & { unbuilt?: ReadonlySet<string> }

/** The parsed input. Fails with BAD_REQUEST or FEATURE_UNAVAILABLE. */
export function checkedInput(
  operation: AnyOperation,
  input: object,
  { warn, handling, unbuilt = notBuilt }: Check,
): object {
  const tooBig = sizeFaults(limitsOf(operation), input)
  if (tooBig.length > 0) refuse(operation, tooBig)
  const result = read(operation, input)
  if (!result.success) return refuse(operation, readableIssues(result.error))
  const dropped = droppedKeys(input, result.data)
  const promises = dropped.flatMap((each) => askedIn(promised, each))
  if (promises.length > 0) refuse(operation, promises.map(notHere))
  const options = dropped.flatMap((each) => askedIn(unbuilt, each))
  if (options.length > 0)
    fail('FEATURE_UNAVAILABLE', {
      message: `Not supported yet, so nothing was done: ${listed(options)}.`,
      details: { options: options.slice(0, maxListed) },
    })
  const unknown = dropped.map(({ path }) => path)
  if (unknown.length > 0 && handling === 'strict')
    refuse(
      operation,
      unknown.map((path) => ({ path: [path], message: 'Unknown field.', code: 'unrecognized_keys' })),
    )
  if (unknown.length > 0) warn(`Ignored unknown ${unknown.length === 1 ? 'field' : 'fields'}: ${listed(unknown)}.`)
  return result.data
}
