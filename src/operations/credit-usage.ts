import { z } from 'zod'
import { creditBalance } from '../engine/account/usage.ts'
import { defineOperation } from '../kernel/operation.ts'
import { CreditBalance } from '../schema/usage.ts'

export default defineOperation({
  name: 'credit_usage',
  route: 'GET /v2/team/credit-usage',
  title: 'Credits left',
  about: 'Report the credits left in the current month.',
  effect: 'read',
  world: 'closed',
  example: {},
  input: z.object({}),
  output: z.object({ data: CreditBalance }),
  errors: [],
  mcp: false,
  run: async (_input, ctx) => ({ data: await creditBalance(ctx.ports, ctx) }),
})
