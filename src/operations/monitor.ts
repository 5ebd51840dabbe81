import { z } from 'zod'
import {
  getCheck,
  listChecks,
  createMonitor,
  deleteMonitor,
  getMonitor,
  listMonitors,
  runMonitor,
  updateMonitor,
} from '../engine/monitor/manage.ts'
import { permissionsOf } from '../engine/monitor/monitor-settings.ts'
import { defineOperation, type Part, type Presentation } from '../kernel/operation.ts'
import type { Tool } from '../kernel/tool.ts'
import {
  CheckAnswer,
  CheckDetail,
  checkStatuses,
  CreateMonitor,
  MonitorAnswer,
  MonitorId,
  pageStatuses,
  UpdateMonitor,
} from '../schema/monitor-schema.ts'
import { counted } from '../util/amounts.ts'
import { ownWords } from './present/present-lists.ts'
import { readingPages } from './agent-arguments.ts'
import { foldScrapeOptions, takenScrapeOptions } from '../schema/scrape/scrape-arguments.ts'
import { isRecord } from '../util/json.ts'

const cronLike = /^[\d*]\S*(?:\s+\S+){4}$/
type Args = Record<string, unknown>

/**
 * Folds flat arguments into monitor input; arguments already in input form are unchanged. Options without a target to
 * apply to are passed on, so that validation reports that they had no effect.
 */
function foldMonitorArguments({ urls, crawl, schedule, timezone, ...args }: Args): Args {
  const time = timezone === undefined ? {} : { timezone }
  const when = schedule === undefined ? time : { schedule: scheduleOf(schedule, time) }
  if (urls === undefined && crawl === undefined) return { ...args, ...when }
  const { limit, extract, scrapeOptions, ...rest } = args
  const options = pageOptions(scrapeOptions, extract)
  const targets = [
    ...(urls !== undefined ? [{ type: 'scrape', urls, ...options }] : []),
    ...(crawl !== undefined
      ? [{ type: 'crawl', url: crawl, ...options, ...(limit !== undefined && { crawlOptions: { limit } }) }]
      : []),
  ]
  const unused = crawl === undefined && limit !== undefined ? { limit } : {}
  return { ...rest, ...unused, targets, ...when }
}

function scheduleOf(value: unknown, time: object): unknown {
  if (typeof value === 'string') return { [cronLike.test(value.trim()) ? 'cron' : 'text']: value, ...time }
  return isRecord(value) ? { ...time, ...value } : value
}

/** Values that cannot be options are passed on for validation to report. */
function pageOptions(scrapeOptions: unknown, extract: unknown): object {
  if (scrapeOptions !== undefined && !isRecord(scrapeOptions)) return { scrapeOptions }
  const page = foldScrapeOptions(scrapeOptions ?? {})
  if (extract === undefined) return { scrapeOptions: page }
  const options = isRecord(extract) ? extract : { schema: extract }
  return { scrapeOptions: { ...page, formats: [{ ...options, type: 'changeTracking', modes: ['json'] }, 'markdown'] } }
}

const forAgents = (args: Record<string, unknown>) => readingPages(args, 'targets[].scrapeOptions.actions')

const aMonitor = { id: '0190c2a0-0000-7000-8000-000000000000' }

export const monitorCreate = defineOperation({
  name: 'monitor_create',
  route: 'POST /v2/monitor',
  title: 'Create a monitor',
  about: 'Check pages or a site for changes on a schedule, and notify a webhook of changes.',
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
  mcp: { taken: takenScrapeOptions, forAgents, toInput: foldMonitorArguments, present: presentMonitor },
  run: createMonitor,
})

const ListWindow = z.object({
  limit: z.int().min(1).max(100).default(20).describe('Maximum results.'),
  offset: z.int().min(0).default(0).describe('Number of results to skip.'),
})

const Pagination = z.object({ limit: z.int(), offset: z.int(), total: z.int() })

export const monitorList = defineOperation({
  name: 'monitor_list',
  route: 'GET /v2/monitor',
  title: 'List monitors',
  about: 'List the monitors of the team, newest first.',
  effect: 'read',
  example: { limit: 20 },
  input: ListWindow,
  output: z.object({ data: z.array(MonitorAnswer), pagination: Pagination }),
  errors: [],
  mcp: {
    present: ({ data }) => ({
      parts: [ownWords(...(data.length === 0 ? ['There are no monitors.'] : data.map(lineOf)))],
    }),
  },
  run: listMonitors,
})

const newestChecks = 10

export const monitorGet = defineOperation({
  name: 'monitor_get',
  route: 'GET /v2/monitor/:id',
  title: 'Show a monitor',
  about: 'Show what a monitor checks and when, and its newest checks.',
  effect: 'read',
  example: aMonitor,
  input: z.object({ id: MonitorId }),
  output: z.object({ data: MonitorAnswer, checks: z.array(CheckAnswer).optional().describe('The newest checks.') }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: { present: presentMonitor },
  run: async ({ id }, ctx) => ({
    ...(await getMonitor({ id }, ctx)),
    checks: (await listChecks({ id, limit: newestChecks, offset: 0 }, ctx)).data,
  }),
})

export const monitorUpdate = defineOperation({
  name: 'monitor_update',
  route: 'PATCH /v2/monitor/:id',
  title: 'Change a monitor',
  about: 'Change the given fields, such as schedule, targets or webhook, or pause the monitor. null removes a field.',
  effect: 'change',
  example: { ...aMonitor, status: 'paused' },
  input: UpdateMonitor,
  output: z.object({ data: MonitorAnswer, warning: z.string().optional() }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM', 'SCRAPE_ZDR_VIOLATION_ERROR'],
  permissions: (input) => permissionsOf(input),
  mcp: { taken: takenScrapeOptions, forAgents, toInput: foldMonitorArguments, present: presentMonitor },
  run: updateMonitor,
})

export const monitorRun = defineOperation({
  name: 'monitor_run',
  route: 'POST /v2/monitor/:id/run',
  title: 'Run a monitor now',
  about: 'Start a check outside the schedule. If one is already running, it is returned.',
  effect: 'create',
  example: aMonitor,
  input: z.object({ id: MonitorId }),
  output: z.object({ data: CheckAnswer, warning: z.string().optional() }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  repeats: 'first answer',
  mcp: { present: presentCheck },
  run: runMonitor,
})

export const monitorDelete = defineOperation({
  name: 'monitor_delete',
  route: 'DELETE /v2/monitor/:id',
  title: 'Delete a monitor',
  about: 'Delete a monitor with its checks. A running check ends.',
  effect: 'destroy',
  example: aMonitor,
  input: z.object({ id: MonitorId }),
  output: z.object({ id: z.string() }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: { present: ({ id }) => ({ parts: [ownWords(`The monitor ${id} is deleted.`)] }) },
  run: deleteMonitor,
})

export const monitorChecks = defineOperation({
  name: 'monitor_checks',
  route: 'GET /v2/monitor/:id/checks',
  title: 'List the checks of a monitor',
  about: 'List the checks of a monitor, newest first.',
  effect: 'read',
  example: { ...aMonitor, limit: 10 },
  input: ListWindow.extend({
    id: MonitorId,
    status: z.enum(checkStatuses).optional().describe('Only checks of this status.'),
  }),
  output: z.object({ data: z.array(CheckAnswer), pagination: Pagination }),
  errors: ['MONITOR_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: false,
  run: listChecks,
})

const CheckId = z.uuid().toLowerCase().describe('Id of a check of the monitor.')

export const monitorCheck = defineOperation({
  name: 'monitor_check',
  route: 'GET /v2/monitor/:id/checks/:checkId',
  title: 'Show a check of a monitor',
  about: 'Show what a check found on each page, with what changed.',
  effect: 'read',
  example: {
    ...aMonitor,
    checkId: aMonitor.id,
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

const actions = ['create', 'list', 'get', 'update', 'run', 'delete'] as const

/** Arguments shown to agents for all monitor actions; the other fields are accepted too. */
const monitorArguments = z.object({
  action: z.enum(actions).describe('Action; all but create and list need id.'),
  id: MonitorId.optional().describe('Id of the monitor.'),
  checkId: z.string().optional().describe('get: id of one check, to see its differences.'),
  urls: z.array(z.string()).optional().describe('create, update: pages to check.'),
  crawl: z.string().optional().describe('create, update: URL of a site to crawl and compare.'),
  schedule: z
    .string()
    .optional()
    .describe('create, update: "every 30 minutes", "daily at 9:00", "every monday at 8am", or cron.'),
  timezone: z.string().optional().describe('Time zone of the schedule, such as Europe/Berlin. Default UTC.'),
  extract: z.looseObject({}).optional().describe('Compare data, not text: {"schema": …} or {"prompt": …}.'),
  condition: z
    .looseObject({})
    .optional()
    .describe('Report only if: {"field": {"path": "price", "is": "<", "value": 20}}.'),
  webhook: z.string().optional().describe('URL that receives the changes.'),
  status: UpdateMonitor.shape.status,
})

export const monitorTool: Tool = {
  name: 'monitor',
  title: 'Watch pages for changes',
  about:
    'Check pages or a site on a schedule and notify a webhook of changes; get shows the newest checks, run checks now.',
  effect: 'change',
  example: {
    action: 'create',
    schedule: 'every 30 minutes',
    urls: ['https://example.com/prices'],
  },
  arguments: monitorArguments,
  variants: [
    { operation: monitorCreate, when: { action: 'create' } },
    { operation: monitorList, when: { action: 'list' }, adds: { limit: 100 } },
    { operation: monitorCheck, when: { action: 'get' }, given: 'checkId' },
    { operation: monitorGet, when: { action: 'get' } },
    { operation: monitorUpdate, when: { action: 'update' } },
    { operation: monitorRun, when: { action: 'run' } },
    { operation: monitorDelete, when: { action: 'delete' } },
  ],
}

type One = { data: MonitorAnswer; checks?: readonly CheckAnswer[] | undefined; warning?: string | undefined }
type Check = { data: CheckAnswer | CheckDetail; warning?: string | undefined }

/** Shows a monitor and its newest checks, without text of pages. */
function presentMonitor({ data, checks = [], warning }: One): Presentation {
  const receiver = data.webhook ? [`Webhook: ${String(data.webhook['url'])}`] : []
  return { parts: [ownWords(...noteOf(warning), lineOf(data), ...receiver, ...checks.map(checkLine))] }
}

export function presentCheck({ data, warning }: Check): Presentation {
  const own = ownWords(...noteOf(warning), checkLine(data), ...nextStep(data))
  return { parts: [own, ...('pages' in data ? pagesOf(data) : [])] }
}

const noteOf = (warning: string | undefined) => (warning ? [`Warning: ${warning}`] : [])

function lineOf({ id, name, status, schedule, nextRunAt, lastCheckSummary }: MonitorAnswer): string {
  const next = nextRunAt === null ? 'not scheduled' : `next check ${nextRunAt}`
  const last = lastCheckSummary ? ` · last check: ${summaryOf(lastCheckSummary)}` : ''
  return `Monitor ${id} "${name}": ${status} · ${schedule.cron} (${schedule.timezone}) · ${next}${last}`
}

const summaryOf = ({ totalPages, ...counts }: CheckAnswer['summary']) =>
  [
    counted(totalPages, 'page'),
    ...Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : [])),
  ].join(', ')

const checkLine = ({ id, status, createdAt, summary, actualCredits, error }: CheckAnswer) =>
  `Check ${id} of ${createdAt}: ${status} · ${summaryOf(summary)} · ${counted(actualCredits, 'credit')}${error === null ? '' : ` · ${error}`}`

const nextStep = ({ id, monitorId, status }: CheckAnswer) =>
  status === 'queued' || status === 'running'
    ? [`Call monitor with {"action":"get","id":"${monitorId}","checkId":"${id}"} for its results.`]
    : []

/** Unchanged pages are omitted. */
const pagesOf = ({ pages }: CheckDetail): Part[] =>
  pages
    .filter(({ status }) => status !== 'same')
    .map(({ url, status, error, diff, snapshot }) => ({
      kind: 'page',
      label: status,
      origin: url,
      text: [
        ...(error === null ? [] : [error]),
        ...(diff?.text === undefined ? [] : [diff.text]),
        ...(diff?.json && snapshot ? [JSON.stringify(diff.json, null, 1)] : []),
      ].join('\n'),
    }))
