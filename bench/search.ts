/** Compares our full-text search with that of peers: see README.md. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { positive, writeJson } from './lib/flags.ts'
import { mean, median, quantile } from './lib/statistics.ts'
import { table } from './lib/table.ts'
import { describeTargets, exitCode, type Target } from './lib/targets.ts'
import { contestantNames, type ContestantName } from './search/contestant.ts'
import type { Measured } from './search/one.ts'

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '10000' },
    queries: { type: 'string', default: '300' },
    only: { type: 'string' },
    json: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
})

type Row = { name: ContestantName; measured: Measured }

const titles: Readonly<Record<ContestantName, string>> = {
  gossamer: 'gossamer',
  minisearch: 'minisearch',
  'minisearch-tuned': 'minisearch, stop words and stems',
  orama: 'orama, stop words and stems',
}

/** Runs a contestant in a separate process, so its memory does not slow down the next contestant. */
async function measure(name: ContestantName, documents: number, queries: number): Promise<Row> {
  const program = join(import.meta.dirname, 'search', 'one.ts')
  const args = ['--max-old-space-size=6000', program, name, String(documents), String(queries)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 })
  return { name, measured: JSON.parse(stdout) as Measured }
}

const meanOf = ({ quality }: Measured, figure: 'ndcg' | 'recall' | 'reciprocalRank', kind?: string) =>
  mean(quality.filter((each) => kind === undefined || each.kind === kind).map((each) => each[figure]))

const qualityTable = (rows: readonly Row[]) =>
  table(
    ['quality', 'nDCG@10', 'recall@10', 'MRR', 'sentences', 'paraphrases', 'words'],
    rows.map(({ name, measured }) => [
      titles[name],
      ...(['ndcg', 'recall', 'reciprocalRank'] as const).map((figure) => meanOf(measured, figure).toFixed(3)),
      ...['sentence', 'paraphrase', 'words'].map((kind) => meanOf(measured, 'ndcg', kind).toFixed(3)),
    ]),
  )

const costTable = (rows: readonly Row[], documents: number) =>
  table(
    [
      'cost',
      'build CPU s',
      'CPU ms a page',
      'build s',
      'query p50 ms',
      'p95 ms',
      'CPU ms a query',
      'RSS MB',
      'disk MB',
    ],
    rows.map(({ name, measured }) => [
      titles[name],
      (measured.buildCpuMs / 1000).toFixed(2),
      (measured.buildCpuMs / documents).toFixed(3),
      (measured.buildMs / 1000).toFixed(2),
      median(measured.queryMs).toFixed(2),
      quantile(measured.queryMs, 0.95).toFixed(2),
      measured.queryCpuMs.toFixed(2),
      measured.rssMb.toFixed(0),
      measured.diskMb.toFixed(1),
    ]),
  )

/** Ratios to the best peer; below 1, ours is better. */
function targetsOf(rows: readonly Row[]): Target[] {
  const ours = rows.find(({ name }) => name === 'gossamer')?.measured
  const peers = rows.filter(({ name }) => name !== 'gossamer').map(({ measured }) => measured)
  if (!ours) return []
  const quality = (['ndcg', 'recall', 'reciprocalRank'] as const).flatMap((figure) =>
    peers.length === 0
      ? []
      : [
          {
            what: `${figure} of the best peer to ours`,
            limit: 1,
            measured: Math.max(...peers.map((peer) => meanOf(peer, figure))) / meanOf(ours, figure),
            unit: '×',
          },
        ],
  )
  const builds = rows
    .filter(({ name }) => name === 'minisearch' || name === 'orama')
    .map(({ name, measured }) => ({
      what: `build CPU to that of ${name}`,
      limit: 0.2,
      measured: ours.buildCpuMs / measured.buildCpuMs,
      unit: '×',
    }))
  return [...quality, ...builds, { what: 'query p50', limit: 10, measured: median(ours.queryMs), unit: 'ms' }]
}

const documents = positive('--documents', values.documents)
const queries = positive('--queries', values.queries)
const names = contestantNames.filter((name) => values.only?.split(',').includes(name) ?? true)
const rows: Row[] = []
for (const name of names) rows.push(await measure(name, documents, queries))
const targets = targetsOf(rows)
console.log(`Node ${process.version}, ${documents} pages, ${queries} queries\n`)
console.log(`${qualityTable(rows)}\n\n${costTable(rows, documents)}\n\n${describeTargets(targets)}`)
await writeJson(values.json, { node: process.version, documents, queries, rows })
process.exitCode = exitCode(targets, values.check)
