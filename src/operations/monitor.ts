import { getCheck, listChecks } from '../engine/monitor/checks.ts'
import {
  createMonitor,
  deleteMonitor,
  getMonitor,
  listMonitors,
  runMonitor,
  updateMonitor,
} from '../engine/monitor/manage.ts'
import { permissionsOf } from '../engine/monitor/settings.ts'
import type { Ctx } from '../kernel/ctx.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentMonitor } from '../present/monitor.ts'
import { foldMonitorArguments, MonitorAction, monitorArguments, MonitorOutcome } from '../schema/monitor/arguments.ts'
import { takenScrapeOptions } from '../schema/scrape/arguments.ts'

const listed = 100
const newestChecks = 10

export default defineOperation({
  name: 'monitor',
  route: 'POST /v2/monitor/action',
  title: 'Watch pages for changes',
  about:
    'Check pages or a site on a schedule and tell a webhook what changed; get shows the newest checks, run checks now.',
  effect: 'change',
  example: {
    action: 'create',
    schedule: { text: 'every 30 minutes' },
    targets: [{ type: 'scrape', urls: ['https://example.com/prices'] }],
  },
  input: MonitorAction,
  output: MonitorOutcome,
  errors: [
    'MONITOR_NOT_FOUND',
    'JOB_OF_OTHER_TEAM',
    'JOB_NOT_FOUND',
    'SCRAPE_ZDR_VIOLATION_ERROR',
    'FEATURE_UNAVAILABLE',
  ],
  permissions: (input) => permissionsOf(input),
  repeats: 'first answer',
  mcp: {
    arguments: monitorArguments,
    taken: takenScrapeOptions,
    toInput: foldMonitorArguments,
    present: presentMonitor,
  },
  run: act,
})

async function act(input: MonitorAction, ctx: Ctx): Promise<MonitorOutcome> {
  const { action, id = '', checkId, schedule, targets } = input
  if (action === 'list') return { monitors: (await listMonitors({ limit: listed, offset: 0 }, ctx)).data }
  if (action === 'create' && schedule && targets)
    return { monitor: (await createMonitor({ ...input, schedule, targets }, ctx)).data }
  if (action === 'update') return { monitor: (await updateMonitor({ ...input, id }, ctx)).data }
  if (action === 'run') return { check: (await runMonitor({ id }, ctx)).data }
  if (action === 'delete') return { deleted: (await deleteMonitor({ id }, ctx)).id }
  if (checkId !== undefined) return { check: (await getCheck({ id, checkId, skip: 0, limit: listed }, ctx)).data }
  const { data: monitor } = await getMonitor({ id }, ctx)
  return { monitor, checks: (await listChecks({ id, limit: newestChecks, offset: 0 }, ctx)).data }
}
