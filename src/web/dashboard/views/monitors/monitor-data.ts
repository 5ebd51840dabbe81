import { plural } from '../../parts.ts'
import { call } from '../../server-calls.ts'

type PageStatus = 'changed' | 'new' | 'removed' | 'error' | 'same'
type Summary = Readonly<Record<PageStatus | 'totalPages', number>>
export type MonitorAnswer = {
  id: string
  name: string
  status: string
  schedule: { cron: string; text?: string; timezone: string }
  nextRunAt: string | null
  /** Id of the running check. */
  currentCheckId: string | null
  targets: readonly Readonly<Record<string, unknown>>[]
  lastCheckSummary: Summary | null
}
export type CheckAnswer = {
  id: string
  monitorId: string
  status: string
  trigger: string
  actualCredits: number
  summary: Summary
  error: string | null
  warning?: string
  createdAt: string
}
type CheckedPage = {
  id: string
  url: string
  status: PageStatus
  currentScrapeId: string | null
  error: string | null
  diff: { text?: string; json?: Readonly<Record<string, unknown>> } | null
  snapshot: { json: unknown } | null
}
export type CheckDetail = CheckAnswer & { pages: readonly CheckedPage[] }
export type Window<T> = { data: readonly T[]; pagination: { total: number } }

const listed = (path: string, offset: number, limit: number) => `${path}?limit=${limit}&offset=${offset}`

export const monitorsAt = (offset: number, limit: number, signal: AbortSignal) =>
  call<Window<MonitorAnswer>>('GET', listed('/v2/monitor', offset, limit), { signal })

export const checksAt = (id: string, offset: number, limit: number, signal: AbortSignal) =>
  call<Window<CheckAnswer>>('GET', listed(`/v2/monitor/${id}/checks`, offset, limit), { signal })

export const monitorOf = async (id: string, signal: AbortSignal) =>
  (await call<{ data: MonitorAnswer }>('GET', `/v2/monitor/${id}`, { signal })).data

type CheckQuery = { status: string; skip: number; limit: number }

export async function checkOf(id: string, check: string, { status, skip, limit }: CheckQuery, signal: AbortSignal) {
  const query = new URLSearchParams({ skip: String(skip), limit: String(limit), ...(status !== '' && { status }) })
  return (await call<{ data: CheckDetail }>('GET', `/v2/monitor/${id}/checks/${check}?${query}`, { signal })).data
}

/** URLs that a monitor checks. */
export const addressesOf = ({ targets }: Pick<MonitorAnswer, 'targets'>): string[] =>
  targets.flatMap(({ urls, url }) => [urls, url].flat()).filter((each) => typeof each === 'string')

/** Schedule of a monitor as its owner wrote it. */
export const scheduleOf = ({ schedule: { text, cron, timezone } }: Pick<MonitorAnswer, 'schedule'>) =>
  `${text ?? cron}${timezone === 'UTC' ? '' : ` (${timezone})`}`

/** Result of a check, most important counts first. */
export function summaryText(summary: Summary): string {
  const { changed, new: fresh, removed, error, totalPages } = summary
  const parts = [
    [changed, 'changed'],
    [fresh, 'new'],
    [removed, 'removed'],
    [error, 'in error'],
  ] as const
  const said = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`)
  if (totalPages === 0) return 'no page'
  return said.length > 0
    ? `${said.join(', ')} of ${plural(totalPages, 'page')}`
    : `${plural(totalPages, 'page')} the same`
}

export const isUnderWay = ({ status }: Pick<CheckAnswer, 'status'>) => status === 'queued' || status === 'running'
