import { z } from 'zod'
import { createMonitor } from '../engine/monitor/manage.ts'
import { permissionsOf } from '../engine/monitor/settings.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentMonitor } from '../present/monitor.ts'
import { foldMonitorArguments } from '../schema/monitor/arguments.ts'
import { CreateMonitor, MonitorAnswer } from '../schema/monitor/monitor.ts'
import { takenScrapeOptions } from '../schema/scrape/arguments.ts'

export default defineOperation({
  name: 'monitor_create',
  route: 'POST /v2/monitor',
  title: 'Create a monitor',
  about: 'Check pages or a site for changes on a schedule, and tell a webhook what changed.',
  effect: 'create',
  example: {
    name: 'Prices',
    schedule: { text: 'every 30 minutes' },
    targets: [{ type: 'scrape', urls: ['https://example.com/prices'] }],
    webhook: { url: 'https://example.org/hook', events: ['monitor.page'] },
  },
  input: CreateMonitor,
  output: z.object({ data: MonitorAnswer, warning: z.string().optional() }),
  errors: ['SCRAPE_ZDR_VIOLATION_ERROR'],
  permissions: (input) => permissionsOf(input),
  repeats: 'first answer',
  mcp: { taken: takenScrapeOptions, toInput: foldMonitorArguments, present: presentMonitor },
  run: createMonitor,
})
