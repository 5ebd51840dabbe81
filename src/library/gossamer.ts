import { type App, createApp, localTeam } from '../app/app.ts'
import { Config } from '../app/config.ts'
import { AppError, fail, failure, toAppError } from '../kernel/error.ts'
import { dotted, readableIssues } from '../kernel/issues.ts'
import { createLog } from '../kernel/log.ts'
import { returnsPages, functionName } from '../kernel/offer.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import type { ErrorCode, Operations, Settings } from './api.ts'
import { type Caller, eachPage, pagesOf } from './job-pages.ts'
import type { CallOptions } from './options.ts'

/** Settings by key, with the defaults of the program. The environment is not read. */
export type GossamerOptions = Settings & {
  /** Receives log entries as JSON lines, from `logLevel` on. Without it, nothing is logged. */
  log?: ((line: string) => void) | undefined
}

/** The operations as functions. Nothing is opened or loaded before the first call. */
export type Gossamer = Operations & {
  /** Ends running calls and jobs, browsers and threads; later calls reject. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Throws GossamerError BAD_REQUEST if a setting is invalid. */
export function createGossamer({ log, ...settings }: GossamerOptions = {}): Gossamer {
  const config = validSettings(settings)
  const ownLog = createLog(log ? config.logLevel : 'silent', log ?? (() => {}))
  const app = createApp(config, ownLog, { callers: 'own user' })
  const ending = new AbortController()
  const call = callerOf(app, ending.signal)
  let closing: Promise<void> | undefined
  const close = () => {
    ending.abort(failure('REQUEST_CANCELLED', closed))
    return (closing ??= app.close())
  }
  const functions = Object.fromEntries(app.operations.flatMap((each) => functionsOf(each, app, call))) as Operations
  return Object.assign(functions, { close, [Symbol.asyncDispose]: close })
}

/** Runs operations as the local user. Calls reject with a GossamerError or the reason of the caller's signal. */
function callerOf(app: App, ending: AbortSignal): Caller {
  return async (operation, input, { signal: ofCaller, progress, idempotencyKey } = {}) => {
    ending.throwIfAborted()
    ofCaller?.throwIfAborted()
    const signal = ofCaller ? AbortSignal.any([ending, ofCaller]) : ending
    const more = { ...(progress && { progress }), ...(idempotencyKey !== undefined && { idempotencyKey }) }
    // Keeps the process alive during the call, because most of the timers and threads of the engine do not.
    const alive = setInterval(() => {}, 2 ** 30)
    try {
      return await app.invoke(operation, input, app.newCtx({ team: localTeam, signal, baseUrl: '', ...more }))
    } catch (thrown) {
      signal.throwIfAborted()
      throw toAppError(thrown)
    } finally {
      clearInterval(alive)
    }
  }
}

const closed = { message: 'Gossamer was closed.', hint: 'Make calls before close(), or create another one.' }

function validSettings(settings: Settings): Config {
  const defined = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
  const { data, error } = Config.safeParse(defined)
  if (data) return Object.freeze(data)
  const issues = readableIssues(error)
  return fail('BAD_REQUEST', {
    message: `These settings are not valid: ${issues.map(({ path, message }) => `${dotted(path)} (${message})`).join(', ')}`,
    hint: 'Correct the listed settings; docs/settings.md describes the values of each.',
    details: issues,
  })
}

function functionsOf(operation: AnyOperation, { operations }: App, call: Caller): [string, unknown][] {
  const name = functionName(operation.name)
  const own: [string, unknown] = [name, (input: object = {}, options?: CallOptions) => call(operation, input, options)]
  if (!returnsPages(operation)) return [own]
  const pages = pagesOf(operation, operations, call)
  return [own, [`${name}Pages`, pages], [`${name}Each`, eachPage(pages)]]
}

/** Error that calls reject with, and that `createGossamer` throws. */
export interface GossamerError extends Error {
  /** A code from `docs/reference/errors.md`; a remote service may have others. */
  readonly code: ErrorCode | (string & {})
  /** HTTP status of the error over REST. */
  readonly status: number
  /** The next call to make. */
  readonly hint: string | undefined
  /** The invalid parts of the input: for BAD_REQUEST a list of `{path, message, code}`. */
  readonly details: unknown
}

/** Class of the errors. It is abstract, because users of the library need it only for `instanceof`. */
export const GossamerError: abstract new (...made: never) => GossamerError = AppError
