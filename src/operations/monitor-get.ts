import { z } from 'zod'
import { listChecks } from '../engine/monitor/checks.ts'
import { getMonitor } from '../engine/monitor/manage.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentMonitor } from '../present/monitor.ts'
import { CheckAnswer, MonitorAnswer, MonitorId } from '../schema/monitor/monitor.ts'

const newestChecks = 10

export default defineOperation({
  name: 'monitor_get',
  route: 'GET /v2/monitor/:id',
  title: 'Show a monitor',
  about: 'Show what a monitor checks and when, and its newest checks.',
  effect: 'read',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ id: MonitorId }),
  output: z.object({ data: MonitorAnswer, checks: z.array(CheckAnswer).optional().describe('The newest checks.') }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: { present: presentMonitor },
  run: async ({ id }, ctx) => ({
    ...(await getMonitor({ id }, ctx)),
    checks: (await listChecks({ id, limit: newestChecks, offset: 0 }, ctx)).data,
  }),
})
