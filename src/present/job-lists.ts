import type { z } from 'zod'
import type { Offered } from '../kernel/offer/offered.ts'
import type { Part, Presentation } from '../kernel/operation.ts'
import type { JobErrors } from '../schema/crawl.ts'
import type { ActivityEntry } from '../schema/usage.ts'
import { shortened, splitUrls, tableOf } from './url-table.ts'

type Activity = { data: readonly z.output<typeof ActivityEntry>[]; cursor: string | null }
type Running = { crawls: readonly { id: string; url: string; created_at: string }[] }

const own = (...lines: readonly string[]): Part => ({ kind: 'text', text: lines.join('\n') })
const minute = (iso: string) => iso.slice(0, 16).replace('T', ' ')

/** Recent jobs, a line each. Names of files and addresses are what others chose. */
export function presentActivity({ data, cursor }: Activity): Presentation {
  if (data.length === 0) return { parts: [own('No jobs.')] }
  const hasFaults = data.some(({ status }) => status === 'failed')
  const columns = ['id', 'kind', 'began (UTC)', 'about', ...(hasFaults ? ['failed with'] : [])]
  const rows = data.map(({ id, endpoint, created_at: at, target, code, error }) => [
    id,
    endpoint,
    minute(at),
    shortened(target ?? ''),
    ...(hasFaults ? [shortened([code, error].filter(Boolean).join(': '))] : []),
  ])
  const next = cursor === null ? [] : [`More: call again with ${JSON.stringify({ cursor })}.`]
  return {
    parts: [
      own(`${data.length} ${data.length === 1 ? 'job' : 'jobs'}, newest first.`, ...next),
      page('jobs', tableOf(columns, rows)),
    ],
  }
}

export function presentRunning({ crawls }: Running, _input: object, offered: Offered): Presentation {
  if (crawls.length === 0) return { parts: [own('No crawl is running.')] }
  const rows = crawls.map(({ id, url, created_at: at }) => [id, minute(at), shortened(url)])
  const next = offered.has('crawl_status') ? ['Show one with crawl_status.'] : []
  return {
    parts: [own(`${crawls.length} running.`, ...next), page('crawls', tableOf(['id', 'began (UTC)', 'URL'], rows))],
  }
}

/** Why pages failed, and which were left out. */
export function presentErrors({ errors, robotsBlocked, skipped, warning }: JobErrors): Presentation {
  const reasons = Object.entries(skipped).map(([reason, count]) => `${reason} ${count}`)
  const head = [
    errors.length === 0 ? 'No page failed.' : `${errors.length} failed.`,
    ...(reasons.length > 0 ? [`URLs skipped: ${reasons.join(', ')}.`] : []),
    ...(warning ? [`Warning: ${warning}`] : []),
  ]
  const failed = splitUrls(errors.map(({ url }) => url))
  const blocked = splitUrls(robotsBlocked)
  const rows = errors.map(({ code, error }, index) => [failed.rests[index] ?? '', code, shortened(error)])
  return {
    parts: [
      own(...head),
      ...(rows.length > 0 ? [page('failed', tableOf([urlColumn(failed.base), 'code', 'reason'], rows))] : []),
      ...(robotsBlocked.length > 0
        ? [page('forbidden by robots.txt', [urlColumn(blocked.base), ...blocked.rests].join('\n'))]
        : []),
    ],
  }
}

const urlColumn = (base: string) => (base === '' ? 'URL' : `path below ${base}`)

const page = (label: string, text: string): Part => ({ kind: 'page', label, origin: 'jobs of the team', text })
