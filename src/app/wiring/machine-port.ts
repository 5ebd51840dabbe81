import { type Clock, type Finding, findingsOn } from '../../contracts/ports.ts'
import { searchSources } from '../../schema/search-schema.ts'
import type { AppError } from '../../kernel/error.ts'
import type { Config } from '../config.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../kernel/log.ts'
import type { OpenForwardProxies, Network } from './open-network.ts'

export async function openRenderer(
  config: Config,
  clock: Clock,
  { chooseProxy, fetchPage }: Network,
  forwardProxies: OpenForwardProxies,
  log: Log,
) {
  const { createRenderer } = await import('../../engine/browser/pool/browser-renderer.ts')
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
  const { createProfileStore } = await import('../../engine/browser/profile/profile-store.ts')
  return createProfileStore({ dir: dataDir === 'memory' ? null : dataDir, key: profileKey, clock })
}

export async function openSecrets({ dataDir, profileKey }: Config, clock: Clock) {
  const { createStoredSecrets } = await import('../../engine/session/secrets/typed-secrets.ts')
  return createStoredSecrets({ dir: dataDir === 'memory' ? null : dataDir, key: profileKey, clock })
}

/** Folder of a browser that was installed for this program. */
export const browserFolder = ({ dataDir }: Pick<Config, 'dataDir'>) =>
  join(dataDir === 'memory' ? tmpdir() : dataDir, 'browser')

/** Returns the browser that would be started. */
export async function browserFinding(config: Config): Promise<Finding> {
  const { ok, note } = findingsOn('Browser')
  try {
    const [{ findBrowser }, { machineProbes }] = await Promise.all([
      import('../../engine/browser/find/find-browser.ts'),
      import('../../engine/browser/find/machine-probes.ts'),
    ])
    const found = await findBrowser('shell', config, machineProbes(browserFolder(config)))
    return ok(found.from === 'remote' ? 'a remote one (GOSSAMER_BROWSER_CDP_URL)' : found.path)
  } catch (thrown) {
    const { message, hint } = thrown as AppError
    return note(`${message} Pages are fetched by plain HTTP only.`, hint)
  }
}

const steadier =
  'Set GOSSAMER_SEARXNG_URL, or a key such as GOSSAMER_BRAVE_KEY or GOSSAMER_TAVILY_KEY, for reliable results.'

/** Returns the search providers by kind of source, and settings that would improve search. Sends no request. */
export async function searchFinding(config: Config): Promise<Finding> {
  const { ok, note } = findingsOn('Search')
  if (config.remoteUrl !== undefined) return ok('done by the remote service')
  const { keyed, pages, providers } = await providersOf(config)
  const unusable = config.searchProviders.filter(
    (name) => name !== 'local' && !providers.some((provider) => provider.name === name),
  )
  if (unusable.length > 0)
    return note(
      `${unusable.join(', ')} cannot be used; ${listed(providers)}`,
      'Correct the names in GOSSAMER_SEARCH_PROVIDERS, or set the key or URL they need.',
    )
  if (keyed.length > 0) return ok(listed(providers))
  const means = pages.length > 0 ? '; web results come from public results pages opened in the browser' : ''
  return note(`${listed(providers)}${means}`, steadier)
}

const nobody = () => Promise.reject(new Error('nobody is asked here'))

async function providersOf(config: Config) {
  const { chooseProviders, inOrder, searchesWholeWeb } = await import('../../engine/search/providers/table.ts')
  const { resultsPages } = await import('../../engine/search/results-pages/results-pages.ts')
  const apis = chooseProviders({ call: nobody }, config)
  const pages = resultsPages({
    renderPage: nobody,
    clock: { now: Date.now },
    enabled: config.searchResultsPages,
  })
  const providers = inOrder({ apis, pages, order: config.searchProviders })
  return {
    providers,
    keyed: providers.filter(searchesWholeWeb),
    pages: providers.filter((each) => pages.includes(each)),
  }
}

function listed(providers: Awaited<ReturnType<typeof providersOf>>['providers']): string {
  if (providers.length === 0) return 'only the local index is searched'
  const bySource = searchSources.map((source) => {
    const names = providers.filter(({ sources }) => sources.has(source)).map(({ name }) => name)
    return `${source}: ${names.join(', ') || 'none'}`
  })
  return bySource.join('; ')
}
