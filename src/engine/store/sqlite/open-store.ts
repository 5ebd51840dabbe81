import type { Log } from '../../../kernel/log.ts'
import { once } from '../../../util/lazy.ts'
import { createCrawls } from './crawl/crawls.ts'
import { createDeliveries } from './crawl/deliveries.ts'
import type { Db } from './db/db.ts'
import { watchDisk } from './db/disk.ts'
import { openLazily } from './db/lazy-db.ts'
import { choosePlace } from './db/place.ts'
import { openSqlite } from './db/sqlite-db.ts'
import { createHosts } from './hosts.ts'
import { createJobs } from './jobs.ts'
import { createKeys } from './keys.ts'
import { createLinkedFiles } from './linked-files.ts'
import { createMonitors } from './monitors.ts'
import { createPageIndex } from './page-index/page-index.ts'
import { createInUse } from './quota/in-use.ts'
import { createSessionRecords } from './sessions.ts'
import { createSnapshots } from './snapshots.ts'
import { createTeams } from './teams.ts'
import { createUsage } from './usage.ts'
import { createWorkflows } from './workflows.ts'
import type { Store, StoreLocation, StoreOptions } from '../store.ts'
import type { PageCache } from '../../../contracts/pages/page-cache.ts'
import type { Clock } from '../../../contracts/ports.ts'

/** Never fails: where the folder cannot be used the data is held in memory and `describe` says why. Starts no thread. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dir, clock, cacheMaxBytes, jobRetentionMs, log, memoryMaxBytes } = options
  const asked = await choosePlace(dir)
  if (asked.warning !== undefined) log.warn('store', { warning: asked.warning })
  const { db: lazy, place } = openLazily(asked, { clock, log, memoryMaxBytes })
  const { storage, watched } = watchDisk(place)
  const db = watched(lazy)
  const closing = new AbortController()
  const { idle: pagesIdle, ...pages } = createLazyPages({ db, clock, log }, cacheMaxBytes)
  const reader = once(() => openReader(db, place))
  const { idle: indexIdle, ...index } = createPageIndex({ db, pagesKept: pagesIdle, reader, clock, log })
  const tools = { db, clock, log, closing: closing.signal }
  const { idle, ...jobs } = createJobs(tools, jobRetentionMs)
  const { idle: crawlsIdle, ...crawls } = createCrawls(tools)
  const { idle: snapshotsIdle, ...snapshots } = createSnapshots(tools)
  const { idle: sessionsIdle, ...sessions } = createSessionRecords(tools)
  const { idle: workflowsIdle, ...workflows } = createWorkflows(tools)
  const { idle: monitorsIdle, ...monitors } = createMonitors(tools)
  const { idle: filesIdle, ...linkedFiles } = createLinkedFiles(tools, jobRetentionMs)
  const { idle: inUseIdle, ...inUse } = createInUse(tools)
  return {
    pages,
    index,
    jobs,
    crawls,
    deliveries: createDeliveries({ db, clock }),
    hosts: createHosts({ db, clock }),
    snapshots,
    linkedFiles,
    sessions,
    workflows,
    monitors,
    storage,
    usage: createUsage(db),
    ...inUse,
    teams: createTeams(db, clock),
    keys: createKeys(db, clock),
    describe: place,
    ready: async () => void (await db.all('SELECT 1')),
    async close() {
      closing.abort()
      await Promise.all([
        idle(),
        crawlsIdle(),
        snapshotsIdle(),
        filesIdle(),
        sessionsIdle(),
        workflowsIdle(),
        monitorsIdle(),
        inUseIdle(),
        pagesIdle(),
      ])
      await indexIdle()
      await reader.close(async (open) => void (open !== db && (await open.close())))
      await db.close()
    },
  }
}

/** A connection and thread of its own to the same file, for what may take long; what is in memory has one. */
async function openReader(db: Db, place: () => StoreLocation): Promise<Db> {
  await db.all('SELECT 1')
  const { path } = place()
  return path === null ? db : openSqlite(path)
}

/** Keyv is loaded by the first page, not when the program starts. Nobody waits for a write but the one who closes. */
function createLazyPages(
  tools: { db: Db; clock: Clock; log: Log },
  maxBytes: number,
): PageCache & { idle(): Promise<void> } {
  let made: Promise<PageCache> | undefined
  const writing = new Set<Promise<void>>()
  const pages = () => (made ??= import('./page-cache.ts').then((it) => it.createPageCache(tools, maxBytes)))
  const write = (run: (cache: PageCache) => Promise<void>): Promise<void> => {
    const written = pages().then(run)
    writing.add(written)
    return written.finally(() => writing.delete(written))
  }
  return {
    find: async (key) => (await pages()).find(key),
    body: async (key) => (await pages()).body(key),
    keep: (key, page, body) => write((cache) => cache.keep(key, page, body)),
    addMade: (...added) => write((cache) => cache.addMade(...added)),
    idle: async () => void (await Promise.allSettled(writing)),
  }
}
