import type { BrowsePage, ExchangeListener } from '../../contracts/fetch.ts'
import type { Clock, Documentation, Machine, Ports } from '../../contracts/ports.ts'
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
import { browserFinding, openRenderer, searchFinding } from './machine-port.ts'
import { modelPort } from './open-model.ts'
import { filesPort, openPagePorts, openReaders, type Watchers } from './page-ports.ts'
import { openStore, storePorts } from './store-wiring.ts'
import type { Search } from '../../contracts/search-port.ts'

type Parts = { ports: Pick<Ports, 'clock' | 'index' | 'renderPage'>; network: () => Promise<Network> }

/** Search providers in order, with their known state. */
async function openSearch(
  config: Config,
  { ports, network }: Parts,
): Promise<{ search: Search; close(): Promise<void> }> {
  const { createBreaker, createResponseCache, localProvider, searchChain } =
    await import('../../engine/search/chain.ts')
  const { chooseProviders, inOrder } = await import('../../engine/search/providers/table.ts')
  const { resultsPages } = await import('../../engine/search/results-pages/results-pages.ts')
  const { createApiClient } = await import('../../engine/net/http/api-client.ts')
  const { clock, renderPage, index } = ports
  const { rule } = await network()
  const trusted = config.searxngUrl === undefined ? [] : [new URL(config.searxngUrl).origin]
  const api = createApiClient({ rule, userAgent: config.userAgent, trusted })
  const chain = {
    providers: inOrder({
      apis: chooseProviders(api, config),
      pages: resultsPages({ renderPage, clock, enabled: config.searchResultsPages }),
      order: config.searchProviders,
    }),
    local: localProvider(index),
    breaker: createBreaker(clock),
    cache: createResponseCache(clock),
  }
  return { search: (request) => searchChain({ clock }, chain, request), close: () => api.close() }
}

/** Shared by all apps of a process. */
const documentation = once(async () => (await import('../../engine/support/docs/docs-index.ts')).openDocumentation())

/** The documentation is read and indexed at the first question. */
const documentationPort = (): Documentation => lazyPort<Documentation>(documentation)

/** Decisions made above the engine. */
export type Surroundings = {
  clock: Clock
  log: Log
  telemetry: Telemetry
  callers: BrowserTools['callers']
  hasOthers: BrowserTools['hasOthers']
  /** Address of the live view for sessions of local callers. */
  ownBaseUrl(): Promise<string>
  /** Called after each page that was read. */
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
  /** Adds a listener to every page fetched over the network; returns a function that removes it. */
  watchExchanges(listener: ExchangeListener): () => void
  watchers: Watchers
  /** Closes everything that was opened. */
  close(): Promise<void>
}

/** Machine checks of the doctor, for explanations of failed jobs. */
const machinePort = (config: Config): Machine => ({
  browser: () => browserFinding(config),
  search: () => searchFinding(config),
})

/** Creates the ports of the engine from the settings. Opens and loads nothing: each is created on first use. */
export function wire(config: Config, { clock, log, telemetry, worked, ...surroundings }: Surroundings): Wiring {
  const watchesFolder = surroundings.callers === 'over HTTP'
  const store = once(() => openStore(config, { clock, log, telemetry, watchesFolder }))
  const { browsePage, network } = openWays(config, store, () => renderer())
  const forwardProxies = once(async () => openForwardProxies(config, await network(), log))
  const renderer = once(async () => openRenderer(config, clock, await network(), await forwardProxies(), log))
  const media = once(async () => openMedia(config, await network()))
  const readers = openReaders({ telemetry, worked })
  const searching = once(() => openSearch(config, { ports, network }))
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
    readHtml: readers.readHtml,
    readDocument: readers.readDocument,
    model: model.port,
    findMedia: async (request) => (await media()).findMedia(request),
    files: filesPort(config),
    ...jobs.ports,
    search: async (request) => (await searching()).search(request),
    sessions: sessions.port,
    docs: documentationPort(),
    machine: machinePort(config),
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
    watchExchanges: (listener) => pages.watch(listener),
    watchers: pages.watchers,
    async close() {
      await sessions.end()
      // Users close before what they use, and the browser before the network that its pages use.
      await jobs.close().catch((cause: unknown) => log.error('jobs could not be closed', { cause }))
      await model.close()
      await account.close().catch((cause: unknown) => log.error('quotas could not be given back', { cause }))
      await Promise.allSettled([
        renderer.close((open) => open.close()),
        media.close((open) => open.close()),
        searching.close((open) => open.close()),
        store.close((open) => open.close()),
        readers.close(),
      ])
      await forwardProxies.close((open) => open.close())
      await network.close((open) => open.close())
    },
  }
}

/** Programs that find media use the same forward proxy as browsers, which enforces the address rules. */
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
      // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
      environment: process.env,
    }),
    close: () => forwardProxies.close(),
  }
}

/** The network, including the browser it falls back to. */
function openWays(config: Config, store: Lazy<Store>, renderer: () => Promise<{ browsePage: BrowsePage }>) {
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
