import { z } from 'zod'
import { getMonitor } from '../engine/monitor/manage.ts'
import { defineOperation } from '../kernel/operation.ts'
import { MonitorAnswer, MonitorId } from '../schema/monitor/monitor.ts'

export default defineOperation({
  name: 'monitor_get',
  route: 'GET /v2/monitor/:id',
  title: 'Show a monitor',
  about: 'Show what a monitor checks and when.',
  effect: 'read',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ id: MonitorId }),
  output: z.object({ data: MonitorAnswer }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: false,
  run: getMonitor,
})
