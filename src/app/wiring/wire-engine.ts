import type { BrowsePage, ExchangeListener } from '../../contracts/fetch.ts'
import type { Clock, Documentation, Ports } from '../../contracts/ports.ts'
import { createTeamSecrets } from '../../engine/webhook/sender.ts'
import type { Store } from '../../engine/store/store.ts'
import type { Log } from '../../kernel/log.ts'
import { type Lazy, once, lazyPort } from '../../util/async.ts'
import type { Config } from '../config.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { openAccount } from './open-account.ts'
import { type BrowserTools, openLiveBrowsers } from './live-browsers.ts'
import { type Network, openForwardProxies, openNetwork } from './open-network.ts'
import { openJobs } from './job-runners.ts'
import { browserFinding, openRenderer } from './open-browser.ts'
import { openSearch, searchFinding } from './open-search.ts'
import { modelPort } from './open-model.ts'
import { filesPort, openPagePorts, openReaders, type Watchers } from './page-ports.ts'
import { openStore, storePorts } from './store-wiring.ts'

/** Index of the documentation, shared by all apps of a process. The first question creates it. */
const documentation = once(async () => (await import('../../engine/support/docs/docs-index.ts')).openDocumentation())

/** Values and functions that the engine gets from the app. */
export type Surroundings = {
  clock: Clock
  log: Log
  telemetry: Telemetry
  callers: BrowserTools['callers']
  hasOthers: BrowserTools['hasOthers']
  /** Address of the live view for sessions of local callers. */
  ownBaseUrl(): Promise<string>
  /** Called after each read of a page. */
  worked(): void
}
export type Wiring = {
  ports: Ports
  sessionEvents: ReturnType<typeof openLiveBrowsers>['events']
  /** This server in a cluster; absent if it does not share its data. */
  cluster: ReturnType<typeof openLiveBrowsers>['cluster']
  /** Closes the live browsers of this process before anything else. */
  endSessions(): Promise<void>
  store: Lazy<Store>
  /** Resumes jobs of an earlier process, and runs those that other programs start. */
  resumeJobs(): void
  /** Adds a listener to every page fetched over the network; returns a function that removes it. */
  watchExchanges(listener: ExchangeListener): () => void
  watchers: Watchers
  /** Closes everything that was opened. */
  close(): Promise<void>
}

/** Creates the ports of the engine from the settings. Opens and loads nothing: each is created on first use. */
export function wire(config: Config, { clock, log, telemetry, worked, ...surroundings }: Surroundings): Wiring {
  const watchesFolder = surroundings.callers === 'over HTTP'
  const store = once(() => openStore(config, { clock, log, telemetry, watchesFolder }))
  const { browsePage, network } = openFetching(config, store, () => renderer())
  const forwardProxies = once(async () => openForwardProxies(config, await network(), log))
  const renderer = once(async () => openRenderer(config, clock, await network(), await forwardProxies(), log))
  const media = once(async () => openMedia(config, await network()))
  const readers = openReaders({ telemetry, worked })
  const search = once(async () => openSearch(config, ports, await network()))
  const pages = openPagePorts(clock, { network, renderer, telemetry, warm: () => readers.warm() })
  const browsing = { store, network, forwardProxies, clock, log, ...surroundings }
  const sessions = openLiveBrowsers(config, browsing, () => ports)
  const stored = storePorts(store)
  const account = openAccount(config, { usage: stored.usage, store, clock, log })
  const model = modelPort(config, { ports: { clock, usage: stored.usage }, telemetry, log })
  const jobs = openJobs(config, { ...browsing, ports: () => ports, browsePage, telemetry, watchers: pages.watchers })
  const ports: Ports = {
    ...stored,
    clock,
    ...pages.ports,
    ...readers.ports,
    model: model.port,
    findMedia: async (request) => (await media()).findMedia(request),
    files: filesPort(config),
    ...jobs.ports,
    search: async (request) => (await search()).search(request),
    sessions: sessions.port,
    docs: lazyPort<Documentation>(documentation),
    machine: { browser: () => browserFinding(config), search: () => searchFinding(config) },
    locationMode: config.locationMode,
    ...account.ports,
    webhookSecret: webhookSecrets(config, store, surroundings.hasOthers),
  }
  return {
    store,
    ports,
    sessionEvents: sessions.events,
    cluster: sessions.cluster,
    endSessions: sessions.end,
    resumeJobs: jobs.resume,
    watchExchanges: pages.watch,
    watchers: pages.watchers,
    async close() {
      await sessions.end()
      // Each part closes before the parts it uses: the jobs first, the network last.
      await jobs.close().catch((cause: unknown) => log.error('jobs could not be closed', { cause }))
      await model.close()
      await account.close().catch((cause: unknown) => log.error('quotas could not be released', { cause }))
      await Promise.allSettled([
        renderer.close((open) => open.close()),
        media.close((open) => open.close()),
        search.close((open) => open.close()),
        store.close((open) => open.close()),
        readers.close(),
      ])
      await forwardProxies.close((open) => open.close())
      await network.close((open) => open.close())
    },
  }
}

/** yt-dlp reaches the network through a forward proxy, which enforces the address rules. */
async function openMedia({ ytDlpPath: program }: Config, { ruleOf, chooseProxy }: Network) {
  const { createYtDlp } = await import('../../engine/media/yt-dlp.ts')
  const { createForwardProxies } = await import('../../engine/net/proxy/forward-proxy.ts')
  const { createAdHosts } = await import('../../engine/net/proxy/block-list.ts')
  const forwardProxies = createForwardProxies({ ruleOf, adHosts: createAdHosts([]) })
  const use = { blockAds: false, proxy: chooseProxy({ pool: 'basic' }) }
  return {
    findMedia: createYtDlp({
      program,
      proxy: async (teamId) => `http://${(await forwardProxies.proxyFor({ teamId, ...use })).server}`,
      // oxlint-disable-next-line node/no-process-env -- yt-dlp is looked up on the PATH
      environment: process.env,
    }),
    close: () => forwardProxies.close(),
  }
}

/** Opens the network, which fetches a page with the browser if plain HTTP is not enough. */
function openFetching(config: Config, store: Lazy<Store>, renderer: () => Promise<{ browsePage: BrowsePage }>) {
  const browsePage: BrowsePage = async (request) => (await renderer()).browsePage(request)
  const teams = { stateOf: async (id: string) => (await store()).teams.stateOf(id) }
  return { browsePage, network: once(() => openNetwork(config, teams, browsePage)) }
}

const webhookSecrets =
  (config: Config, store: Lazy<Store>, hasOthers: Surroundings['hasOthers']): Ports['webhookSecret'] =>
  async (teamId) =>
    createTeamSecrets({
      teams: (await store()).teams,
      shared: config.webhookSecret,
      hasOthers: (id) => hasOthers({ teamId: id, keyName: '' }),
    })(teamId)
