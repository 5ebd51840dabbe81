import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../kernel/log.ts'
import type { Config } from '../config.ts'
import type { OpenForwardProxies } from './forward-proxies.ts'
import type { Network } from './network.ts'
import type { Clock } from '../../contracts/ports.ts'

export async function openRenderer(
  config: Config,
  clock: Clock,
  { chooseProxy, fetchPage }: Network,
  forwardProxies: OpenForwardProxies,
  log: Log,
) {
  const { createRenderer } = await import('../../engine/browser/pool/renderer.ts')
  const { browserPath, browserCdpUrl } = config
  const settings = { browserPath, browserCdpUrl }
  const profiles = await openProfiles(config, clock)
  return createRenderer({
    settings,
    dataDir: browserFolder(config),
    forwardProxies,
    profiles,
    chooseProxy,
    fetchPage,
    log,
  })
}

export async function openProfiles({ dataDir, profileKey }: Config, clock: Clock) {
  const { createProfileStore } = await import('../../engine/browser/profile/store.ts')
  return createProfileStore({ dir: dataDir === 'memory' ? null : dataDir, key: profileKey, clock })
}

/** Where a browser lies that was installed for us. */
export const browserFolder = ({ dataDir }: Pick<Config, 'dataDir'>) =>
  join(dataDir === 'memory' ? tmpdir() : dataDir, 'browser')
