import type { Account } from '../contracts/account.ts'
import { fail } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'

/** Counts calls that begin a job towards the rate of their team, and refuses those above it. Fails with RATE_LIMITED. */
export const limitRate =
  ({ countCall }: Pick<Account, 'countCall'>): Middleware =>
  ({ job }, next) => {
    if (!job) return next
    const { endpoint } = job
    return async (input, ctx) => {
      const rate = await countCall(ctx.team.id, endpoint)
      if (!rate) return next(input, ctx)
      const { limit, left, isCounted } = rate
      const resetSeconds = Math.max(1, Math.ceil(rate.resetMs / 1000))
      ctx.tellRate?.({ endpoint, limit, left, resetSeconds })
      if (!isCounted)
        fail('RATE_LIMITED', {
          message: `The team may make ${limit} calls of ${endpoint} a minute.`,
          details: { endpoint, limit, retryAfterSeconds: resetSeconds },
        })
      return next(input, ctx)
    }
  }
