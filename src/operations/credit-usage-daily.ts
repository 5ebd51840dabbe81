import { z } from 'zod'
import { creditDays } from '../engine/account/usage.ts'
import { defineOperation } from '../kernel/operation.ts'
import { CreditDay } from '../schema/usage.ts'

export default defineOperation({
  name: 'credit_usage_daily',
  route: 'GET /v2/team/credit-usage/daily',
  title: 'Credit usage by day',
  about: 'Report the credits used each day (UTC) up to today.',
  effect: 'read',
  world: 'closed',
  example: { days: 7 },
  input: z.object({ days: z.int().min(1).max(366).default(30).describe('Number of days, today included.') }),
  output: z.object({ days: z.array(CreditDay) }),
  errors: [],
  mcp: false,
  run: async (input, ctx) => ({ days: await creditDays(ctx.ports, input, ctx) }),
})
