import { z } from 'zod'
import { runMonitor } from '../engine/monitor/manage.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentCheck } from '../present/monitor.ts'
import { CheckAnswer, MonitorId } from '../schema/monitor/monitor.ts'

export default defineOperation({
  name: 'monitor_run',
  route: 'POST /v2/monitor/:id/run',
  title: 'Run a monitor now',
  about: 'Begin a check outside the schedule. If one is running already, the answer is that one.',
  effect: 'create',
  example: { id: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ id: MonitorId }),
  output: z.object({ data: CheckAnswer, warning: z.string().optional() }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  repeats: 'first answer',
  mcp: { present: presentCheck },
  run: runMonitor,
})
