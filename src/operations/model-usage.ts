import { z } from 'zod'
import { modelPeriods } from '../engine/account/usage.ts'
import { defineOperation } from '../kernel/operation.ts'
import { ModelPeriod } from '../schema/usage.ts'

export default defineOperation({
  name: 'model_usage',
  route: 'GET /v2/team/model-usage/historical',
  title: 'Model usage by month',
  about: 'Report the tokens that language models read and wrote each month, per API key, task and model.',
  effect: 'read',
  world: 'closed',
  example: {},
  input: z.object({}),
  output: z.object({ periods: z.array(ModelPeriod) }),
  errors: [],
  mcp: false,
  run: async (_input, ctx) => ({ periods: await modelPeriods(ctx.ports, ctx) }),
})
