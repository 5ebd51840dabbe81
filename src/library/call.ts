import { type App, localTeam } from '../app/app.ts'
import { toAppError } from '../kernel/error.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import type { CallOptions } from './options.ts'

export type Caller = (operation: AnyOperation, input: object, options?: CallOptions) => Promise<object>

/** Runs operations as the user of this machine. What they throw is a GossamerError, or the reason of the caller's signal. */
export function callerOf(app: App, ending: AbortSignal): Caller {
  return async (operation, input, { signal: given, progress, idempotencyKey } = {}) => {
    ending.throwIfAborted()
    given?.throwIfAborted()
    const signal = given ? AbortSignal.any([ending, given]) : ending
    const more = { ...(progress && { progress }), ...(idempotencyKey !== undefined && { idempotencyKey }) }
    // Much of what a call waits for keeps no process alive.
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
