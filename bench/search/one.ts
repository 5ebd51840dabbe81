/** One contestant in a process of its own: `one.ts NAME PAGES QUERIES` prints its figures as JSON. */
import { makeCollection, type Page, type Query } from './collection.ts'
import type { Contestant, ContestantName } from './contestant.ts'
import { qualityOf, type Quality } from './score.ts'

export type Measured = {
  buildCpuMs: number
  buildMs: number
  rssMb: number
  diskMb: number
  queryMs: number[]
  queryCpuMs: number
  quality: (Quality & { kind: Query['kind'] })[]
}

const limit = 10
const megabyte = 1e6

const contestants: Readonly<Record<ContestantName, () => Promise<Contestant>>> = {
  gossamer: async () => (await import('./ours.ts')).createOurs(),
  minisearch: async () => (await import('./peers.ts')).createMiniSearch('as it comes'),
  'minisearch-tuned': async () => (await import('./peers.ts')).createMiniSearch('tuned'),
  orama: async () => (await import('./peers.ts')).createOrama(),
}

async function measure(contestant: Contestant, pages: readonly Page[], queries: readonly Query[]): Promise<Measured> {
  await contestant.prepare(pages)
  const rssBefore = process.memoryUsage.rss()
  const built = await timed(() => contestant.build(pages))
  const queryMs: number[] = []
  const quality: Measured['quality'] = []
  const asked = await timed(async () => {
    for (const { kind, text, grades } of queries) {
      const startedAt = performance.now()
      const answers = await contestant.search(text, limit)
      queryMs.push(performance.now() - startedAt)
      quality.push({ kind, ...qualityOf(answers, grades) })
    }
  })
  return {
    buildCpuMs: built.cpuMs,
    buildMs: built.wallMs,
    rssMb: (process.memoryUsage.rss() - rssBefore) / megabyte,
    diskMb: (await contestant.bytes()) / megabyte,
    queryMs,
    queryCpuMs: asked.cpuMs / queries.length,
    quality,
  }
}

async function timed(run: () => Promise<void>): Promise<{ cpuMs: number; wallMs: number }> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - startedAt }
}

const [name, pageCount, queryCount] = process.argv.slice(2)
const contestant = await contestants[name as ContestantName]()
const { pages, queries } = makeCollection(Number(pageCount), Number(queryCount))
console.log(JSON.stringify(await measure(contestant, pages, queries)))
await contestant.end()
