import { z } from 'zod'
import { isRecord } from '../../util/json.ts'
import { CheckAnswer, CheckDetail, CheckId, MonitorAnswer, MonitorId, UpdateMonitor } from './monitor.ts'
import { foldScrapeOptions } from '../scrape/arguments.ts'

const actions = ['create', 'list', 'get', 'update', 'run', 'delete'] as const

const Fields = UpdateMonitor.extend({
  action: z.enum(actions).describe('What to do.'),
  id: MonitorId.optional().describe('get, update, run, delete: id of the monitor.'),
  checkId: CheckId.optional().describe('get: a check of the monitor, with what changed.'),
})
export type MonitorAction = z.output<typeof Fields>

/** All that can be done with monitors, as one call. */
export const MonitorAction = Fields.superRefine(({ action, id, schedule, targets }, check) => {
  const need = (path: string, message: string) => check.addIssue({ code: 'custom', path: [path], message })
  if (action === 'create' && !schedule) need('schedule', 'create needs a schedule, such as "every 30 minutes".')
  if (action === 'create' && !targets) need('targets', 'create needs urls, or crawl.')
  if (action !== 'create' && action !== 'list' && id === undefined) need('id', `${action} needs the id of the monitor.`)
})

export const MonitorOutcome = z.object({
  monitor: MonitorAnswer.optional(),
  monitors: z.array(MonitorAnswer).optional(),
  check: z.union([CheckDetail, CheckAnswer]).optional(),
  checks: z.array(CheckAnswer).optional().describe('The newest checks of the monitor.'),
  deleted: z.string().optional(),
  warning: z.string().optional(),
})
export type MonitorOutcome = z.output<typeof MonitorOutcome>

/** What agents are shown of it, in a form that every MCP client supports; the other fields are taken as well. */
export const monitorArguments = z.object({
  action: Fields.shape.action,
  id: MonitorId.optional().describe('Of the monitor.'),
  checkId: z.string().optional().describe('get: a check, with its diffs.'),
  urls: z.array(z.string()).optional().describe('create, update: pages to check.'),
  crawl: z.string().optional().describe('Or: URL of a site to crawl.'),
  schedule: z.string().optional().describe('"every 30 minutes", "daily at 9:00", "every monday at 8am", or cron.'),
  timezone: z.string().optional().describe('IANA name. Default UTC.'),
  extract: z.looseObject({}).optional().describe('Compare data, not text: {"schema": …} or {"prompt": …}.'),
  condition: z
    .looseObject({})
    .optional()
    .describe('Tell only if: {"field": {"path": "price", "is": "<", "value": 20}}.'),
  webhook: z.string().optional().describe('URL that is told.'),
  status: UpdateMonitor.shape.status,
})

const cronLike = /^[\d*]\S*(?:\s+\S+){4}$/
type Args = Record<string, unknown>

/**
 * What is input already passes unchanged. What there is nothing to apply to is passed on as well: validation then says that
 * it had no effect.
 */
export function foldMonitorArguments({ urls, crawl, schedule, timezone, ...args }: Args): Args {
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

function scheduleOf(said: unknown, time: object): unknown {
  if (typeof said === 'string') return { [cronLike.test(said.trim()) ? 'cron' : 'text']: said, ...time }
  return isRecord(said) ? { ...time, ...said } : said
}

/** What cannot be options is left as it is, for validation to report. */
function pageOptions(scrapeOptions: unknown, extract: unknown): object {
  if (scrapeOptions !== undefined && !isRecord(scrapeOptions)) return { scrapeOptions }
  const page = foldScrapeOptions(scrapeOptions ?? {})
  if (extract === undefined) return { scrapeOptions: page }
  const asked = isRecord(extract) ? extract : { schema: extract }
  return { scrapeOptions: { ...page, formats: [{ ...asked, type: 'changeTracking', modes: ['json'] }, 'markdown'] } }
}
