import { z } from 'zod'
import { tokenBalance } from '../engine/account/usage.ts'
import { defineOperation } from '../kernel/operation.ts'
import { TokenBalance } from '../schema/usage.ts'

export default defineOperation({
  name: 'token_balance',
  route: 'GET /v2/team/token-usage',
  title: 'Tokens left',
  about: 'Report the tokens left in the current month. One credit is 15 tokens.',
  effect: 'read',
  world: 'closed',
  example: {},
  input: z.object({}),
  output: z.object({ data: TokenBalance }),
  errors: [],
  mcp: false,
  run: async (_input, ctx) => ({ data: await tokenBalance(ctx.ports, ctx) }),
})
