import type { Config } from '../config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/ports.ts'
import type { Store } from '../engine/store/open-store.ts'

export async function openStore(config: Config, clock: Clock, log: Log): Promise<Store> {
  const { openStore: open } = await import('../engine/store/open-store.ts')
  const megabyte = 1024 * 1024
  return open({
    dir: config.dataDir === 'memory' ? null : config.dataDir,
    clock,
    cacheMaxBytes: config.cacheMaxMb * megabyte,
    jobRetentionMs: config.jobRetentionHours * 3_600_000,
    log,
  })
}
