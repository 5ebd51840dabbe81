import type { Account } from '../contracts/account.ts'
import type { Clock } from '../contracts/ports.ts'
import type { Ctx } from '../kernel/ctx.ts'
import { fail } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'

/** Operations with a time limit take one of the team's slots; waiting for it counts towards that limit. */
export const limitConcurrency =
  (account: Pick<Account, 'take'>, clock: Clock): Middleware =>
  (operation, next) => {
    if (!operation.limitMs) return next
    const { limitMs: limitOf } = operation
    return async (input, ctx) => {
      const limitMs = limitOf(input)
      const slot = await account
        .take(ctx.team.id, deadlineOf(ctx, clock, limitMs))
        .catch((reason: unknown) => refused(reason, ctx, limitMs))
      const queuedMs = slot.hasWaited ? Math.max(1, clock.now() - ctx.startedAt) : 0
      try {
        return await next(input, { ...ctx, queuedMs })
      } finally {
        slot.release()
      }
    }
  }

/** The limit counts from when the call came in. */
function deadlineOf(ctx: Ctx, clock: Clock, limitMs: number): AbortSignal {
  const leftMs = Math.max(0, limitMs - (clock.now() - ctx.startedAt))
  return AbortSignal.any([ctx.signal, AbortSignal.timeout(leftMs)])
}

function refused(reason: unknown, ctx: Ctx, limitMs: number): never {
  if (ctx.signal.aborted) fail('REQUEST_CANCELLED', { cause: reason })
  if (reason instanceof DOMException && reason.name === 'TimeoutError')
    fail('SCRAPE_TIMEOUT', {
      message: `No free slot within the timeout of ${limitMs} ms.`,
      details: { timeoutMs: limitMs },
    })
  throw reason
}
