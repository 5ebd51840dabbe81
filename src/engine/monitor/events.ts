import type { Delivery } from '../../contracts/job-ports.ts'
import type { ClaimedWorkflow, WorkflowEnd } from '../../contracts/workflow.ts'
import { deliveryTo } from '../webhook/event.ts'
import { type CheckProgress, statusOf, summaryOf } from './answers.ts'
import type { CheckRequest, CheckResult } from './settings.ts'

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
