import type { Monitor, NewCheck } from '../../contracts/workflow.ts'
import type { OperationPermission } from '../../contracts/account-ports.ts'
import type { CheckedPage, Condition, MonitorWebhook, Target } from '../../schema/monitor-schema.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import type { KeptSchedule } from './schedule.ts'

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
