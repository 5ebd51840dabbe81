import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lazyPort, once, type Lazy } from './core/lazy.ts'
import type { FetchPage } from './core/fetch.ts'
import type { Log } from './core/log.ts'
import type { Clock, Files, Hosts, Jobs, PageCache, Ports, ReadHtml, Usage } from './core/ports.ts'
import type { Config } from './config.ts'
import type { Store } from './engine/store/open-store.ts'
import { maxUploadBytes } from './schema/upload.ts'

type Load = Ports['account']['load']
export type Wiring = {
  ports: Ports
  store: Lazy<Store>
  /** Ends what was opened; what was never used has nothing to end. */
  close(): Promise<void>
}

/** Makes the ports of the engine from the settings. Opens and loads nothing: each is made when it is first used. */
export function wire(config: Config, clock: Clock, load: Load, log: Log): Wiring {
  const store = once(() => openStore(config, clock, log))
  const network = once(() => openNetwork(config))
  const reader = once(async () => (await import('./engine/html/threads/reader.ts')).createReader())
  const children = once(async () => (await import('./engine/document/children.ts')).createChildren())
  const renderer = once(async () => openRenderer(config, clock, await network(), log))
  const readHtml: ReadHtml = async (request, signal) => (await reader())(request, signal)
  const documents = once(async () =>
    (await import('./engine/document/reader.ts')).createDocumentReader({ readHtml }, children),
  )
  const media = once(async () => openMedia(config, await network()))
  const files = once(async () =>
    (await import('./engine/document/local-files.ts')).createLocalFiles(config.fileFolders, maxUploadBytes),
  )
  return {
    store,
    ports: {
      clock,
      fetchPage: async (request) => {
        // The thread that will read the page starts while the page is on its way.
        reader().then(
          (open) => open.warm(),
          // Whoever reads the page meets the same failure, and tells it.
          () => undefined,
        )
        return (await network()).fetchPage(request)
      },
      renderPage: async (request) => (await renderer()).renderPage(request),
      readHtml,
      findMedia: async (request) => (await media()).findMedia(request),
      readDocument: async (request, signal) => (await documents())(request, signal),
      files: lazyPort<Files>(files, ['read']),
      hosts: lazyPort<Hosts>(async () => (await store()).hosts, ['needsBrowser', 'note']),
      pages: lazyPort<PageCache>(async () => (await store()).pages, ['find', 'body', 'keep', 'addMade']),
      jobs: lazyPort<Jobs>(async () => (await store()).jobs, ['record', 'find', 'activity']),
      usage: lazyPort<Usage>(async () => (await store()).usage, ['months', 'since']),
      account: { monthlyCredits: config.monthlyCredits, maxConcurrency: config.maxConcurrency, load },
    },
    async close() {
      // The browser first: its pages go out through the network.
      await Promise.allSettled([
        renderer.close((open) => open.close()),
        media.close((open) => open.close()),
        store.close((open) => open.close()),
        children.close(async (open) => open.close()),
        reader.close(async (open) => open.close()),
      ])
      await network.close((open) => open.close())
    },
  }
}

async function openStore(config: Config, clock: Clock, log: Log): Promise<Store> {
  const { openStore: open } = await import('./engine/store/open-store.ts')
  const megabyte = 1024 * 1024
  return open({
    dir: config.dataDir === 'memory' ? null : config.dataDir,
    clock,
    cacheMaxBytes: config.cacheMaxMb * megabyte,
    jobRetentionMs: config.jobRetentionHours * 3_600_000,
    log,
  })
}

type Network = Awaited<ReturnType<typeof openNetwork>>

async function openNetwork(config: Config) {
  const { createAddressRule } = await import('./engine/net/address.ts')
  const { createFetcher } = await import('./engine/net/client.ts')
  const { createProxyChoice, parseProxy } = await import('./engine/net/proxy-address.ts')
  const rule = createAddressRule(config.allowHosts)
  const chooseProxy = createProxyChoice(config.proxies.map(parseProxy))
  return { rule, chooseProxy, ...createFetcher({ userAgent: config.userAgent, rule, chooseProxy }) }
}

async function openRenderer(config: Config, clock: Clock, { rule, chooseProxy, fetchPage }: Network, log: Log) {
  const { createRenderer } = await import('./engine/browser/renderer.ts')
  const { createProfileStore } = await import('./engine/browser/profile/store.ts')
  const { createEgress } = await import('./engine/net/egress.ts')
  const { createAdHosts } = await import('./engine/net/block-list.ts')
  const lists = await Promise.all(config.blockLists.map((place) => listAt(place, fetchPage, log)))
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

/** Programs that find media go out as a browser does, by a proxy of our own that keeps the rule on addresses. */
async function openMedia({ ytDlpPath: program }: Config, { rule, chooseProxy }: Network) {
  const { createYtDlp } = await import('./engine/media/yt-dlp.ts')
  const { createEgress } = await import('./engine/net/egress.ts')
  const { createAdHosts } = await import('./engine/net/block-list.ts')
  const egress = createEgress({ rule, adHosts: createAdHosts([]) })
  const exit = { blockAds: false, proxy: chooseProxy({ pool: 'basic' }) }
  return {
    findMedia: createYtDlp({
      program,
      proxy: async () => `http://${await egress.addressOf(exit)}`,
      // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
      environment: process.env,
    }),
    close: () => egress.close(),
  }
}

/** A list that cannot be read blocks nothing; pages come all the same. */
async function listAt(place: string, fetchPage: FetchPage, log: Log): Promise<string> {
  try {
    return /^https?:/i.test(place) ? await listFrom(place, fetchPage) : await readFile(place, 'utf8')
  } catch (error) {
    log.warn('blockList', { place, error })
    return ''
  }
}

const listWaitMs = 10_000
const maxListBytes = 20_000_000

async function listFrom(url: string, fetchPage: FetchPage): Promise<string> {
  const signal = AbortSignal.timeout(listWaitMs)
  const { status, body } = await fetchPage({
    url,
    headers: {},
    skipTlsVerification: false,
    maxBytes: maxListBytes,
    signal,
  })
  if (status !== 200) throw new Error(`The list answered with status ${status}`)
  return Buffer.from(body).toString()
}
