import { table } from '../lib/table.ts'
import type { Target } from '../lib/targets.ts'
import type { Health } from './health.ts'
import type { Tally } from './load.ts'
import { type Figures, labels } from './samples.ts'

export type Measured = {
  /** Without load, after every task was done once. */
  restBefore: Figures
  /** In the tenth of thirty minutes. */
  tenth: Figures
  last: Figures
  /** Without load, at the end. */
  restAfter: Figures
  health: Health
  tally: Tally
  killed: ReadonlyMap<string, number>
}

/** Number of open files that may differ by chance, for example because of writes of the database or idle connections. */
const slack = 3

export function targetsOf({ restBefore, tenth, last, restAfter, health, tally }: Measured): Target[] {
  const grown = (what: string, name: keyof Figures): Target => ({
    what: `${what} at rest, more than before`,
    limit: slack,
    measured: Math.max(0, restAfter[name] - restBefore[name]),
    unit: '',
  })
  const ratio = (what: string, name: keyof Figures): Target => ({
    what: `${what} at the end, to that of the tenth minute`,
    limit: 1.2,
    measured: last[name] / tenth[name],
    unit: '×',
  })
  return [
    ratio('RSS of all processes', 'rssMb'),
    ratio('RSS of the server', 'serverMb'),
    grown('open files of the server', 'serverFiles'),
    grown('sockets of the server', 'serverSockets'),
    grown('processes', 'processes'),
    { what: 'errors without a code of the table', limit: 0, measured: tally.untyped.length, unit: '' },
    { what: '/health that failed', limit: 0, measured: health.failed, unit: '' },
    { what: '/health, p99', limit: 200, measured: health.p99, unit: 'ms' },
  ]
}

export function describe(measured: Measured): string {
  const { restBefore, tenth, last, restAfter, health, tally, killed } = measured
  const spans = [restBefore, tenth, last, restAfter]
  const names = Object.keys(labels) as (keyof Figures)[]
  const figures = names.map((name) => [labels[name], ...spans.map((span) => span[name].toFixed(0))])
  const done = [...tally.counts].map(([task, counts]) => [task, String(sumOf(counts)), String(counts.get('ok') ?? 0)])
  const codes = new Map<string, number>()
  for (const counts of tally.counts.values())
    for (const [how, count] of counts) codes.set(how, (codes.get(how) ?? 0) + count)
  const ended = [...codes].toSorted(([, one], [, other]) => other - one).map(([how, count]) => [how, String(count)])
  return [
    table(['', 'at rest before', 'tenth minute', 'last minute', 'at rest after'], figures),
    table(['task', 'answers', 'ok'], done),
    table(['ended with', 'answers'], ended),
    `/health: asked ${health.asked} times, p50 ${health.p50.toFixed(0)} ms, p99 ${health.p99.toFixed(0)} ms; a program with nothing to do waits ${health.idleP99.toFixed(0)} ms for its turn (p99)`,
    `killed: ${[...killed].map(([kind, count]) => `${count} × ${kind}`).join(', ') || 'nothing'}`,
    ...[...new Set(tally.untyped)].slice(0, 20).map((fault) => `untyped: ${fault}`),
  ].join('\n\n')
}

const sumOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)
