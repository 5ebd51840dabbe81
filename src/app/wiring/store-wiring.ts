import type { Ports, Clock } from '../../contracts/ports.ts'
import type { Log } from '../../kernel/log.ts'
import { lazyPort, once } from '../../util/async.ts'
import type { Config } from '../config.ts'
import { measuredStore, noTelemetry, type Telemetry } from '../telemetry/telemetry.ts'
import { teamOfConfigured } from '../../engine/account/authenticate.ts'
import type { Objects } from '../../engine/store/data-places.ts'
import type { Store, StoreOptions } from '../../engine/store/store.ts'

type Around = {
  clock: Clock
  log: Log
  telemetry: Telemetry
  /**
   * False for stdio and the command line: agents start many such programs on one folder, and each would join every
   * crawl.
   */
  watchesFolder: boolean
}

export async function openStore(config: Config, { clock, log, telemetry, watchesFolder }: Around): Promise<Store> {
  const { openStore: open } = await import('../../engine/store/open-store.ts')
  const { holdInMemory } = await import('../../engine/store/ephemeral-crawls.ts')
  const options = { ...storeOptions(config, clock, log), watchesFolder }
  const durable = await open({ ...options, objects: objectsPort(config, telemetry) })
  const store = holdInMemory(durable, {
    clock,
    open: () => open({ ...options, dir: null, databaseUrl: undefined, memoryMaxBytes: ephemeralMaxBytes }),
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
 * Object store for large files, if the settings name one. The first call loads it. A database in memory gets none,
 * because the files would outlive the database.
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
/** Maximum memory of jobs that may not be stored; more jobs are refused. */
const ephemeralMaxBytes = 512 * megabyte

const storePortNames = [
  'hosts',
  'pages',
  'index',
  'jobs',
  'storage',
  'usage',
  'crawls',
  'deliveries',
  'snapshots',
  'refusals',
  'workflows',
  'teams',
  'keys',
  'monitors',
] as const
type StorePorts = Pick<Ports, (typeof storePortNames)[number]>

/** Ports backed by the database, which the first call opens. */
export const storePorts = (store: () => Promise<Store>): StorePorts =>
  Object.fromEntries(
    storePortNames.map((name) => [name, lazyPort<object>(async () => (await store())[name])]),
  ) as StorePorts
