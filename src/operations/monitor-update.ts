import { z } from 'zod'
import { updateMonitor } from '../engine/monitor/manage.ts'
import { permissionsOf } from '../engine/monitor/settings.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentMonitor } from '../present/monitor.ts'
import { foldMonitorArguments } from '../schema/monitor/arguments.ts'
import { MonitorAnswer, UpdateMonitor } from '../schema/monitor/monitor.ts'
import { takenScrapeOptions } from '../schema/scrape/arguments.ts'

export default defineOperation({
  name: 'monitor_update',
  route: 'PATCH /v2/monitor/:id',
  title: 'Change a monitor',
  about: 'Change what is given: schedule, targets, condition or webhook, or pause the monitor. null removes.',
  effect: 'change',
  example: { id: '0190c2a0-0000-7000-8000-000000000000', status: 'paused' },
  input: UpdateMonitor,
  output: z.object({ data: MonitorAnswer, warning: z.string().optional() }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM', 'SCRAPE_ZDR_VIOLATION_ERROR'],
  permissions: (input) => permissionsOf(input),
  mcp: { taken: takenScrapeOptions, toInput: foldMonitorArguments, present: presentMonitor },
  run: updateMonitor,
})
