import { z } from 'zod'
import { tokenPeriods } from '../engine/account/usage.ts'
import { defineOperation } from '../kernel/operation.ts'
import { TokenPeriod } from '../schema/usage.ts'

export default defineOperation({
  name: 'token_usage',
  route: 'GET /v2/team/token-usage/historical',
  title: 'Token usage by month',
  about: 'Report the tokens used each month, in total, per API key or per endpoint. One credit is 15 tokens.',
  effect: 'read',
  world: 'closed',
  example: { byApiKey: true },
  input: z.object({
    byApiKey: z.boolean().default(false).describe('One row per API key.'),
    byEndpoint: z.boolean().default(false).describe('One row per endpoint, as activity names it.'),
  }),
  output: z.object({ periods: z.array(TokenPeriod) }),
  errors: [],
  run: async (input, ctx) => ({ periods: await tokenPeriods(ctx.ports, input, ctx) }),
})
