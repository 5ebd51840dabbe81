import { z } from 'zod'
import { listActivity } from '../engine/account/activity.ts'
import { defineOperation, endpoints } from '../kernel/operation.ts'
import { ActivityEntry } from '../schema/usage.ts'

export default defineOperation({
  name: 'activity',
  route: 'GET /v2/team/activity',
  title: 'Recent activity',
  about:
    'List the jobs of the last 24 hours, newest first, with their ids. Use it to find the id of an earlier scrape, crawl or session.',
  effect: 'read',
  example: { limit: 20, endpoint: 'scrape' },
  input: z.object({
    endpoint: z.enum(endpoints).optional().describe('Only jobs of this kind.'),
    limit: z.int().min(1).max(100).default(50).describe('Jobs on one page.'),
    cursor: z.string().optional().describe('From the answer before, to read on.'),
  }),
  output: z.object({
    data: z.array(ActivityEntry),
    cursor: z.string().nullable().describe('Send it back for the next page; null at the end.'),
    has_more: z.boolean(),
  }),
  errors: [],
  run: (input, ctx) => listActivity(ctx.ports, input, ctx),
})
