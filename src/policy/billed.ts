import type { Policy } from '../core/caller.ts'
import { fail } from '../core/error.ts'
import { monthStart } from '../core/month.ts'
import type { Clock, Usage } from '../core/ports.ts'

/** Priced operations are refused once a team's credits of the month are spent. No limit = no look-up. */
export const billed =
  (usage: Pick<Usage, 'since'>, clock: Clock, monthlyCredits: number | undefined): Policy =>
  (next) =>
  async (operation, input, ctx) => {
    if (monthlyCredits !== undefined && operation.price) {
      const used = await usage.since(ctx.team.id, monthStart(clock.now()))
      if (used >= monthlyCredits) fail('INSUFFICIENT_CREDITS', { details: { monthlyCredits, used } })
    }
    return next(operation, input, ctx)
  }
