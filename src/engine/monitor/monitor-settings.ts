import type { Monitor, NewCheck } from '../../contracts/workflow.ts'
import type { OperationPermission } from '../../contracts/account-ports.ts'
import {
  type CheckedPage,
  type Condition,
  maxPages,
  type MonitorWebhook,
  type Schedule,
  type Target,
} from '../../schema/monitor-schema.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { fail } from '../../kernel/error.ts'
import { CrawlInput } from '../../schema/crawl-schema.ts'
import { readByRules } from '../crawl/prompt/by-rules.ts'
import { finish } from '../crawl/prompt/derive.ts'
import type { FormatOf } from '../scrape/formats/format-maker.ts'
import type { PageOptions } from '../../schema/scrape/scrape-options.ts'

/** Stored settings of a monitor. */
export type MonitorSettings = {
  schedule: StoredSchedule
  targets: readonly StoredTarget[]
  condition: Condition | null
  webhook: MonitorWebhook | null
  retentionDays: number
  goal: string | null
}
export type StoredTarget = Target & { id: string }

/** Stored request of a check, with which another process can resume it even if the monitor has changed. */
export type CheckRequest = Pick<MonitorSettings, 'condition' | 'webhook'> & {
  monitorId: string
  trigger: 'scheduled' | 'manual'
  scheduledFor: number | null
  targets: readonly CheckTarget[]
}
/** Result of a check, in addition to its progress. */
export type CheckResult = { pages: CheckedPage[]; targetResults: object[] }
/** Target of a check. Its crawl gets an id before it is started, so that it is started only once. */
export type CheckTarget = StoredTarget & { crawlId: string }

type CrawlTarget = Extract<Target, { type: 'crawl' }>

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

/** Returns the first URL or query of the targets: the default name of the monitor. */
export function firstUrl([first]: readonly Target[]): string {
  if (!first) return ''
  if (first.type === 'crawl') return first.url
  return (first.type === 'search' ? first.queries : first.urls)[0] ?? ''
}

/** Returns the permissions that the targets require. */
export const permissionsOf = ({ targets = [] }: { targets?: readonly Target[] | undefined }): OperationPermission[] =>
  targets.flatMap((target) => (target.type === 'crawl' ? ofCrawl(target.crawlOptions) : []))

const ofCrawl = ({ ignoreRobotsTxt, robotsUserAgent }: CrawlTarget['crawlOptions']): OperationPermission[] => [
  ...(ignoreRobotsTxt ? (['ignoreRobotsTxt'] as const) : []),
  ...(robotsUserAgent === undefined ? [] : (['robotsUserAgent'] as const)),
]

type Tracking = FormatOf<'changeTracking'>

/** Returns the options for scraping each page of a target. The tag gives each target its own history. */
export function watchedOptions({ scrapeOptions: page, id }: StoredTarget, monitorId: string): PageOptions {
  const others = page.formats.filter(({ type }) => type !== 'changeTracking')
  const hasMarkdown = others.some(({ type }) => type === 'markdown')
  const tracked: Tracking = { ...trackingOf(page), tag: tagOf(monitorId, id) }
  return { ...page, formats: [...(hasMarkdown ? [] : [{ type: 'markdown' } as const]), ...others, tracked] }
}

const defaultLimit = 100

/**
 * Returns the crawl input of a check: the caller's options, then those of the prompt. The prompt is interpreted by
 * rules only: a model could choose other pages in each check.
 */
export async function crawlInputOf({ url, crawlOptions }: Pick<CrawlTarget, 'url' | 'crawlOptions'>) {
  const { prompt = '', ...ownOptions } = crawlOptions
  const { options = {}, warning } = prompt.trim() === '' ? {} : await finish(url, readByRules(url, prompt))
  const limit = Math.min(options.limit ?? defaultLimit, maxPages)
  return { input: { ...CrawlInput.parse({ url }), ...options, limit, ...ownOptions }, warning }
}

export const tagOf = (monitorId: string, targetId: string) => `monitor ${monitorId} ${targetId}`

/** Returns the change tracking of a target: the caller's, otherwise by the text of pages. */
function trackingOf({ formats }: PageOptions): Tracking {
  const given = formats.find((format): format is Tracking => format.type === 'changeTracking')
  return { type: 'changeTracking', ...given, modes: given?.modes?.length ? given.modes : ['git-diff'] }
}

/** Fails with BAD_REQUEST if a field to compare is not extracted, or two targets would share a history. */
export function refuseUncomparable({ targets, condition }: Pick<MonitorSettings, 'targets' | 'condition'>): void {
  if (new Set(targets.map(({ id }) => id)).size < targets.length) fault(['targets'], 'Two targets have the same id.')
  const unread = targets.findIndex(({ scrapeOptions }) => !trackingOf(scrapeOptions).modes?.includes('json'))
  if (condition?.field && unread >= 0)
    fault(
      ['targets', unread, 'scrapeOptions', 'formats'],
      'condition.field needs {"type": "changeTracking", "modes": ["json"], "schema": …} among the formats.',
    )
}

const fault = (path: (string | number)[], message: string) =>
  fail('BAD_REQUEST', { details: [{ path, message, code: 'custom' }] })

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const amount = /^every (?:(\d+|other) )?(minute|min|hour|day|week|month)s?$/
const daily = /^(?:daily|nightly|(?:on |every )?(weekday|weekend|day)s?)$/
const times: Record<string, string> = { noon: '0 12', midnight: '0 0' }

/** Converts a schedule in words to cron; undefined if it is not understood or cron cannot express it. */
export function cronOfText(words: string): string | undefined {
  const text = words.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const [what = '', time] = text.split(/ at /, 2)
  const at = time === undefined ? '0 0' : minuteAndHour(time)
  if (at === undefined) return undefined
  const [, count, unit] = amount.exec(regular(what)) ?? []
  if (unit !== undefined)
    return cronEvery(count === 'other' ? 2 : Number(count ?? 1), unit, { at, isTimed: time !== undefined })
  const [named, kind] = daily.exec(what) ?? []
  if (named !== undefined) return `${at} * * ${{ weekday: '1-5', weekend: '0,6' }[kind ?? ''] ?? '*'}`
  const listed = dayNumbers(what)
  return listed && `${at} * * ${listed}`
}

const regular = (what: string) => ({ hourly: 'every hour', weekly: 'every week', monthly: 'every month' })[what] ?? what

function cronEvery(count: number, unit: string, { at, isTimed }: { at: string; isTimed: boolean }): string | undefined {
  const date = { day: '* * *', week: '* * 1', month: '1 * *' }[unit]
  if (date !== undefined) return count === 1 ? `${at} ${date}` : undefined
  return isTimed ? undefined : everyMinutes(unit === 'hour' ? count * 60 : count)
}

const step = (every: number) => (every === 1 ? '*' : `*/${every}`)

/** Returns cron for intervals that divide an hour or a day evenly; undefined for others, which cron cannot express. */
function everyMinutes(count: number): string | undefined {
  if (count < 60) return count > 0 && 60 % count === 0 ? `${step(count)} * * * *` : undefined
  const hours = count / 60
  if (hours === 24) return '0 0 * * *'
  return Number.isInteger(hours) && 24 % hours === 0 ? `0 ${step(hours)} * * *` : undefined
}

function minuteAndHour(time: string): string | undefined {
  const named = times[time]
  if (named !== undefined) return named
  const [, hours, minutes = '0', half] = /^(\d{1,2})(?::(\d{2}))? ?(am|pm)?$/.exec(time) ?? []
  if (hours === undefined || Number(minutes) > 59) return undefined
  const hour = Number(hours)
  if (half === undefined) return hour < 24 ? `${Number(minutes)} ${hour}` : undefined
  if (hour < 1 || hour > 12) return undefined
  return `${Number(minutes)} ${(hour % 12) + (half === 'pm' ? 12 : 0)}`
}

/** Parses days such as `every monday and thursday`. */
function dayNumbers(what: string): string | undefined {
  const names = what.replace(/^(?:weekly )?(?:on |every )/, '').split(/, and |, | and /)
  const numbers = names.map((name) => days.indexOf(name.replace(/s$/, '')))
  return numbers.includes(-1) ? undefined : [...new Set(numbers)].toSorted().join(',')
}

/** Stored schedule. `text`: the words of the caller, if cron was derived from words. */
type StoredSchedule = { cron: string; timezone: string; text?: string }

/** Checks are spread over a tenth of their interval, at most a minute, so that not all start at the full minute. */
const spreadShare = 0.1
const longestSpreadMs = 60_000
const examples = '"every 30 minutes", "every 2 hours", "daily at 9:00", "weekdays at 17:30" or "every monday at 8am"'

/** Converts a schedule to its stored form. Fails with BAD_REQUEST if it is not understood or never occurs. */
export async function readSchedule({ cron, text, timezone }: Schedule, now: number): Promise<StoredSchedule> {
  if (!isTimeZone(timezone)) refuse('timezone', 'Not a time zone. Send an IANA name, such as Europe/Berlin.')
  const field = text === undefined ? 'cron' : 'text'
  const expression = cron ?? cronOfText(text ?? '')
  if (expression === undefined)
    return refuse(field, `Not understood, or not evenly spaced. Write it like ${examples}, or send cron.`)
  const pattern = expression.trim().split(/\s+/).join(' ')
  if (pattern.split(' ').length !== 5)
    refuse(field, 'A cron expression has five fields: minute, hour, day of month, month, day of week.')
  const schedule = { cron: pattern, timezone, ...(text !== undefined && { text }) }
  const first = await following(schedule, now).catch((thrown: unknown) => refuse(field, faultOf(thrown)))
  if (first === null) refuse(field, 'There is no such date, so the check would never start.')
  return schedule
}

/**
 * Returns the time of the next check: the next time of the schedule plus a fixed delay per monitor, or null if there is
 * none. A local time that occurs twice counts the first time; one skipped by the clocks runs when they change.
 */
export async function nextTurn(schedule: StoredSchedule, monitorId: string, after: number): Promise<number | null> {
  const time = await following(schedule, after)
  const second = time === null ? null : await following(schedule, time)
  if (time === null || second === null) return time
  const part = Number.parseInt(monitorId.slice(0, 8), 16) / 2 ** 32
  return time + Math.floor(Math.min(longestSpreadMs, (second - time) * spreadShare) * part)
}

async function following({ cron, timezone }: StoredSchedule, after: number): Promise<number | null> {
  const { Cron } = await import('croner')
  return new Cron(cron, { timezone, mode: '5-part' }).nextRun(new Date(after))?.getTime() ?? null
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const faultOf = (thrown: unknown) =>
  `Not a cron expression: ${(thrown instanceof Error ? thrown.message : '').replace(/^Cron\w+: /, '')}`

const refuse = (field: string, message: string): never =>
  fail('BAD_REQUEST', { details: [{ path: ['schedule', field], message, code: 'custom' }] })
