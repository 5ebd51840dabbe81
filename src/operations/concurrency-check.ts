import { z } from 'zod'
import { defineOperation } from '../kernel/operation.ts'

export default defineOperation({
  name: 'concurrency_check',
  route: 'GET /v2/concurrency-check',
  aliases: ['GET /v2/team/concurrency-check'],
  title: 'Concurrency in use',
  about: 'Report how many scrapes of the team are running, and the limit.',
  effect: 'read',
  world: 'closed',
  example: {},
  input: z.object({}),
  output: z.object({ concurrency: z.int(), maxConcurrency: z.int() }),
  errors: [],
  mcp: false,
  run: async (_input, { ports, team }) => ({
    concurrency: (await ports.account.load(team.id)).active,
    maxConcurrency: (await ports.account.limitsOf(team.id)).maxConcurrency,
  }),
})
