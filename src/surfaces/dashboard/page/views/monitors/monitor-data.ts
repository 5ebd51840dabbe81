import type { CheckAnswer, CheckDetail, MonitorAnswer, Summary } from '../../../../../schema/monitor/monitor.ts'
import { call } from '../../api.ts'
import { plural } from '../../parts/words.ts'

export type { CheckAnswer, CheckDetail, MonitorAnswer } from '../../../../../schema/monitor/monitor.ts'
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

/** Addresses that a monitor looks at. */
export const addressesOf = ({ targets }: Pick<MonitorAnswer, 'targets'>): string[] =>
  targets.flatMap(({ urls, url }) => [urls, url].flat()).filter((each) => typeof each === 'string')

/** When a monitor checks, as its owner wrote it. */
export const scheduleOf = ({ schedule: { text, cron, timezone } }: Pick<MonitorAnswer, 'schedule'>) =>
  `${text ?? cron}${timezone === 'UTC' ? '' : ` (${timezone})`}`

/** What a check found, with what matters first. */
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
