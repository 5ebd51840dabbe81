import { z } from 'zod'
import { callLabels, WebUrl, words } from './common-fields.ts'
import { CrawlInput } from './crawl-schema.ts'
import { PageOptions } from './scrape/scrape-options.ts'
import { SearchInput } from './search-schema.ts'
import { receiver } from './webhook-schema.ts'

export const MonitorId = z.uuid().toLowerCase().describe('Monitor id.')
export const pageStatuses = ['same', 'new', 'changed', 'removed', 'error'] as const
export type PageStatus = (typeof pageStatuses)[number]

/** Message for a missing field; other faults keep their own messages. */
const missing = (text: string) => (issue: { input?: unknown }) => (issue.input === undefined ? text : undefined)

export const Schedule = z
  .object(
    {
      cron: z.string().max(200).optional().describe('Cron expression of five fields, such as "*/30 * * * *".'),
      text: z.string().max(200).optional().describe('In words, such as "every 30 minutes" or "daily at 9:00".'),
      timezone: z.string().max(100).default('UTC').describe('IANA time zone, such as Europe/Berlin.'),
    },
    { error: missing('Expected when to check, such as "every 30 minutes".') },
  )
  .refine(({ cron, text }) => (cron === undefined) !== (text === undefined), {
    error: 'Send either cron or text.',
  })
export type Schedule = z.output<typeof Schedule>

/** A monitor has to fetch pages, which `lockdown` forbids. */
const WatchedPage = PageOptions.refine(({ lockdown }) => !lockdown, { error: 'lockdown is not possible in a monitor.' })
const targetId = words(64).optional()
/** Maximum number of pages per check. */
export const maxPages = 1000

const CrawlOptions = CrawlInput.omit({
  url: true,
  scrapeOptions: true,
  webhook: true,
  wait: true,
  zeroDataRetention: true,
}).extend({
  limit: z
    .int()
    .min(1)
    .max(maxPages)
    .optional()
    .describe('Maximum pages of a check. Default: what the prompt says, otherwise 100.'),
})

const ScrapeTarget = z.object({
  id: targetId,
  type: z.literal('scrape'),
  urls: z.array(WebUrl).min(1).max(maxPages).describe('Pages to check.'),
  scrapeOptions: WatchedPage.prefault({}).describe('Options for each page, as in scrape.'),
})
const CrawlTarget = z.object({
  id: targetId,
  type: z.literal('crawl'),
  url: WebUrl.describe('URL to start from.'),
  crawlOptions: CrawlOptions.prefault({}).describe('Options as in crawl.'),
  scrapeOptions: WatchedPage.prefault({}).describe('Options for each page, as in scrape.'),
})
/** Periods of Firecrawl, with the time filter that contains each. */
export const searchWindows = {
  '5m': 'qdr:h',
  '15m': 'qdr:h',
  '1h': 'qdr:h',
  '6h': 'qdr:d',
  '24h': 'qdr:d',
  '7d': 'qdr:w',
} as const
type SearchWindow = keyof typeof searchWindows

const SearchTarget = z.object({
  id: targetId,
  type: z.literal('search'),
  queries: z.array(SearchInput.shape.query).min(1).max(20).describe('Searches whose results are checked.'),
  searchWindow: z
    .enum(Object.keys(searchWindows) as [SearchWindow, ...SearchWindow[]])
    .optional()
    .describe('Only results of this period, rounded up to an hour, a day or a week.'),
  includeDomains: SearchInput.shape.includeDomains,
  excludeDomains: SearchInput.shape.excludeDomains,
  maxResults: SearchInput.shape.limit.describe('Maximum results of each query.'),
  scrapeOptions: WatchedPage.prefault({}).describe('Options for each page, as in scrape.'),
})
const Target = z.discriminatedUnion('type', [ScrapeTarget, CrawlTarget, SearchTarget], {
  error: 'A target has the type scrape, with urls, crawl, with url, or search, with queries.',
})
export type Target = z.output<typeof Target>

const comparisons = ['=', '!=', '<', '<=', '>', '>=', 'contains'] as const
export const Condition = z
  .object({
    status: z
      .array(z.enum(pageStatuses))
      .min(1)
      .max(10)
      .optional()
      .describe('Statuses to report. Default: all but same.'),
    field: z
      .object({
        path: words(500).describe('Field of the JSON, such as price or offers[0].price.'),
        is: z.enum(comparisons).describe('Comparison.'),
        value: z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]).describe('Value to compare with.'),
      })
      .optional()
      .describe('Comparison that a field must meet; needs the json mode of changeTracking.'),
  })
  .describe('Report only pages that meet this.')
export type Condition = z.output<typeof Condition>

const monitorEvents = ['monitor.page', 'monitor.check.completed'] as const
const Receiver = z.object({
  ...receiver,
  events: z
    .array(z.enum(monitorEvents))
    .min(1)
    .max(10)
    .default([...monitorEvents])
    .describe('monitor.page: a page met the condition; monitor.check.completed: a check ended. Default both.'),
})
export const MonitorWebhook = z
  .union([receiver.url, Receiver])
  .transform((given) => (typeof given === 'string' ? Receiver.parse({ url: given }) : given))
export type MonitorWebhook = z.output<typeof MonitorWebhook>

const Notification = z.looseObject({ email: z.looseObject({ enabled: z.boolean().optional() }).optional() })

const Targets = z
  .array(Target, { error: missing('Expected what to check: targets, or as arguments of the tool urls or crawl.') })
  .min(1)
  .max(20)
const whenToCheck = 'When to check: {"text": "every 30 minutes"} or {"cron", "timezone"}.'
const what = 'What to check.'

/** Fields of a monitor, for creating and updating it. */
const monitorFields = {
  name: z.string().trim().min(1).max(200).optional().describe('Name. Default: its first URL.'),
  schedule: Schedule.optional().describe(whenToCheck),
  targets: Targets.optional().describe(what),
  condition: Condition.nullable().optional().describe('Report only pages that meet this.'),
  webhook: MonitorWebhook.nullable().optional().describe('URL to notify, or {url, headers, metadata, events}.'),
  notification: Notification.nullable().optional().describe('Not supported: use webhook instead of e-mail.'),
  retentionDays: z.int().min(1).max(365).optional().describe('How long checks are kept. Default 30.'),
  goal: z.string().max(10_000).nullable().optional().describe('What the monitor is for; kept as a note.'),
  judgeEnabled: z.boolean().optional().describe('Accepted for clients of Firecrawl; has no effect.'),
  zeroDataRetention: z.boolean().default(false).describe('Refused: pages must be stored to be compared.'),
  ...callLabels,
}

export const CreateMonitor = z.object({
  ...monitorFields,
  schedule: Schedule.describe(whenToCheck),
  targets: Targets.describe(what),
})
export type CreateMonitor = z.output<typeof CreateMonitor>
export const UpdateMonitor = z.object({
  id: MonitorId,
  ...monitorFields,
  status: z.enum(['active', 'paused']).optional().describe('create, update: paused stops the checks.'),
})
export type UpdateMonitor = z.output<typeof UpdateMonitor>

const Summary = z.object({
  totalPages: z.int(),
  same: z.int(),
  changed: z.int(),
  new: z.int(),
  removed: z.int(),
  error: z.int(),
})
export type Summary = z.output<typeof Summary>

export const MonitorAnswer = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(['active', 'paused']),
  schedule: z.object({ cron: z.string(), text: z.string().optional(), timezone: z.string() }),
  nextRunAt: z.string().nullable().describe('When the next check starts, shortly after the scheduled minute.'),
  lastRunAt: z.string().nullable(),
  currentCheckId: z.string().nullable().describe('The running check.'),
  targets: z.array(z.record(z.string(), z.unknown())),
  condition: Condition.nullable(),
  webhook: z.record(z.string(), z.unknown()).nullable(),
  notification: z.null(),
  retentionDays: z.int(),
  goal: z.string().nullable(),
  judgeEnabled: z.boolean(),
  lastCheckSummary: Summary.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type MonitorAnswer = z.output<typeof MonitorAnswer>

export const checkStatuses = ['queued', 'running', 'completed', 'partial', 'failed', 'skipped_no_credits'] as const
export const CheckAnswer = z.object({
  id: z.string(),
  monitorId: z.string(),
  status: z.enum(checkStatuses).describe('partial: some pages could not be read.'),
  trigger: z.enum(['scheduled', 'manual']),
  scheduledFor: z.string().nullable(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  actualCredits: z.number(),
  billingStatus: z.enum(['not_applicable', 'confirmed']),
  summary: Summary,
  error: z.string().nullable(),
  warning: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type CheckAnswer = z.output<typeof CheckAnswer>

export const CheckedPage = z.object({
  id: z.string(),
  targetId: z.string(),
  url: z.string(),
  status: z.enum(pageStatuses),
  previousScrapeId: z.string().nullable(),
  currentScrapeId: z.string().nullable(),
  statusCode: z.int().nullable(),
  error: z.string().nullable(),
  diff: z
    .object({ text: z.string().optional(), json: z.record(z.string(), z.unknown()).optional() })
    .nullable()
    .describe('What changed: text as a unified diff, json by field, or the structure of the text diff.'),
  snapshot: z
    .object({ json: z.record(z.string(), z.unknown()) })
    .nullable()
    .describe('The JSON of the page.'),
  isReported: z.boolean().describe('True if the page met the condition and is reported.'),
  createdAt: z.string(),
})
export type CheckedPage = z.output<typeof CheckedPage>

export const CheckDetail = CheckAnswer.extend({
  targetResults: z.array(z.record(z.string(), z.unknown())),
  pages: z.array(CheckedPage),
  next: z.string().nullable().describe('URL of the next pages.'),
})
export type CheckDetail = z.output<typeof CheckDetail>
