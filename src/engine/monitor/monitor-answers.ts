import type { ListedCheck, Monitor, ClaimedWorkflow, WorkflowEnd } from '../../contracts/workflow.ts'
import type { CheckAnswer, MonitorAnswer, Summary, Target } from '../../schema/monitor-schema.ts'
import { PageOptions } from '../../schema/scrape/scrape-options.ts'
import { withoutSecrets } from '../net/http/request-headers.ts'
import { type CheckRequest, type CheckResult, settingsOf } from './monitor-settings.ts'
import type { Delivery } from '../../contracts/job-ports.ts'
import { deliveryTo } from '../webhook/event.ts'

const nothing: Summary = { totalPages: 0, same: 0, changed: 0, new: 0, removed: 0, error: 0 }
/** What a check tells while it runs, and afterwards. */
export type CheckProgress = { completed: number; total: number; summary?: Summary; crawlCredits?: number }

/** A monitor as callers see it, with its newest checks. Cookies and keys are not shown again. */
export function monitorAnswer(monitor: Monitor, checks: readonly ListedCheck[]): MonitorAnswer {
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

/** A target without the options that have their usual values. */
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

/** A check as callers see it, without its pages. */
export function checkAnswer(check: ListedCheck): CheckAnswer {
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
  const { summary = nothing, crawlCredits = 0 } = (progress ?? {}) as Partial<CheckProgress>
  return { summary, crawlCredits }
}

export const summaryOf = (pages: readonly { status: Exclude<keyof Summary, 'totalPages'> }[]): Summary =>
  pages.reduce<Summary>((sum, { status }) => ({ ...sum, [status]: sum[status] + 1 }), {
    ...nothing,
    totalPages: pages.length,
  })

const iso = (ms: number) => new Date(ms).toISOString()
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms))

type Check = Pick<ClaimedWorkflow, 'id' | 'request'>

/** What the receiver of a monitor is told when a check has ended. With a condition it hears only of checks in which a page met it. */
export function checkEvents({ id, request }: Check, { status, result, error }: WorkflowEnd, now: number): Delivery[] {
  const { monitorId, webhook, condition } = request as CheckRequest
  if (!webhook) return []
  const pages = (result as CheckResult | null)?.pages ?? []
  const told = pages.filter(({ isTold }) => isTold)
  const summary = summaryOf(pages)
  const progress: CheckProgress = { completed: pages.length, total: pages.length, summary }
  const ids = { monitorId, checkId: id }
  const happened = { crawlId: id, now }
  const events = [
    ...told.map((page) => ({ ...happened, type: 'monitor.page' as const, data: [{ ...ids, ...page }] as const })),
    ...(error || !condition || told.length > 0
      ? [
          {
            ...happened,
            type: 'monitor.check.completed' as const,
            data: [{ ...ids, status: statusOf({ status, error, progress }), summary }] as const,
            ...(error && { error: `${error.code}: ${error.message}` }),
          },
        ]
      : []),
  ]
  return events.filter(({ type }) => webhook.events.includes(type)).map((event) => deliveryTo(webhook, event))
}
