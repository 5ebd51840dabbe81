import { z } from 'zod'
import { ownEndpoints } from '../../kernel/operation.ts'
import type { Tool } from '../../kernel/tool.ts'
import activity from '../../operations/activity.ts'
import browserList from '../../operations/browser-list.ts'
import crawlActive from '../../operations/crawl-active.ts'

const { status, limit, cursor } = activity.input.shape

export const activityTool: Tool = {
  name: 'activity',
  title: 'Recent activity',
  about: 'List jobs of the last 24 hours with ids and why some failed; or running crawls, or live browsers.',
  effect: 'read',
  example: activity.example,
  arguments: z.object({
    show: z.enum(['jobs', 'crawls', 'browsers']).default('jobs').describe('Which.'),
    // The contract knows one more, of which there are no jobs here.
    endpoint: z.enum(ownEndpoints).optional().describe('Only jobs of this kind.'),
    status: status.describe('Only these jobs.'),
    limit,
    cursor,
  }),
  variants: [
    { operation: crawlActive, when: { show: 'crawls' } },
    { operation: browserList, when: { show: 'browsers' } },
    { operation: activity, when: { show: 'jobs' } },
  ],
}
