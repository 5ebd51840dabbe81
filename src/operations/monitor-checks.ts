import { z } from 'zod'
import { listChecks } from '../engine/monitor/checks.ts'
import { defineOperation } from '../kernel/operation.ts'
import { CheckAnswer, checkStatuses, ListWindow, MonitorId, Pagination } from '../schema/monitor/monitor.ts'

export default defineOperation({
  name: 'monitor_checks',
  route: 'GET /v2/monitor/:id/checks',
  title: 'List the checks of a monitor',
  about: 'List the checks of a monitor, newest first.',
  effect: 'read',
  example: { id: '0190c2a0-0000-7000-8000-000000000000', limit: 10 },
  input: ListWindow.extend({
    id: MonitorId,
    status: z.enum(checkStatuses).optional().describe('Only checks of this status.'),
  }),
  output: z.object({ data: z.array(CheckAnswer), pagination: Pagination }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: false,
  run: listChecks,
})
