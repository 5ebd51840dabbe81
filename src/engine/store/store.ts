import type { Crawls, Snapshots } from '../../contracts/crawl.ts'
import type { Deliveries } from '../../contracts/webhook.ts'
import type { PageIndex } from '../../contracts/pages/page-index.ts'
import type { SessionRecords } from '../../contracts/session.ts'
import type { Monitors, Workflows } from '../../contracts/workflow.ts'
import type { Nodes } from '../../contracts/cluster/node.ts'
import type { Objects } from './objects.ts'
import type { LinkedFiles } from '../../kernel/linked-file.ts'
import type { Log } from '../../kernel/log.ts'
import type { Hosts, PageCache } from '../../contracts/pages/page-cache.ts'
import type { Jobs, Refusals, Storage } from '../../contracts/jobs.ts'
import type { Keys, Teams, Usage } from '../../contracts/account.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { KeyedCalls } from './keyed-calls.ts'
import type { Quotas } from './quotas.ts'
import type { Workload } from './workload.ts'

/** Where the data is, and why it is not where it was asked to be. `path` is null in memory, and host and name on a server. */
export type StoreLocation = { kind: 'file' | 'memory' | 'server'; path: string | null; warning?: string }

export type StoreOptions = {
  /** Folder of the database file; null keeps everything in memory. */
  dir: string | null
  /** A PostgreSQL database instead of a file. */
  databaseUrl?: string | undefined
  clock: Clock
  /** Cap on the page cache, bytes as stored. */
  cacheMaxBytes: number
  /** Cap on a database in memory, bytes; what is more fails with STORAGE_FULL. */
  memoryMaxBytes?: number
  /** How long a finished job can be read by its id. */
  jobRetentionMs: number
  log: Log
  /** Where large contents lie instead of in the database; closed with the store. */
  objects?: Objects | undefined
  /** Where SQLite works: in a thread of its own (the default), or in that of the caller, who then fails where the file does. */
  thread?: 'its own' | 'this one'
  /** Whether it hears of what other programs begin in the same folder; by default it does not. On a database server all do. */
  hearsFolder?: boolean
}

/** The ports that keep data. `sqlite/` implements them; test/contracts says how every implementation behaves. */
export type Store = {
  pages: PageCache
  index: PageIndex
  hosts: Hosts
  jobs: Jobs
  crawls: Crawls
  deliveries: Deliveries
  snapshots: Snapshots
  linkedFiles: LinkedFiles
  sessions: SessionRecords
  workflows: Workflows
  monitors: Monitors
  nodes: Nodes
  refusals: Refusals
  storage: Storage
  usage: Usage
  quotas: Quotas
  keyedCalls: KeyedCalls
  teams: Teams
  keys: Keys
  /** Where the data is, as far as is known: a file that turns out to be unusable is only found out by `ready` or the first call. */
  describe(): StoreLocation
  /** How much there is to do, for all that share the data. */
  workload(): Promise<Workload>
  /** Version of the tables that this program knows; absent where the data is of this machine alone. */
  schema?: number
  /** Calls back when any program on the same database has begun a job, or may have; absent where it does not hear of any. */
  listen?(heard: () => void): () => Promise<void>
  /** Opens the database now instead of on the first call. */
  ready(): Promise<void>
  close(): Promise<void>
}
