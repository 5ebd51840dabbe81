import { z } from 'zod'
import { activeCrawls } from '../engine/crawl/status.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentRunning } from '../present/job-lists.ts'

const Active = z.object({
  id: z.string(),
  teamId: z.string(),
  url: z.string(),
  created_at: z.string(),
  options: z.looseObject({ scrapeOptions: z.looseObject({}) }),
})

export default defineOperation({
  name: 'crawl_active',
  route: 'GET /v2/crawl/active',
  aliases: ['GET /v2/crawl/ongoing'],
  title: 'Running crawls',
  about: 'List the running crawls of the team.',
  effect: 'read',
  world: 'closed',
  example: {},
  input: z.object({}),
  output: z.object({ crawls: z.array(Active) }),
  errors: [],
  mcp: { present: presentRunning },
  run: async (_input, ctx) => ({ crawls: await activeCrawls(ctx) }),
})
