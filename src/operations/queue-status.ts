import { z } from 'zod'
import { queueStatus } from '../engine/account/activity.ts'
import { defineOperation } from '../kernel/operation.ts'

export default defineOperation({
  name: 'queue_status',
  route: 'GET /v2/team/queue-status',
  title: 'Queue of the team',
  about: 'Report how many jobs of the team are running and waiting.',
  effect: 'read',
  world: 'closed',
  example: {},
  input: z.object({}),
  output: z.object({
    jobsInQueue: z.int(),
    activeJobsInQueue: z.int(),
    waitingJobsInQueue: z.int(),
    maxConcurrency: z.int(),
    mostRecentSuccess: z.string().nullable().describe('Start time of the latest successful job of the last 24 hours.'),
  }),
  errors: [],
  mcp: false,
  run: (_input, ctx) => queueStatus(ctx.ports, ctx),
})
