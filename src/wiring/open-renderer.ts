import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/ports.ts'
import { readLists } from './block-lists.ts'
import type { Network } from './open-network.ts'

export async function openRenderer(config: Config, clock: Clock, { rule, chooseProxy, fetchPage }: Network, log: Log) {
  const { createRenderer } = await import('../engine/browser/renderer.ts')
  const { createProfileStore } = await import('../engine/browser/profile/store.ts')
  const { createEgress } = await import('../engine/net/egress.ts')
  const { createAdHosts } = await import('../engine/net/block-list.ts')
  const lists = await readLists(config.blockLists, fetchPage, log)
  const egress = createEgress({ rule, adHosts: createAdHosts(lists) })
  const { browserPath, browserCdpUrl } = config
  const dataDir = browserFolder(config)
  const settings = { browserPath, browserCdpUrl }
  const profiles = createProfileStore({
    dir: config.dataDir === 'memory' ? null : config.dataDir,
    key: config.profileKey,
    clock,
  })
  const renderer = createRenderer({ settings, dataDir, egress, profiles, chooseProxy, fetchPage, log })
  return {
    ...renderer,
    async close() {
      await renderer.close()
      await egress.close()
    },
  }
}

/** Where a browser lies that was installed for us. */
export const browserFolder = ({ dataDir }: Pick<Config, 'dataDir'>) =>
  join(dataDir === 'memory' ? tmpdir() : dataDir, 'browser')
