import { z } from 'zod'
import { listActivity } from '../engine/account/activity.ts'
import { defineOperation, endpoints } from '../kernel/operation.ts'
import { presentActivity } from '../present/job-lists.ts'
import { ActivityEntry } from '../schema/usage.ts'

export default defineOperation({
  name: 'activity',
  route: 'GET /v2/team/activity',
  title: 'Recent activity',
  about:
    'List the jobs of the last 24 hours, newest first, with their ids and, of those that failed, why. Use it to find the id of an earlier scrape, crawl or session.',
  effect: 'read',
  world: 'closed',
  example: { limit: 20, endpoint: 'scrape', status: 'failed' },
  input: z.object({
    endpoint: z.enum(endpoints).optional().describe('Only jobs of this kind.'),
    status: z.enum(['completed', 'failed']).optional().describe('Only calls that ended so.'),
    limit: z.int().min(1).max(100).default(50).describe('Jobs per page.'),
    cursor: z.string().max(1000).optional().describe('Cursor from the previous answer.'),
  }),
  output: z.object({
    data: z.array(ActivityEntry),
    cursor: z.string().nullable().describe('Pass it to get the next page; null on the last.'),
    has_more: z.boolean(),
  }),
  errors: [],
  mcp: { present: presentActivity },
  run: (input, ctx) => listActivity(ctx.ports, input, ctx),
})
