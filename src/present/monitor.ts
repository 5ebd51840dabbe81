import type { Part, Presentation } from '../kernel/operation.ts'
import type { CheckAnswer, CheckDetail, MonitorAnswer } from '../schema/monitor/monitor.ts'

type One = { data: MonitorAnswer; checks?: readonly CheckAnswer[] | undefined; warning?: string | undefined }
type Check = { data: CheckAnswer | CheckDetail; warning?: string | undefined }

/** What is told of monitors and their checks; what changed is in the words of the pages. */
export const presentMonitor = ({ data, checks = [], warning }: One): Presentation =>
  own([
    ...(warning ? [`Warning: ${warning}`] : []),
    lineOf(data),
    ...(data.webhook ? [`Webhook: ${String(data.webhook['url'])}`] : []),
    ...checks.map(checkLine),
  ])

export const presentMonitors = ({ data }: { data: readonly MonitorAnswer[] }): Presentation =>
  own(data.length === 0 ? ['There are no monitors.'] : data.map(lineOf))

export const presentDeleted = ({ id }: { id: string }): Presentation => own([`The monitor ${id} is deleted.`])

export const presentCheck = ({ data, warning }: Check): Presentation => ({
  parts: [
    ...own([...(warning ? [`Warning: ${warning}`] : []), checkLine(data), ...nextStep(data)]).parts,
    ...('pages' in data ? pagesOf(data) : []),
  ],
})

const own = (lines: readonly string[]): Presentation => ({ parts: [{ kind: 'text', text: lines.join('\n') }] })

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
