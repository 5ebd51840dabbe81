import type { ClaimedWorkflow, ListedCheck, Monitor, WorkflowEnd } from '../../contracts/workflow.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import type {
  CheckAnswer,
  CheckDetail,
  CreateMonitor,
  MonitorAnswer,
  PageStatus,
  Summary,
  Target,
  UpdateMonitor,
} from '../../schema/monitor-schema.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { refuseZeroRetention } from '../workflow/workflow-job.ts'
import {
  type CheckRequest,
  type CheckResult,
  firstUrl,
  readSchedule,
  type StoredTarget,
  type MonitorSettings,
  newCheck,
  nextTurn,
  refuseUncomparable,
  settingsOf,
} from './monitor-settings.ts'
import { PageOptions } from '../../schema/scrape/scrape-options.ts'
import { withoutSecrets } from '../net/http/request-headers.ts'
import type { Delivery } from '../../contracts/job-ports.ts'
import { deliveryTo } from '../webhook/event.ts'

const maxMonitors = 1000
const defaultRetentionDays = 30
const goalText = 'goal is stored as a note and does not filter changes. A condition limits the notifications.'

/** Stores a monitor; its schedule starts the first check. Fails with BAD_REQUEST if its settings are invalid. */
export async function createMonitor(input: CreateMonitor, ctx: Ctx): Promise<{ data: MonitorAnswer }> {
  const { ports, team, jobId: id } = ctx
  refuseUnsupported(input)
  const now = ports.clock.now()
  const { condition = null, webhook = null, goal = null, retentionDays = defaultRetentionDays } = input
  const schedule = await readSchedule(input.schedule, now)
  const settings: MonitorSettings = {
    schedule,
    targets: identified(input.targets),
    condition,
    webhook,
    goal,
    retentionDays,
  }
  refuseUncomparable(settings)
  const { total } = await ports.monitors.list(team.id, { offset: 0, limit: 1 })
  if (total >= maxMonitors)
    fail('BAD_REQUEST', { message: `A team can have ${maxMonitors} monitors; delete one first.` })
  const monitor: Monitor = {
    id,
    teamId: team.id,
    keyName: team.key,
    name: input.name ?? withoutCredentials(firstUrl(input.targets)).slice(0, 200),
    status: 'active',
    settings,
    nextAt: await nextTurn(schedule, id, now),
    createdAt: now,
    updatedAt: now,
  }
  await ports.monitors.add(monitor)
  if (goal !== null) ctx.warn(goalText)
  ports.monitorSchedule.wake()
  return { data: monitorAnswer(monitor, []) }
}

/** Changes the given fields. The next check is rescheduled only if a schedule is given or the status changes. */
export async function updateMonitor(input: UpdateMonitor, ctx: Ctx): Promise<{ data: MonitorAnswer }> {
  const { ports } = ctx
  refuseUnsupported(input)
  const old = await authorizeMonitor(input.id, ctx)
  const now = ports.clock.now()
  const settings = await changedSettings(settingsOf(old), input, now)
  const { name = old.name, status = old.status } = input
  const isOnSchedule = status === old.status && !input.schedule
  const nextAt = status === 'paused' ? null : isOnSchedule ? old.nextAt : await nextTurn(settings.schedule, old.id, now)
  const monitor: Monitor = { ...old, name, status, settings, nextAt, updatedAt: now }
  if (!(await ports.monitors.update(monitor))) notFound(old.id)
  if (typeof input.goal === 'string') ctx.warn(goalText)
  ports.monitorSchedule.wake()
  return { data: monitorAnswer(monitor, await ports.monitors.checks(old.id, 2)) }
}

async function changedSettings(old: MonitorSettings, input: UpdateMonitor, now: number): Promise<MonitorSettings> {
  const { condition = old.condition, webhook = old.webhook, goal = old.goal, retentionDays = old.retentionDays } = input
  const schedule = input.schedule ? await readSchedule(input.schedule, now) : old.schedule
  const targets = input.targets ? identified(input.targets) : old.targets
  const settings = { schedule, targets, condition, webhook, goal, retentionDays }
  refuseUncomparable(settings)
  return settings
}

export async function getMonitor({ id }: { id: string }, ctx: Ctx): Promise<{ data: MonitorAnswer }> {
  const monitor = await authorizeMonitor(id, ctx)
  ctx.ports.monitorSchedule.wake()
  return { data: monitorAnswer(monitor, await ctx.ports.monitors.checks(id, 2)) }
}

export async function listMonitors(window: { limit: number; offset: number }, { ports, team }: Ctx) {
  const { monitors, total } = await ports.monitors.list(team.id, window)
  ports.monitorSchedule.wake()
  const data = monitors.map(async (each) => monitorAnswer(each, await ports.monitors.checks(each.id, 2)))
  return { data: await Promise.all(data), pagination: { ...window, total } }
}

/** Deletes the monitor with its checks, and cancels the crawls of a running check. */
export async function deleteMonitor({ id }: { id: string }, ctx: Ctx): Promise<{ id: string }> {
  const { ports } = ctx
  await authorizeMonitor(id, ctx)
  const [current] = await ports.monitors.checks(id, 1)
  await ports.monitors.remove(id)
  const { targets } = (current?.request ?? { targets: [] }) as { targets: readonly { crawlId: string }[] }
  if (current?.status === 'processing') for (const { crawlId } of targets) await ports.crawls.cancel(crawlId)
  ports.crawler.wake()
  return { id }
}

/** Starts a check now, outside the schedule. Returns the running check if there is one. */
export async function runMonitor({ id }: { id: string }, ctx: Ctx): Promise<{ data: CheckAnswer }> {
  const { ports } = ctx
  const monitor = await authorizeMonitor(id, ctx)
  const check = newCheck(monitor, ports.clock.now())
  if (!(await ports.monitors.begin(check))) ctx.warn('A check was already running; it is returned.')
  ports.workflowRunner.wake()
  const [newest] = await ports.monitors.checks(id, 1)
  return newest ? { data: checkAnswer(newest) } : notFound(id)
}

/** Returns the monitor if it belongs to the caller's team. Fails with MONITOR_NOT_FOUND or JOB_OF_OTHER_TEAM. */
async function authorizeMonitor(id: string, { ports, team }: Pick<Ctx, 'ports' | 'team'>): Promise<Monitor> {
  const monitor = (await ports.monitors.find(id)) ?? notFound(id)
  if (monitor.teamId !== team.id) fail('JOB_OF_OTHER_TEAM', { details: { id } })
  return monitor
}

const notFound = (id: string): never => fail('MONITOR_NOT_FOUND', { details: { id } })

const identified = (targets: readonly Target[]): StoredTarget[] =>
  targets.map((target) => ({ ...target, id: target.id ?? crypto.randomUUID() }))

/** Fails with SCRAPE_ZDR_VIOLATION_ERROR or FEATURE_UNAVAILABLE. */
function refuseUnsupported(input: Pick<CreateMonitor, 'zeroDataRetention' | 'notification'>): void {
  refuseZeroRetention(input)
  const { email } = input.notification ?? {}
  if (email && email.enabled !== false)
    fail('FEATURE_UNAVAILABLE', {
      message: 'Monitors notify by webhook only; e-mail is not supported.',
      hint: 'Leave notification out and set webhook.',
      details: { options: ['notification.email'] },
    })
}

type ChecksQuery = { id: string; limit: number; offset: number; status?: CheckAnswer['status'] | undefined }

/** Lists the checks of a monitor, newest first. */
export async function listChecks({ id, limit, offset, status }: ChecksQuery, ctx: Ctx) {
  await authorizeMonitor(id, ctx)
  const all = (await ctx.ports.monitors.checks(id)).map(checkAnswer)
  const wanted = all.filter((check) => status === undefined || check.status === status)
  return { data: wanted.slice(offset, offset + limit), pagination: { limit, offset, total: wanted.length } }
}

type CheckQuery = { id: string; checkId: string; skip: number; limit: number; status?: PageStatus | undefined }

/** Returns one check with a part of its pages, and resumes it if no worker holds it. Fails with JOB_NOT_FOUND. */
export async function getCheck(query: CheckQuery, ctx: Ctx): Promise<{ data: CheckDetail; next: string | null }> {
  const { id, checkId, skip, limit, status } = query
  await authorizeMonitor(id, ctx)
  const found = await ctx.ports.workflows.find(checkId)
  if (found?.kind !== 'monitor' || (found.request as CheckRequest).monitorId !== id)
    return fail('JOB_NOT_FOUND', { details: { id: checkId } })
  if (found.status === 'processing') ctx.ports.workflowRunner.wake()
  const { pages = [], targetResults = [] } = (found.result ?? {}) as Partial<CheckResult>
  const wanted = pages.filter((page) => status === undefined || page.status === status)
  const end = skip + limit
  const only = status === undefined ? '' : `&status=${status}`
  const path = `/v2/monitor/${id}/checks/${checkId}?skip=${end}&limit=${limit}${only}`
  const next = end < wanted.length ? `${ctx.baseUrl}${path}` : null
  const shown = wanted.slice(skip, end)
  return {
    data: { ...checkAnswer(found), targetResults: targetResults.map((each) => ({ ...each })), pages: shown, next },
    next,
  }
}

const emptySummary: Summary = { totalPages: 0, same: 0, changed: 0, new: 0, removed: 0, error: 0 }
/** Progress of a check, stored while it runs and at its end. */
export type CheckProgress = { completed: number; total: number; summary?: Summary; crawlCredits?: number }

/** Returns a monitor for callers: with the state of its newest checks, but without cookies and keys. */
function monitorAnswer(monitor: Monitor, checks: readonly ListedCheck[]): MonitorAnswer {
  const { id, name, status, nextAt, createdAt, updatedAt } = monitor
  const { schedule, targets, condition, webhook, retentionDays, goal } = settingsOf(monitor)
  const ended = checks.find((check) => check.status === 'completed')
  return {
    id,
    name,
    status,
    schedule,
    nextRunAt: isoOrNull(nextAt),
    lastRunAt: isoOrNull(checks[0]?.createdAt ?? null),
    currentCheckId: checks.find((check) => check.status === 'processing')?.id ?? null,
    targets: targets.map(targetAnswer),
    condition,
    webhook: webhook && { ...webhook, headers: withoutSecrets(webhook.headers) },
    notification: null,
    retentionDays,
    goal,
    judgeEnabled: false,
    lastCheckSummary: ended ? progressOf(ended).summary : null,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

/** Returns a target for callers: without options that have their default values, and without secrets. */
function targetAnswer({ scrapeOptions, ...target }: Target): Record<string, unknown> {
  const usual: Record<string, unknown> = PageOptions.parse({})
  const { headers, ...options } = scrapeOptions
  const chosen = Object.entries(options).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]),
  )
  return {
    ...target,
    scrapeOptions: { ...Object.fromEntries(chosen), ...(headers && { headers: withoutSecrets(headers) }) },
  }
}

/** Returns a check for callers, without its pages. */
function checkAnswer(check: ListedCheck): CheckAnswer {
  const { id, createdAt, completedAt, error, warnings, credits, progress } = check
  const { monitorId, trigger, scheduledFor } = check.request as CheckRequest
  const { summary, crawlCredits } = progressOf(check)
  const actualCredits = credits + crawlCredits
  return {
    id,
    monitorId,
    status: statusOf(check),
    trigger,
    scheduledFor: isoOrNull(scheduledFor),
    startedAt: progress ? iso(createdAt) : null,
    finishedAt: isoOrNull(completedAt),
    actualCredits,
    billingStatus: actualCredits > 0 ? 'confirmed' : 'not_applicable',
    summary,
    error: error && `${error.code}: ${error.message}`,
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    createdAt: iso(createdAt),
    updatedAt: iso(completedAt ?? createdAt),
  }
}

function statusOf(check: Pick<ListedCheck, 'status' | 'progress' | 'error'>): CheckAnswer['status'] {
  if (check.status === 'processing') return check.progress ? 'running' : 'queued'
  if (check.status !== 'completed')
    return check.error?.code === 'INSUFFICIENT_CREDITS' ? 'skipped_no_credits' : 'failed'
  const { error, totalPages } = progressOf(check).summary
  return error === 0 ? 'completed' : error < totalPages ? 'partial' : 'failed'
}

const progressOf = ({ progress }: Pick<ListedCheck, 'progress'>) => {
  const { summary = emptySummary, crawlCredits = 0 } = (progress ?? {}) as Partial<CheckProgress>
  return { summary, crawlCredits }
}

export const summaryOf = (pages: readonly { status: Exclude<keyof Summary, 'totalPages'> }[]): Summary =>
  pages.reduce<Summary>((sum, { status }) => ({ ...sum, [status]: sum[status] + 1 }), {
    ...emptySummary,
    totalPages: pages.length,
  })

const iso = (ms: number) => new Date(ms).toISOString()
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms))

type Check = Pick<ClaimedWorkflow, 'id' | 'request'>

/**
 * Returns the webhook events of an ended check. With a condition, checks without a matching page send none, unless they
 * failed.
 */
export function checkEvents({ id, request }: Check, { status, result, error }: WorkflowEnd, now: number): Delivery[] {
  const { monitorId, webhook, condition } = request as CheckRequest
  if (!webhook) return []
  const pages = (result as CheckResult | null)?.pages ?? []
  const reported = pages.filter(({ isReported }) => isReported)
  const summary = summaryOf(pages)
  const progress: CheckProgress = { completed: pages.length, total: pages.length, summary }
  const ids = { monitorId, checkId: id }
  const common = { crawlId: id, now }
  const events = [
    ...reported.map((page) => ({ ...common, type: 'monitor.page' as const, data: [{ ...ids, ...page }] as const })),
    ...(error || !condition || reported.length > 0
      ? [
          {
            ...common,
            type: 'monitor.check.completed' as const,
            data: [{ ...ids, status: statusOf({ status, error, progress }), summary }] as const,
            ...(error && { error: `${error.code}: ${error.message}` }),
          },
        ]
      : []),
  ]
  return events.filter(({ type }) => webhook.events.includes(type)).map((event) => deliveryTo(webhook, event))
}
