import type { Permission } from '../../kernel/ctx.ts'
import type { Crawls, Snapshots } from '../../contracts/crawl.ts'
import type { Deliveries } from '../../contracts/webhook.ts'
import type { PageIndex } from '../../contracts/search.ts'
import type { SessionRecords } from '../../contracts/session.ts'
import type { Workflows } from '../../contracts/workflow.ts'
import type { LinkedFiles } from '../../kernel/linked-file.ts'
import type { Log } from '../../kernel/log.ts'
import type { Hosts, PageCache } from '../../contracts/page-cache.ts'
import type { Jobs, Storage } from '../../contracts/jobs.ts'
import type { Usage } from '../../contracts/account.ts'
import type { Clock } from '../../contracts/ports.ts'

export type KeyOwner = { name: string; teamId: string; permissions: readonly Permission[] }

/** `prefix` is the beginning of the key, enough to recognise it and useless to guess the rest. */
export type ListedKey = KeyOwner & { prefix: string; createdAt: number }

export type Keys = {
  /** Makes a key and shows it this once. Fails with BAD_REQUEST when the name is taken or not 1–64 printable characters. */
  add(owner: KeyOwner): Promise<{ key: string }>
  list(): Promise<ListedKey[]>
  /** Fails with BAD_REQUEST when there is no key of that name. */
  revoke(name: string): Promise<void>
  find(presentedKey: string): Promise<KeyOwner | undefined>
}

/** Where the data is, and why it is not where it was asked to be. `path` is null in memory. */
export type StoreLocation = { kind: 'file' | 'memory'; path: string | null; warning?: string }

export type StoreOptions = {
  /** Folder of the database file; null keeps everything in memory. */
  dir: string | null
  clock: Clock
  /** Cap on the page cache, bytes as stored. */
  cacheMaxBytes: number
  /** How long a finished job can be read by its id. */
  jobRetentionMs: number
  log: Log
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
  storage: Storage
  usage: Usage
  keys: Keys
  /** Where the data is, as far as is known: a file that turns out to be unusable is only found out by `ready` or the first call. */
  describe(): StoreLocation
  /** Opens the database now instead of on the first call. */
  ready(): Promise<void>
  close(): Promise<void>
}
