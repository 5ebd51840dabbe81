import { z } from 'zod'
import { deleteMonitor } from '../engine/monitor/manage.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentDeleted } from '../present/monitor.ts'
import { MonitorId } from '../schema/monitor/monitor.ts'

export default defineOperation({
  name: 'monitor_delete',
  route: 'DELETE /v2/monitor/:id',
  title: 'Delete a monitor',
  about: 'Delete a monitor with its checks. One that is running ends.',
  effect: 'destroy',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ id: MonitorId }),
  output: z.object({ id: z.string() }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: { present: presentDeleted },
  run: deleteMonitor,
})
