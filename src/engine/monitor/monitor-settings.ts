import type { Monitor, NewCheck } from '../../contracts/workflow.ts'
import type { OperationPermission } from '../../contracts/account-ports.ts'
import {
  type CheckedPage,
  type Condition,
  type MonitorWebhook,
  type Target,
  maxPages,
} from '../../schema/monitor-schema.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import type { KeptSchedule } from './monitor-schedule.ts'
import { fail } from '../../kernel/error.ts'
import { CrawlInput } from '../../schema/crawl-schema.ts'
import { readByRules } from '../crawl/prompt/by-rules.ts'
import { finish } from '../crawl/prompt/derive.ts'
import type { FormatOf } from '../scrape/formats/format-maker.ts'
import type { PageOptions } from '../../schema/scrape/scrape-options.ts'

/** What a monitor keeps of its input. */
export type MonitorSettings = {
  schedule: KeptSchedule
  targets: readonly KeptTarget[]
  condition: Condition | null
  webhook: MonitorWebhook | null
  retentionDays: number
  goal: string | null
}
export type KeptTarget = Target & { id: string }

/** What a check keeps: all that is needed to go on with it in another process, whatever becomes of the monitor. */
export type CheckRequest = Pick<MonitorSettings, 'condition' | 'webhook'> & {
  monitorId: string
  trigger: 'scheduled' | 'manual'
  scheduledFor: number | null
  targets: readonly CheckTarget[]
}
/** What a check leaves, beside what its progress says. */
export type CheckResult = { pages: CheckedPage[]; targetResults: object[] }
/** The crawl of a target has its id before it is started, so that it is started once. */
export type CheckTarget = KeptTarget & { crawlId: string }

export type CrawlTarget = Extract<Target, { type: 'crawl' }>

const dayMs = 86_400_000

export const settingsOf = ({ settings }: Pick<Monitor, 'settings'>) => settings as MonitorSettings

export function newCheck(monitor: Monitor, now: number, turn?: NewCheck['turn']): NewCheck {
  const { targets, condition, webhook, retentionDays } = settingsOf(monitor)
  const request: CheckRequest = {
    monitorId: monitor.id,
    trigger: turn ? 'scheduled' : 'manual',
    scheduledFor: turn?.dueAt ?? null,
    targets: targets.map((target) => ({ ...target, crawlId: crypto.randomUUID() })),
    condition,
    webhook,
  }
  const workflow = {
    id: crypto.randomUUID(),
    kind: 'monitor' as const,
    teamId: monitor.teamId,
    keyName: monitor.keyName,
    target: withoutCredentials(firstUrl(targets)),
    createdAt: now,
    expiresAt: now + retentionDays * dayMs,
    request,
  }
  return { monitorId: monitor.id, workflow, ...(turn && { turn }) }
}

export function firstUrl([first]: readonly Target[]): string {
  if (!first) return ''
  return first.type === 'crawl' ? first.url : (first.urls[0] ?? '')
}

/** What the operator must allow for such targets. */
export const permissionsOf = ({ targets = [] }: { targets?: readonly Target[] | undefined }): OperationPermission[] =>
  targets.flatMap((target) => (target.type === 'crawl' ? ofCrawl(target.crawlOptions) : []))

const ofCrawl = ({ ignoreRobotsTxt, robotsUserAgent }: CrawlTarget['crawlOptions']): OperationPermission[] => [
  ...(ignoreRobotsTxt ? (['ignoreRobotsTxt'] as const) : []),
  ...(robotsUserAgent === undefined ? [] : (['robotsUserAgent'] as const)),
]

type Tracking = FormatOf<'changeTracking'>

/** The options with which each page of a target is scraped: each target has a history of its own. */
export function watchedOptions({ scrapeOptions: page, id }: KeptTarget, monitorId: string): PageOptions {
  const others = page.formats.filter(({ type }) => type !== 'changeTracking')
  const hasMarkdown = others.some(({ type }) => type === 'markdown')
  const tracked: Tracking = { ...trackingOf(page), tag: tagOf(monitorId, id) }
  return { ...page, formats: [...(hasMarkdown ? [] : [{ type: 'markdown' } as const]), ...others, tracked] }
}

const usualLimit = 100

/**
 * What a check crawls: by the caller's options, then by the prompt. The prompt is read by rules alone: a model, or a site that
 * has grown, would have each check look at other pages.
 */
export async function crawlInputOf({ url, crawlOptions }: Pick<CrawlTarget, 'url' | 'crawlOptions'>) {
  const { prompt = '', ...given } = crawlOptions
  const { options = {}, warning } = prompt.trim() === '' ? {} : await finish(url, readByRules(url, prompt))
  const limit = Math.min(options.limit ?? usualLimit, maxPages)
  return { input: { ...CrawlInput.parse({ url }), ...options, limit, ...given }, warning }
}

export const tagOf = (monitorId: string, targetId: string) => `monitor ${monitorId} ${targetId}`

/** How the pages are compared: by their text, unless the caller says otherwise. */
function trackingOf({ formats }: PageOptions): Tracking {
  const given = formats.find((format): format is Tracking => format.type === 'changeTracking')
  return { type: 'changeTracking', ...given, modes: given?.modes?.length ? given.modes : ['git-diff'] }
}

/** Fails with BAD_REQUEST where a field is to be compared that is not read, or two targets would share a history. */
export function refuseUncomparable({ targets, condition }: Pick<MonitorSettings, 'targets' | 'condition'>): void {
  if (new Set(targets.map(({ id }) => id)).size < targets.length) fault(['targets'], 'Two targets have one id.')
  const unread = targets.findIndex(({ scrapeOptions }) => !trackingOf(scrapeOptions).modes?.includes('json'))
  if (condition?.field && unread >= 0)
    fault(
      ['targets', unread, 'scrapeOptions', 'formats'],
      'condition.field needs {"type": "changeTracking", "modes": ["json"], "schema": …} among the formats.',
    )
}

const fault = (path: (string | number)[], message: string) =>
  fail('BAD_REQUEST', { details: [{ path, message, code: 'custom' }] })
