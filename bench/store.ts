/** Counts the writes of the store per page of a crawl, independent of machine load: see README.md. */
import { parseArgs } from 'node:util'
import { positive, writeJson } from './lib/flags.ts'
import { table } from './lib/table.ts'
import { withWorkDir } from './lib/work-dir.ts'
import { type Counts, countWork, perPage } from './store/counts.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '16' },
    every: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
})
const pages = positive('--pages', values.pages)
const load = { pages, concurrency: positive('--concurrency', values.concurrency), everyMs: Number(values.every) }
const kB = (bytes: number) => (bytes / 1000).toFixed(0)

const rowOf = (name: string, counts: Counts) => [
  name,
  counts.statements.toFixed(1),
  counts.commits.toFixed(2),
  counts.packings.toFixed(1),
  counts.writeCalls.toFixed(0),
  kB(counts.writtenBytes),
  kB(counts.readBytes),
  counts.cpuMs.toFixed(2),
]

const counted = countWork()
// Modules that import the packer by name must be loaded after counting starts.
const { crawl, makePages } = await import('./store/crawl.ts')
const { openStore } = await import('../src/engine/store/sqlite/open-store.ts')

await withWorkDir(async (dir) => {
  const quiet = { debug() {}, info() {}, warn: console.error, error: console.error }
  const limits = { cacheMaxBytes: 2 ** 30, jobRetentionMs: 86_400_000 }
  const store = await openStore({ dir, clock: { now: Date.now }, log: quiet, thread: 'this one', ...limits })
  await store.ready()
  const made = makePages(pages)
  const rows: { name: string; counts: Counts }[] = []
  for (let round = 0; round < positive('--rounds', values.rounds); round++) {
    const from = counted()
    await crawl(store, made, load)
    await store.index.facts()
    rows.push({ name: round === 0 ? 'first crawl' : `again, ${round}`, counts: perPage(from, counted(), pages) })
  }
  await store.close()
  const head = ['a page', 'statements', 'commits', 'packings', 'write calls', 'kB written', 'kB read', 'CPU ms']
  console.log(
    table(
      head,
      rows.map(({ name, counts }) => rowOf(name, counts)),
    ),
  )
  await writeJson(values.json, { node: process.version, load, rows })
})
