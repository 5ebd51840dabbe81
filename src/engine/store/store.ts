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

export type OutageCode = Extract<ErrorCode, 'DATABASE_UNAVAILABLE' | 'STORAGE_FULL'>
const codes: ReadonlySet<string> = new Set<OutageCode>(['DATABASE_UNAVAILABLE', 'STORAGE_FULL'])

type Outage = AppError & { code: OutageCode }

/** True if the store is unreachable or full: the call is valid and may succeed later. */
export const isOutage = (thrown: unknown): thrown is Outage => thrown instanceof AppError && codes.has(thrown.code)

/**
 * Rethrows errors that are not the fault of a page, search or model: the end of a job, and a store outage, which pauses it.
 * Code that records other failures in its result calls this first.
 */
export function rethrowPause(thrown: unknown, { signal }: { signal: AbortSignal }): void {
  signal.throwIfAborted()
  if (isOutage(thrown)) throw thrown
}

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

/** A call under an idempotency key as it is stored: neither the key nor what was asked for can be read from it. */
export type ClaimedCall = {
  teamId: string
  keyDigest: Uint8Array
  asksDigest: Uint8Array
  jobId: string
  /** Of this attempt. */
  claimId: string
  workerId: string
}
export type Claim =
  | { state: 'claimed'; jobId: string }
  | { state: 'running' }
  | { state: 'other call' }
  /** `answer` is null where nothing was kept of it. */
  | { state: 'answered'; answer: Uint8Array | null }

export type KeyedCalls = {
  /** Whoever comes first has the key for a day. Of a worker whose lease has ended the claim goes on, as the same job. */
  claim(call: ClaimedCall): Promise<Claim>
  /** Unless the claim has gone to another. */
  finish(call: Pick<ClaimedCall, 'claimId'>, answer: Uint8Array | null): Promise<void>
  /** The key is unused again, unless the claim has gone to another. */
  forget(call: Pick<ClaimedCall, 'claimId'>): Promise<void>
}

/** What one call takes or wants of its team's slots. */
export type Ticket = { id: string; teamId: string; workerId: string }
export type TeamLoad = { active: number; waiting: number }

/**
 * What teams have in use, counted once for all processes on one database. What a worker took is free again when its lease
 * ends, as it does when its process is killed. Where tickets are let in, their ids are answered, whosever they are.
 */
export type Quotas = {
  /** The ticket gets a slot or the last place in its team's line; `full`: neither, and it is forgotten. */
  join(
    ticket: Ticket,
    limits: { maxConcurrency: number; maxWaiting: number },
  ): Promise<{ state: 'held' | 'waiting' | 'full'; letIn: string[] }>
  /** Gives up the slot or the place, and lets in who is next. */
  leave(ticket: Ticket, maxConcurrency: number): Promise<string[]>
  /** Lets in who may go on since workers have died or the limit was raised. */
  advance(teamId: string, maxConcurrency: number): Promise<string[]>
  /** Those of its tickets that hold a slot. */
  heldBy(workerId: string): Promise<string[]>
  load(teamId: string): Promise<TeamLoad>

  /** Counts a call in the running minute, unless `limit` are counted already; how many are left after it. */
  countCall(call: { teamId: string; endpoint: string; limit: number }): Promise<{ isCounted: boolean; left: number }>

  /** Holds back credits until the job is recorded; false when that would take more than the team has. */
  holdCredits(hold: {
    jobId: string
    teamId: string
    workerId: string
    credits: number
    limit: number
    since: number
  }): Promise<boolean>
  releaseCredits(jobId: string): Promise<void>

  /** Begins or extends the lease of a worker; false when it had none, so that what it had taken is gone. */
  renew(workerId: string, leaseMs: number): Promise<boolean>
  /** Those with a lease. */
  workers(): Promise<string[]>
  /** Frees all that the worker has taken. */
  release(workerId: string): Promise<void>
}
