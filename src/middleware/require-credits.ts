import type { Account, Usage } from '../contracts/account.ts'
import type { Clock } from '../contracts/ports.ts'
import { fail } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { monthStart } from '../util/month.ts'

type CreditPorts = { account: Pick<Account, 'limitsOf' | 'holdCredits'>; usage: Pick<Usage, 'since'>; clock: Clock }

/**
 * Holds back what a priced call will cost at least, until it is recorded, and refuses calls for which a team's monthly
 * credits are not enough. Fails with INSUFFICIENT_CREDITS.
 */
export const requireCredits =
  ({ account, usage, clock }: CreditPorts): Middleware =>
  (operation, next) => {
    if (!operation.price) return next
    const { reserve = () => 1 } = operation
    return async (input, ctx) => {
      const { id: teamId } = ctx.team
      const { monthlyCredits } = await account.limitsOf(teamId)
      if (monthlyCredits === undefined) return next(input, ctx)
      const credits = reserve(input)
      const end = await account.holdCredits({ jobId: ctx.jobId, teamId, credits, monthlyCredits })
      if (!end) {
        const used = await usage.since(teamId, monthStart(clock.now()))
        return fail('INSUFFICIENT_CREDITS', { details: { monthlyCredits, used, needed: credits } })
      }
      try {
        return await next(input, ctx)
      } finally {
        end()
      }
    }
  }
