import { z } from 'zod'
import { creditPeriods } from '../engine/account/usage.ts'
import { defineOperation } from '../kernel/operation.ts'
import { CreditPeriod } from '../schema/usage.ts'

export default defineOperation({
  name: 'credit_usage_historical',
  route: 'GET /v2/team/credit-usage/historical',
  title: 'Credit usage by month',
  about: 'Report the credits used each month, in total, per API key or per endpoint.',
  effect: 'read',
  world: 'closed',
  example: { byApiKey: true },
  input: z.object({
    byApiKey: z.boolean().default(false).describe('One row per API key.'),
    byEndpoint: z.boolean().default(false).describe('One row per endpoint, as activity names it.'),
  }),
  output: z.object({ periods: z.array(CreditPeriod) }),
  errors: [],
  mcp: false,
  run: async (input, ctx) => ({ periods: await creditPeriods(ctx.ports, input, ctx) }),
})
