import { fail } from '../../kernel/error.ts'
import { once } from '../../util/async.ts'
import { createAccounts } from './sqlite/accounts.ts'
import { createCrawls } from './sqlite/crawl/crawls.ts'
import { createDeliveries } from './sqlite/crawl/deliveries.ts'
import type { Db } from './sqlite/db/db.ts'
import { createHosts } from './sqlite/hosts.ts'
import { createJobs } from './sqlite/job-records.ts'
import { createLinkedFiles } from './sqlite/linked-files.ts'
import { createNodes, createSessionRecords } from './sqlite/session-records.ts'
import { createMonitors, createSnapshots } from './sqlite/monitors.ts'
import { createPageCache } from './sqlite/sqlite-page-cache.ts'
import { createPageIndex } from './sqlite/page-index/sqlite-page-index.ts'
import type { FullText } from './sqlite/page-index/full-text.ts'
import { createInUse } from './sqlite/in-use.ts'
import { createWorkflows } from './sqlite/workflows.ts'
import { readWorkload } from './workload.ts'
import type { Store, StoreLocation, StoreOptions } from './store.ts'
import type { Storage } from '../../contracts/job-ports.ts'

/** Database and features of a store. */
export type Base = {
  db: Db
  fullText: FullText
  /** Opens a separate connection for long queries; it is closed with the store. */
  openReader(): Promise<Db>
  describe(): StoreLocation
  storage: Storage
} & Pick<Store, 'listen' | 'messages' | 'schema' | 'verify'>

/** Refuses a database into which a copy is running or was interrupted: any of its data may be missing. */
async function refuseHalfCopied(db: Db): Promise<void> {
  const [copy] = await db.all('SELECT 1 FROM copying')
  if (copy)
    fail('DATABASE_UNAVAILABLE', {
      message: 'A copy of another database into this one is running or was interrupted.',
      hint: 'Wait until `gossamer db copy` has ended, or run it again: it starts over.',
    })
}

/** Creates the ports over a database; closing the store closes the database. Opens nothing. */
export function storeOver({ db, fullText, openReader, ...facts }: Base, options: StoreOptions): Store {
  const { clock, cacheMaxBytes, jobRetentionMs, log, objects } = options
  const closing = new AbortController()
  const { idle: pagesIdle, ...pages } = createPageCache({ db, clock, log }, cacheMaxBytes)
  const reader = once(openReader)
  const { idle: indexIdle, ...index } = createPageIndex({ db, fullText, pagesKept: pagesIdle, reader, clock, log })
  const tools = { db, clock, log, closing: closing.signal }
  const idles = [pagesIdle]
  /** Registers the `idle` of a port, which `close` waits for. */
  const own = <T extends { idle(): Promise<void> }>({ idle, ...port }: T): Omit<T, 'idle'> => {
    idles.push(idle)
    return port
  }
  return {
    pages,
    index,
    jobs: own(createJobs(tools, jobRetentionMs)),
    crawls: own(createCrawls(tools)),
    deliveries: createDeliveries({ db, clock }),
    hosts: createHosts({ db, clock }),
    snapshots: own(createSnapshots(tools)),
    linkedFiles: own(createLinkedFiles(tools, jobRetentionMs, objects)),
    sessions: own(createSessionRecords(tools)),
    workflows: own(createWorkflows(tools)),
    monitors: own(createMonitors(tools)),
    nodes: createNodes(tools),
    ...facts,
    ...own(createInUse(tools)),
    ...own(createAccounts(tools, options.hasOtherAccess)),
    workload: () => readWorkload(db, clock),
    ready: () => refuseHalfCopied(db),
    async close() {
      closing.abort()
      await Promise.all(idles.map((idle) => idle()))
      await indexIdle()
      await objects?.close()
      await reader.close(async (open) => void (open !== db && (await open.close())))
      await db.close()
    },
  }
}
