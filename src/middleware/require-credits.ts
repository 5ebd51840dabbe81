import { fail } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { monthStart } from '../util/month.ts'
import type { Usage } from '../contracts/account.ts'
import type { Clock } from '../contracts/ports.ts'

/** Refuses priced operations once a team's monthly credits are used up. Fails with INSUFFICIENT_CREDITS. */
export const requireCredits =
  (usage: Pick<Usage, 'since'>, clock: Clock, monthlyCredits: number | undefined): Middleware =>
  (operation, next) => {
    if (monthlyCredits === undefined || !operation.price) return next
    return async (input, ctx) => {
      const used = await usage.since(ctx.team.id, monthStart(clock.now()))
      if (used >= monthlyCredits) fail('INSUFFICIENT_CREDITS', { details: { monthlyCredits, used } })
      return next(input, ctx)
    }
  }
