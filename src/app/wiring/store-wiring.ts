import type { Crawls, Snapshots } from '../../contracts/crawl-ports.ts'
import type { Ports, Clock } from '../../contracts/ports.ts'
import type { PageIndex, Hosts, PageCache } from '../../contracts/stored-pages.ts'
import type { Log } from '../../kernel/log.ts'
import { lazyPort, once } from '../../util/async.ts'
import type { Config } from '../config.ts'
import { measuredStore, noTelemetry, type Telemetry } from '../telemetry/telemetry.ts'
import { teamOfConfigured } from '../../engine/account/authenticate.ts'
import type { Objects } from '../../engine/store/data-places.ts'
import type { Store, StoreOptions } from '../../engine/store/store.ts'
import type { Jobs, Refusals, Storage } from '../../contracts/job-ports.ts'
import type { Keys, Teams, Usage } from '../../contracts/account-ports.ts'
import type { Monitors, Workflows } from '../../contracts/workflow.ts'

type Around = {
  clock: Clock
  log: Log
  telemetry: Telemetry
  /** Set for servers only. Agents start many programs on one folder, and each would join every crawl. */
  watchesFolder: boolean
}

export async function openStore(config: Config, { clock, log, telemetry, watchesFolder }: Around): Promise<Store> {
  const { openStore: open } = await import('../../engine/store/open-store.ts')
  const { holdInMemory } = await import('../../engine/store/unkept.ts')
  const options = { ...storeOptions(config, clock, log), watchesFolder }
  const kept = await open({ ...options, objects: objectsPort(config, telemetry) })
  const store = holdInMemory(kept, {
    clock,
    open: () => open({ ...options, dir: null, databaseUrl: undefined, memoryMaxBytes: unkeptMaxBytes }),
  })
  return telemetry === noTelemetry ? store : measuredStore(store, telemetry)
}

export const storeOptions = (config: Config, clock: Clock, log: Log): StoreOptions => ({
  dir: config.dataDir === 'memory' ? null : config.dataDir,
  databaseUrl: config.databaseUrl,
  clock,
  cacheMaxBytes: config.cacheMaxMb * megabyte,
  jobRetentionMs: config.jobRetentionHours * 3_600_000,
  // Only the authorization server knows which teams have tokens.
  hasOtherAccess: (teamId) => config.oauthIssuer !== undefined || config.apiKeys.map(teamOfConfigured).includes(teamId),
  log,
})

/**
 * Object store for large files, if the settings name one; loaded by the first call, and each call is measured. A database in
 * memory has none, because its files would outlive it.
 */
export function objectsPort(
  { objectsUrl, databaseUrl, dataDir, userAgent }: Config,
  { measure }: Pick<Telemetry, 'measure'>,
): Objects | undefined {
  if (objectsUrl === undefined || (databaseUrl === undefined && dataDir === 'memory')) return undefined
  const open = once(async () =>
    (await import('../../engine/objects/s3-objects.ts')).openS3Objects(objectsUrl, userAgent),
  )
  return {
    put: (key, content) => measure({ kind: 'objects', name: 'put' }, async () => (await open()).put(key, content)),
    get: (key, size) => measure({ kind: 'objects', name: 'get' }, async () => (await open()).get(key, size)),
    delete: (key) => measure({ kind: 'objects', name: 'delete' }, async () => (await open()).delete(key)),
    close: () => open.close((opened) => opened.close()),
  }
}

const megabyte = 1024 * 1024
/** Maximum of jobs that may not be stored; more are refused. */
const unkeptMaxBytes = 512 * megabyte

type StorePorts = Pick<
  Ports,
  | 'hosts'
  | 'pages'
  | 'index'
  | 'jobs'
  | 'storage'
  | 'usage'
  | 'crawls'
  | 'deliveries'
  | 'snapshots'
  | 'refusals'
  | 'workflows'
  | 'teams'
  | 'keys'
  | 'monitors'
>

/** Ports backed by the database, which the first call opens. */
export function storePorts(store: () => Promise<Store>): StorePorts {
  return {
    hosts: lazyPort<Hosts>(async () => (await store()).hosts, { needsBrowser: true, addsNothing: true, note: true }),
    pages: lazyPort<PageCache>(async () => (await store()).pages, {
      find: true,
      body: true,
      madeOfSame: true,
      keep: true,
      addMade: true,
    }),
    index: lazyPort<PageIndex>(async () => (await store()).index, {
      put: true,
      search: true,
      highlights: true,
      urlsOf: true,
      facts: true,
      prune: true,
    }),
    jobs: lazyPort<Jobs>(async () => (await store()).jobs, { record: true, find: true, activity: true }),
    storage: lazyPort<Storage>(async () => (await store()).storage, { isFull: true }),
    snapshots: lazyPort<Snapshots>(async () => (await store()).snapshots, { last: true, keep: true }),
    refusals: lazyPort<Refusals>(async () => (await store()).refusals, { note: true, list: true }),
    deliveries: lazyPort<Ports['deliveries']>(async () => (await store()).deliveries, {
      abandoned: true,
      missed: true,
    }),
    ...accountPorts(store),
    ...workflowPort(store),
    crawls: lazyPort<Crawls>(async () => (await store()).crawls, {
      start: true,
      find: true,
      running: true,
      add: true,
      skip: true,
      claim: true,
      finish: true,
      setCrawlDelay: true,
      claimSeeding: true,
      setFinalUrl: true,
      finishSeeding: true,
      seeding: true,
      warn: true,
      complete: true,
      cancel: true,
      append: true,
      progress: true,
      document: true,
      documentOf: true,
      refused: true,
      failures: true,
      stopClaiming: true,
      skipped: true,
      skippedAfter: true,
      renew: true,
      release: true,
      reap: true,
    }),
  }
}

function workflowPort(store: () => Promise<Store>): Pick<Ports, 'workflows' | 'monitors'> {
  return {
    workflows: lazyPort<Workflows>(async () => (await store()).workflows, {
      start: true,
      find: true,
      running: true,
      claim: true,
      renew: true,
      workers: true,
      release: true,
      step: true,
      endStep: true,
      report: true,
      finish: true,
      cancel: true,
    }),
    monitors: lazyPort<Monitors>(async () => (await store()).monitors, {
      add: true,
      find: true,
      list: true,
      update: true,
      remove: true,
      due: true,
      ahead: true,
      reschedule: true,
      upcoming: true,
      begin: true,
      checks: true,
    }),
  }
}

function accountPorts(store: () => Promise<Store>): Pick<Ports, 'teams' | 'keys' | 'usage'> {
  return {
    usage: lazyPort<Usage>(async () => (await store()).usage, {
      months: true,
      days: true,
      since: true,
      charge: true,
      addModel: true,
      modelMonths: true,
    }),
    teams: lazyPort<Teams>(async () => (await store()).teams, {
      add: true,
      change: true,
      find: true,
      stateOf: true,
      list: true,
      remove: true,
    }),
    keys: lazyPort<Keys>(async () => (await store()).keys, { add: true, list: true, revoke: true, find: true }),
  }
}
