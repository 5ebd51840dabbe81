import { z } from 'zod'
import { isRecord } from '../util/json.ts'
import { MonitorId, UpdateMonitor } from './monitor-schema.ts'
import { foldScrapeOptions } from './scrape/scrape-arguments.ts'

const actions = ['create', 'list', 'get', 'update', 'run', 'delete'] as const

/** What agents are shown of all that can be done with monitors; the other fields are taken as well. */
export const monitorArguments = z.object({
  action: z.enum(actions).describe('What to do.'),
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
