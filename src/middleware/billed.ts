import type { Clock, Usage } from '../contracts/ports.ts'
import { fail } from '../kernel/error.ts'
import type { Policy } from '../kernel/invoke.ts'
import { monthStart } from '../util/month.ts'

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
