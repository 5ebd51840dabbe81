import { type Clock, type Finding, findingsOn } from '../../contracts/ports.ts'
import type { AppError } from '../../kernel/error.ts'
import type { Config } from '../config.ts'
import type { Log } from '../../kernel/log.ts'
import type { Network, OpenForwardProxies } from './open-network.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function openRenderer(
  config: Config,
  clock: Clock,
  { chooseProxy, fetchPage }: Network,
  forwardProxies: OpenForwardProxies,
  log: Log,
) {
  const { createRenderer } = await import('../../engine/browser/pool/browser-renderer.ts')
  const { browserPath, browserCdpUrl } = config
  return createRenderer({
    settings: { browserPath, browserCdpUrl },
    dataDir: browserFolder(config),
    forwardProxies,
    profiles: await openProfiles(config, clock),
    chooseProxy,
    fetchPage,
    log,
  })
}

export async function openProfiles({ dataDir, profileKey }: Config, clock: Clock) {
  const { createProfileStore } = await import('../../engine/browser/profile/profile-store.ts')
  return createProfileStore({ dir: dataDir === 'memory' ? null : dataDir, key: profileKey, clock })
}

export async function openSecrets({ dataDir, profileKey }: Config, clock: Clock) {
  const { createStoredSecrets } = await import('../../engine/session/secrets/typed-secrets.ts')
  return createStoredSecrets({ dir: dataDir === 'memory' ? null : dataDir, key: profileKey, clock })
}

/** Folder into which `gossamer browser install` puts a browser. */
export const browserFolder = ({ dataDir }: Pick<Config, 'dataDir'>) =>
  join(dataDir === 'memory' ? tmpdir() : dataDir, 'browser')

/** Reports which browser would be started. */
export async function browserFinding(config: Config): Promise<Finding> {
  const { ok, note } = findingsOn('Browser')
  try {
    const [{ findBrowser }, { machineProbes }] = await Promise.all([
      import('../../engine/browser/find/find-browser.ts'),
      import('../../engine/browser/find/machine-probes.ts'),
    ])
    const browser = await findBrowser('shell', config, machineProbes(browserFolder(config)))
    return ok(browser.from === 'remote' ? 'a remote one (GOSSAMER_BROWSER_CDP_URL)' : browser.path)
  } catch (thrown) {
    const { message, hint } = thrown as AppError
    return note(`${message} Pages are fetched by plain HTTP only.`, hint)
  }
}
