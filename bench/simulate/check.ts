import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../../src/engine/store/postgres/postgres-db.ts'
import { type Postgres, startPostgres } from '../../test/helpers/postgres.ts'
import { madeSchema } from '../../test/store/postgres/postgres-under-test.ts'
import { measureCrawl, warmUpPages } from '../cluster/crawl.ts'
import { startSite } from '../lib/start-site.ts'
import { withWorkDir } from '../lib/work-dir.ts'
import { type Load, simulate } from './simulate.ts'

/** A case limited by response times or concurrent pages, because servers, database and site share two cores. */
type Case = {
  name: string
  workers: number
  hosts: number
  hostConcurrency: number
  teamLimit: number
  /** Limit of each server; unset: the limit of the team. */
  serverLimit?: number
}
export type Checked = {
  name: string
  measured: number
  simulated: number
  cpuMsPerPage: number
  lockMsPerPage: number
}

const serversOf = (workers: number) => `${workers} ${workers === 1 ? 'server' : 'servers'}`

/** Cases in which a crawl scales with its servers, and cases in which its hosts limit it. */
const cases: readonly Case[] = [
  ...[1, 2, 4].map((workers) => ({
    name: `${serversOf(workers)} of 4 pages at once`,
    workers,
    hosts: 40,
    hostConcurrency: 8,
    teamLimit: 64,
    serverLimit: 4,
  })),
  ...[1, 4].map((workers) => ({
    name: `${serversOf(workers)}, 2 hosts of 2 pages`,
    workers,
    hosts: 2,
    hostConcurrency: 2,
    teamLimit: 64,
  })),
]

/**
 * Runs each crawl twice: by servers over PostgreSQL, and simulated with the CPU and the lock time measured in the first
 * case.
 */
export async function checkReal(file: string, usual: Load, pages: number): Promise<Checked[]> {
  const database = await startPostgres()
  try {
    return await withWorkDir(async (dir) => {
      const site = await startSite(join(import.meta.dirname, '..', 'cluster', 'site.ts'), [String(pages), '200'])
      const checked: Checked[] = []
      for (const each of cases) {
        const measured = await measure({ database, dir, file, origin: site.origin, pages }, each)
        const { cpuMsPerPage, lockMsPerPage } = checked[0] ?? measured
        const { workers, hosts, hostConcurrency, teamLimit, serverLimit } = each
        const times = { ...usual.times, answer: 200, cpu: cpuMsPerPage, claim: 0, finish: lockMsPerPage, upkeep: 0 }
        const asked = {
          workers,
          hosts,
          hostConcurrency,
          pages,
          skew: 0,
          crawlDelayMs: 0,
          spread: 0.05,
          pagesAtOnce: serverLimit ?? teamLimit,
        }
        const { pagesPerSecond } = simulate({ ...usual, ...asked, times })
        checked.push({ ...measured, name: each.name, simulated: pagesPerSecond })
      }
      await site.end()
      return checked
    })
  } finally {
    await database.close()
  }
}

type Place = { database: Postgres; dir: string; file: string; origin: string; pages: number }

async function measure(
  { database, dir, file, origin, pages }: Place,
  asked: Case,
): Promise<Omit<Checked, 'simulated'>> {
  const { name, workers, hosts, hostConcurrency, teamLimit, serverLimit } = asked
  const schema = await madeSchema(database.url)
  const env = {
    GOSSAMER_DATABASE_URL: schema.url,
    GOSSAMER_MAX_CONCURRENCY: String(teamLimit),
    GOSSAMER_CRAWL_HOST_CONCURRENCY: String(hostConcurrency),
    ...(serverLimit && { GOSSAMER_CRAWL_SERVER_CONCURRENCY: String(serverLimit) }),
  }
  const envs = Array.from({ length: workers }, (_, nth) => ({ ...env, GOSSAMER_DATA_DIR: join(dir, `${name} ${nth}`) }))
  const urls = Array.from({ length: pages }, (_, nth) => `http://127.0.1.${1 + (nth % hosts)}:${origin}/p/${nth}`)
  const watched = watchLock(database.url)
  const { pagesPerSecond, cpuMsPerPage } = await measureCrawl({ file, name, urls, envs })
  const lockMs = await watched.end()
  await schema.drop()
  return {
    name,
    measured: pagesPerSecond,
    cpuMsPerPage,
    lockMsPerPage: lockMs / (pages + Math.min(pages, warmUpPages)),
  }
}

/** Measures how long the lock of writers is held, by sampling every few ms. */
function watchLock(url: string): { end(): Promise<number> } {
  const db = openPostgres(url)
  const over = new AbortController()
  let lockMs = 0
  const watching = (async () => {
    for (let before = performance.now(); !over.signal.aborted; await sleep(4)) {
      const rows = await db.all(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted LIMIT 1`)
      const now = performance.now()
      if (rows.length > 0) lockMs += now - before
      before = now
    }
  })()
  return {
    async end() {
      over.abort()
      await watching
      await db.close()
      return lockMs
    },
  }
}
