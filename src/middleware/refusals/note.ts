import type { Clock } from '../../contracts/ports.ts'
import type { Refusal, Refusals } from '../../contracts/jobs.ts'
import { type AppError, type RefusedCall, toAppError } from '../../kernel/error.ts'
import type { Middleware } from '../../kernel/invoke.ts'
import type { Log } from '../../kernel/log.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { asksForNothingKept, factsOf } from './facts.ts'

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
