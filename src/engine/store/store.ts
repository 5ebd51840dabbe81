import type { Crawls, Snapshots } from '../../contracts/crawl-ports.ts'
import type { Deliveries, Jobs, Refusals, Storage } from '../../contracts/job-ports.ts'
import type { PageIndex, Hosts, PageCache } from '../../contracts/stored-pages.ts'
import type { SessionRecords } from '../../contracts/session-port.ts'
import type { Monitors, Workflows } from '../../contracts/workflow.ts'
import type { Nodes } from '../../contracts/cluster-nodes.ts'
import type { Objects } from './data-places.ts'
import type { LinkedFiles } from '../../contracts/fetch.ts'
import type { Log } from '../../kernel/log.ts'
import type { Keys, Teams, Usage } from '../../contracts/account-ports.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { Workload } from './workload.ts'
import { AppError, type ErrorCode } from '../../kernel/error.ts'

export type OutageCode = Extract<ErrorCode, 'DATABASE_UNAVAILABLE' | 'DATABASE_DAMAGED' | 'STORAGE_FULL'>
const codes: ReadonlySet<string> = new Set<OutageCode>(['DATABASE_UNAVAILABLE', 'DATABASE_DAMAGED', 'STORAGE_FULL'])

type Outage = AppError & { code: OutageCode }

/** True if the store is unreachable, full or damaged: the call is valid and may succeed later. */
export const isOutage = (thrown: unknown): thrown is Outage => thrown instanceof AppError && codes.has(thrown.code)

/**
 * Rethrows errors that are not the fault of a page, search or model: the end of a job, and a store outage, which pauses
 * it. Code that records other failures in its result calls this first.
 */
export function rethrowPause(thrown: unknown, { signal }: { signal: AbortSignal }): void {
  signal.throwIfAborted()
  if (isOutage(thrown)) throw thrown
}

/**
 * Location of the data. `path` is null in memory; for a server it is the host and the name of the database. `warning`:
 * the data is in memory because the file is unusable, or a new file replaced a corrupt one.
 */
export type StoreLocation = { kind: 'file' | 'memory' | 'server'; path: string | null; warning?: string }

export type StoreOptions = {
  /** Folder of the database file; null keeps all data in memory. */
  dir: string | null
  /** A PostgreSQL database instead of a file. */
  databaseUrl?: string | undefined
  clock: Clock
  /** Size limit of the page cache in bytes as stored. */
  cacheMaxBytes: number
  /** Size limit in bytes of the database if `dir` is null; writes beyond it fail with STORAGE_FULL. */
  memoryMaxBytes?: number
  /** Time for which a finished job can be read by its id. */
  jobRetentionMs: number
  log: Log
  /** Storage for large content outside the database; closed with the store. */
  objects?: Objects | undefined
  /** True if the team has access by other means than stored keys, so losing its last key does not end its work. */
  hasOtherAccess?: ((teamId: string) => boolean) | undefined
  /**
   * Thread that runs SQLite: its own (default), or the caller's. On the caller's, an unusable file fails every call.
   */
  thread?: 'its own' | 'this one'
  /**
   * Detects jobs started by other programs in the same folder; false by default. On a database server this is always
   * on.
   */
  watchesFolder?: boolean
}

/**
 * Ports that persist data. `sqlite/` implements them; test/contracts specifies the behaviour of every implementation.
 */
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
  /**
   * Returns the location of the data as far as known: an unusable file is only detected by `ready` or the first call.
   */
  describe(): StoreLocation
  /** Returns the pending work of all processes on the data. */
  workload(): Promise<Workload>
  /** Version of the tables that this program uses; undefined if the data is local to this machine. */
  schema?: number
  /** Calls back when any program on the same database may have started a job; undefined if that is not supported. */
  listen?(notify: () => void): () => Promise<void>
  /** Passes short texts between the programs on the same database; undefined if the data is local to this machine. */
  messages?: {
    /** Reaches every program that listens, this one included. */
    send(text: string): Promise<void>
    /**
     * Calls back with each text, and with undefined when some may have been missed. Returns a function that stops it.
     */
    listen(notify: (text: string | undefined) => void): () => Promise<void>
  }
  /** Opens the database now instead of on the first call. Rejects if it is unusable or a copy into it is unfinished. */
  ready(): Promise<void>
  /** Checks the whole database; fails with DATABASE_DAMAGED if it is damaged. Undefined for a database on a server. */
  verify?(): Promise<void>
  close(): Promise<void>
}

/** A call with an idempotency key as stored: neither the key nor the request can be recovered from it. */
export type ClaimedCall = {
  teamId: string
  keyDigest: Uint8Array
  asksDigest: Uint8Array
  jobId: string
  /** Id of this attempt. */
  claimId: string
  workerId: string
}
export type Claim =
  | { state: 'claimed'; jobId: string }
  | { state: 'running' }
  | { state: 'other call' }
  /** `answer` is null if the response was not stored. */
  | { state: 'answered'; answer: Uint8Array | null }

export type KeyedCalls = {
  /** Reserves the key for a day. If the worker's lease has expired, its claim is taken over under the same job id. */
  claim(call: ClaimedCall): Promise<Claim>
  /** Stores the response, unless the claim was taken over. */
  finish(call: Pick<ClaimedCall, 'claimId'>, answer: Uint8Array | null): Promise<void>
  /** Releases the key, unless the claim was taken over. */
  forget(call: Pick<ClaimedCall, 'claimId'>): Promise<void>
}

/** A call that holds or waits for a slot of its team. */
export type Ticket = { id: string; teamId: string; workerId: string }
export type TeamLoad = { active: number; waiting: number }

/**
 * Resources used by teams, counted once for all processes on one database. Resources of a worker are freed when its
 * lease expires, for example because its process was killed. Methods that admit tickets return the ids of all tickets
 * admitted, including those of other workers.
 */
export type Quotas = {
  /** Gives the ticket a slot or the last position in its team's queue; `full`: neither, and the ticket is discarded. */
  join(
    ticket: Ticket,
    limits: { maxConcurrency: number; maxWaiting: number },
  ): Promise<{ state: 'held' | 'waiting' | 'full'; admitted: string[] }>
  /** Releases the slot or position, and admits the next tickets. */
  leave(ticket: Ticket, maxConcurrency: number): Promise<string[]>
  /** Admits tickets for slots that were freed by dead workers or a raised limit. */
  advance(teamId: string, maxConcurrency: number): Promise<string[]>
  /** Returns the worker's tickets that hold a slot. */
  heldBy(workerId: string): Promise<string[]>
  load(teamId: string): Promise<TeamLoad>

  /** Counts a call in the current minute unless `limit` is reached; returns how many are left. */
  countCall(call: { teamId: string; endpoint: string; limit: number }): Promise<{ isCounted: boolean; left: number }>

  /** Reserves credits until the job is recorded; false if that exceeds the team's limit. */
  holdCredits(hold: {
    jobId: string
    teamId: string
    workerId: string
    credits: number
    limit: number
    since: number
  }): Promise<boolean>
  releaseCredits(jobId: string): Promise<void>

  /** Starts or renews the lease of a worker; false if it had none, so its resources were freed. */
  renew(workerId: string, leaseMs: number): Promise<boolean>
  /** Returns the workers with a valid lease. */
  workers(): Promise<string[]>
  /** Frees everything the worker holds. */
  release(workerId: string): Promise<void>
}
