import { z } from 'zod'
import { getCheck } from '../engine/monitor/checks.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentCheck } from '../present/monitor.ts'
import { CheckDetail, CheckId, MonitorId, pageStatuses } from '../schema/monitor/monitor.ts'

export default defineOperation({
  name: 'monitor_check',
  route: 'GET /v2/monitor/:id/checks/:checkId',
  title: 'Show a check of a monitor',
  about: 'Show what a check found on each page, with what changed.',
  effect: 'read',
  example: {
    id: '0190c2a0-0000-7000-8000-000000000000',
    checkId: '0190c2a0-0000-7000-8000-000000000000',
    status: 'changed',
  },
  input: z.object({
    id: MonitorId,
    checkId: CheckId,
    skip: z.int().min(0).default(0).describe('Number of pages to skip.'),
    limit: z.int().min(1).max(100).default(100).describe('Maximum pages to return.'),
    status: z.enum(pageStatuses).optional().describe('Only pages of this status.'),
  }),
  output: z.object({ data: CheckDetail, next: z.string().nullable() }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM', 'JOB_NOT_FOUND'],
  mcp: { present: presentCheck },
  run: getCheck,
})
