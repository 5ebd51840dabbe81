import type { z } from 'zod'
import type { Files } from '../contracts/fetch.ts'
import type { Ctx } from '../kernel/ctx.ts'
import { errors } from '../kernel/error-table.ts'
import { fail, failure } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { type Dropped, type Issue, lostIn, readableIssues } from '../kernel/issues.ts'
import { readFlag, isAbsent, jsonIn } from '../kernel/lenient/field-values.ts'
import { plainName } from '../kernel/lenient/field-names.ts'
import { readInput } from '../kernel/lenient/read-leniently.ts'
import { refusalOfFields } from '../kernel/offer.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { limitsOf, sizeFaults } from '../kernel/size-limits.ts'
import { FileBytes } from '../util/file-bytes.ts'
import { isRecord } from '../util/json.ts'

/** Coerces the input to what the caller meant, and warns about each change. Strict calls are passed on unchanged. */
export const readLeniently: Middleware = (operation, next) => async (input, ctx) => {
  if (ctx.checked === operation.name || ctx.handling === 'strict' || !isRecord(input)) return next(input, ctx)
  const { input: meant, warning } = readInput(operation, input)
  if (warning !== undefined) ctx.warn(warning)
  return next(meant, ctx)
}

/**
 * Replaces the `path` of a file argument with the file. It is read on this machine even if the call goes to a remote
 * service. Fails with FILE_NOT_ALLOWED without the permission `localFiles`.
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

/**
 * Validates the input of a call to a remote service, but passes it on unchanged: the service has its own defaults, and
 * may support options that Gossamer does not.
 */
export const validateOnly: Middleware = (operation, next) => async (input, ctx) => {
  checkedInput(operation, input, { warn: () => {}, handling: ctx.handling, unbuilt: new Set() })
  return next(input, ctx)
}

/** Plain names of options that promise to store or fetch nothing. */
export const retentionOptions: ReadonlySet<string> = new Set(['zerodataretention', 'zdr', 'lockdown'])
/** Protections of Firecrawl that Gossamer does not implement. */
const notBuilt = new Set(['threatprotection', 'checkpromptinjection'])
/** Names of any option that promises to hide or keep out something. */
const protects = /^(?:redact|anonymi|block|deny|mask)/
const maxDepth = 8

/** Paths, within a dropped value, of requested options whose plain name `isMeant` accepts. */
function requestedIn(isMeant: (name: string) => boolean, { path, key, value }: Dropped, depth = 0): string[] {
  const name = plainName(key)
  if (isMeant(name)) return isRequested(name, value) ? [path] : []
  const inner = typeof value === 'string' ? jsonIn(value) : value
  if (typeof inner !== 'object' || inner === null || depth > maxDepth) return []
  return Object.entries(inner).flatMap(([field, each]) =>
    requestedIn(
      isMeant,
      { path: `${path}${isRecord(inner) ? `.${field}` : `[${field}]`}`, key: field, value: each },
      depth + 1,
    ),
  )
}

const isEmpty = (value: unknown) =>
  Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0

/** An empty object requests a known protection with its defaults, as in `threatProtection: {}` of the SDK. */
const isRequested = (name: string, value: unknown) =>
  value !== false &&
  value !== null &&
  readFlag(value) !== false &&
  !isAbsent(value) &&
  (!isEmpty(value) || (isRecord(value) && notBuilt.has(name)))

const unknownOption = (path: string) => ({
  path: [path],
  message: 'This option is not known here. The call was refused, because the option would have had no effect.',
  code: 'unrecognized_keys',
})

const maxListed = 20

/** Lists the first names and the number of the others, so that a warning does not grow with the request. */
const listed = (names: readonly string[]) =>
  names.slice(0, maxListed).join(', ') + (names.length > maxListed ? ` and ${names.length - maxListed} more` : '')

const refuse = (operation: AnyOperation, details: readonly Issue[]): never => {
  throw refusal(operation, details)
}
/** BAD_REQUEST with the faults, and a complete call as an example. */
const refusal = ({ example }: AnyOperation, details: readonly Issue[]) =>
  failure('BAD_REQUEST', { details, hint: `${errors.BAD_REQUEST.hint} Example: ${JSON.stringify(example)}` })

/** Zod throws if it compares a `length` that is not a number. */
function read(operation: AnyOperation, input: object): z.ZodSafeParseResult<object> {
  try {
    return operation.input.safeParse(input)
  } catch {
    return refuse(operation, [
      { path: [], message: 'Expected texts and lists, not objects with a length.', code: 'custom' },
    ])
  }
}

type Check = Pick<Ctx, 'warn' | 'handling'> & { unbuilt?: ReadonlySet<string> }

/** Returns the parsed input. Fails with BAD_REQUEST or FEATURE_UNAVAILABLE. */
export function checkedInput(
  operation: AnyOperation,
  input: object,
  { warn, handling, unbuilt = notBuilt }: Check,
): object {
  const tooBig = sizeFaults(limitsOf(operation), input)
  if (tooBig.length > 0) refuse(operation, tooBig)
  const result = read(operation, input)
  const isLocal = unbuilt.size > 0
  const notOffered = isLocal ? refusalOfFields(input) : undefined
  if (!result.success) throw notOffered ?? refusal(operation, readableIssues(result.error))
  const lost = lostIn(input, result.data)
  // Ignoring an option that promises something would break the promise.
  const isPromise = (name: string) =>
    retentionOptions.has(name) || (isLocal && protects.test(name) && !unbuilt.has(name))
  const promises = lost.flatMap((each) => requestedIn(isPromise, each))
  if (promises.length > 0) refuse(operation, promises.map(unknownOption))
  const options = lost.flatMap((each) => requestedIn((name) => unbuilt.has(name), each))
  if (options.length > 0)
    fail('FEATURE_UNAVAILABLE', {
      message: `Not supported yet, so nothing was done: ${listed(options)}.`,
      details: { options: options.slice(0, maxListed) },
    })
  const unknown = lost.filter(({ key }) => key !== '').map(({ path }) => path)
  if (unknown.length > 0 && handling === 'strict')
    refuse(
      operation,
      unknown.map((path) => ({ path: [path], message: 'Unknown field.', code: 'unrecognized_keys' })),
    )
  if (unknown.length > 0) warn(`Ignored unknown ${unknown.length === 1 ? 'field' : 'fields'}: ${listed(unknown)}.`)
  return result.data
}
