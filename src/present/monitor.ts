import type { Part, Presentation } from '../kernel/operation.ts'
import type { CheckAnswer, CheckDetail, MonitorAnswer } from '../schema/monitor/monitor.ts'
import type { MonitorOutcome } from '../schema/monitor/arguments.ts'

/** What became of a call about monitors. What changed is in the words of the pages. */
export function presentMonitor(outcome: MonitorOutcome): Presentation {
  const { monitor, monitors, check, checks = [], deleted, warning } = outcome
  const lines = [
    ...(warning ? [`Warning: ${warning}`] : []),
    ...(deleted === undefined ? [] : [`The monitor ${deleted} is deleted.`]),
    ...(monitor ? [lineOf(monitor)] : []),
    ...(monitors ? [monitors.length === 0 ? 'There are no monitors.' : monitors.map(lineOf).join('\n')] : []),
    ...(monitor?.webhook ? [`Webhook: ${String(monitor.webhook['url'])}`] : []),
    ...checks.map(checkLine),
    ...(check ? [checkLine(check), ...nextStep(check)] : []),
  ]
  return { parts: [{ kind: 'text', text: lines.join('\n') }, ...(check && 'pages' in check ? pagesOf(check) : [])] }
}

function lineOf({ id, name, status, schedule, nextRunAt, lastCheckSummary }: MonitorAnswer): string {
  const next = nextRunAt === null ? 'not scheduled' : `next check ${nextRunAt}`
  const last = lastCheckSummary ? ` · last check: ${countsOf(lastCheckSummary)}` : ''
  return `Monitor ${id} "${name}": ${status} · ${schedule.cron} (${schedule.timezone}) · ${next}${last}`
}

const countsOf = ({ totalPages, ...counts }: CheckAnswer['summary']) =>
  [
    `${totalPages} pages`,
    ...Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : [])),
  ].join(', ')

const checkLine = ({ id, status, createdAt, summary, actualCredits, error }: CheckAnswer) =>
  `Check ${id} of ${createdAt}: ${status} · ${countsOf(summary)} · ${actualCredits} credits${error === null ? '' : ` · ${error}`}`

const nextStep = ({ id, monitorId, status }: CheckAnswer) =>
  status === 'queued' || status === 'running'
    ? [`Call monitor with {"action":"get","id":"${monitorId}","checkId":"${id}"} to see what it finds.`]
    : []

/** Pages that are the same say nothing. */
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
