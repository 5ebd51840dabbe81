import { availableParallelism } from 'node:os'
import type { BrowsePage, FetchPage } from '../../../contracts/fetch.ts'
import type { RenderedPage, RenderPage, RenderRequest } from '../../../contracts/render-port.ts'
import { failure } from '../../../kernel/error.ts'
import type { Log } from '../../../kernel/log.ts'
import { DeadlineError } from '../../../util/async.ts'
import type { ForwardProxies, ForwardProxy } from '../../net/proxy/forward-proxy.ts'
import type { UpstreamProxy, ProxyCriteria } from '../../net/proxy/upstream-proxy.ts'
import { CdpError } from '../cdp/cdp-session.ts'
import { type BrowserSettings, findBrowser, type BrowserKind } from '../find/find-browser.ts'
import { machineProbes } from '../find/machine-probes.ts'
import { type LaunchOptions, createLauncher, isOnThisMachine, noPopups } from '../launch/launcher.ts'
import { rawGet } from '../page/raw-get.ts'
import { pageSetupOf, render } from '../page/render-page.ts'
import type { OpenProfile, ProfileStore } from '../profile/profile-store.ts'
import { type ProfileTab, withState } from '../profile/browser-state.ts'
import { createPool, type Pool, type PoolOptions } from './pool.ts'
import type { Reuse } from './shared-pages.ts'

export type RendererOptions = Pick<LaunchOptions, 'profileRoot'> &
  Pick<PoolOptions, 'wear'> & {
    settings: BrowserSettings
    dataDir: string
    forwardProxies: ForwardProxies
    profiles: Pick<ProfileStore, 'open'>
    chooseProxy(request: ProxyCriteria): UpstreamProxy | undefined
    fetchPage: FetchPage
    log: Log
    maxPages?: number
  }
type Renderer = { renderPage: RenderPage; browsePage: BrowsePage; close(): Promise<void> }

/** Renders pages with local browsers: a headless shell by default, the full Chrome for the enhanced proxy mode. */
export function createRenderer(options: RendererOptions): Renderer {
  // Browsers start on first use.
  const pools = { shell: openPool('shell', options), full: openPool('full', options) }
  return {
    async renderPage(request) {
      const { teamId, signal, actions } = request
      try {
        const isEnhanced = request.proxy === 'enhanced'
        const pace = isEnhanced ? ('person' as const) : ('machine' as const)
        const { forBrowsers, errorOf, mayOpen } = await forwardProxyFor(request, options)
        const contextOptions = { proxyServer: forBrowsers, pace }
        // Actions may have side effects such as a purchase, so they are never repeated.
        const tries = actions.length > 0 ? 1 : 2
        const pool = pools[isEnhanced ? 'full' : 'shell']
        const page = await withProfile(request, options, (profile) =>
          pool.withTab(
            { teamId, contextOptions, reuse: reuseOf(request), signal, tries },
            (tab, { version, connection }) => {
              const work = () => render(tab, request, { version, proxyErrorOf: errorOf, mayOpen })
              return profile ? inProfileState({ tab, connection, profile, log: options.log }, work, signal) : work()
            },
          ),
        )
        return 'body' in page ? page : await fetchFile(page, request, options.fetchPage)
      } catch (error) {
        throw signal.aborted ? signal.reason : toAppError(error)
      }
    },
    async browsePage(request) {
      const { teamId, proxy = 'basic', country, signal } = request
      try {
        const use = { teamId, blockAds: false, proxy, location: country === undefined ? undefined : { country } }
        const { forBrowsers, errorOf } = await forwardProxyFor(use, options)
        const poolRequest = { teamId, contextOptions: { proxyServer: forBrowsers }, signal, tries: 1 }
        return await pools.shell.withTab(poolRequest, (tab, { version }) =>
          rawGet(tab, request, { version, proxyErrorOf: errorOf }),
        )
      } catch (error) {
        throw signal.aborted ? signal.reason : toAppError(error)
      }
    },
    async close() {
      await Promise.all([pools.shell.close(), pools.full.close()])
    },
  }
}

/** Requests share a context if sites see the same visitor in it. A request that saves a profile does not share one. */
function reuseOf(request: RenderRequest): Reuse | undefined {
  const { reuse, teamId, profile, headers, location, skipTlsVerification } = request
  if (reuse === undefined || profile?.saveChanges) return undefined
  const context = JSON.stringify([reuse, teamId, profile?.name, headers, location, skipTlsVerification])
  return { context, page: pageSetupOf(request) }
}

async function withProfile<T>(
  { teamId, profile }: RenderRequest,
  { profiles }: RendererOptions,
  work: (opened: OpenProfile | undefined) => Promise<T>,
): Promise<T> {
  const opened = profile && (await profiles.open(teamId, profile.name, profile))
  try {
    return await work(opened)
  } finally {
    await opened?.release()
  }
}

type Rendered = Awaited<ReturnType<typeof render>>

async function inProfileState(target: ProfileTab, work: () => Promise<Rendered>, signal: AbortSignal) {
  const { result, warnings } = await withState(target, work, signal)
  const warning = [result.warning, ...warnings].filter(Boolean).join(' ')
  return { ...result, ...(warning !== '' && { warning }) }
}

function openPool(kind: BrowserKind, { settings, dataDir, log, maxPages, wear, profileRoot }: RendererOptions): Pool {
  const launch = createLauncher()
  const launchOptions = { log, more: [noPopups], ...(profileRoot !== undefined && { profileRoot }) }
  return createPool({
    log,
    maxPages: maxPages ?? 2 * availableParallelism(),
    launch: async () => launch(await findBrowser(kind, settings, machineProbes(dataDir)), launchOptions),
    ...(wear && { wear }),
  })
}

/** No proxy for a browser on another machine, which cannot reach our proxy on the loopback interface. */
const noProxy = { forBrowsers: undefined, errorOf: () => undefined, mayOpen: undefined }

async function forwardProxyFor(
  { teamId, blockAds, proxy, location }: Pick<RenderRequest, 'teamId' | 'blockAds' | 'location' | 'proxy'>,
  { forwardProxies, chooseProxy, settings }: RendererOptions,
): Promise<ForwardProxy | typeof noProxy> {
  if (settings.browserCdpUrl !== undefined && !isOnThisMachine(settings.browserCdpUrl)) return noProxy
  const upstream = chooseProxy({ pool: proxy, country: location?.country })
  return forwardProxies.proxyFor({ teamId, blockAds, ...(upstream && { proxy: upstream }) })
}

async function fetchFile(
  { fileUrl, live, warning }: Pick<RenderedPage, 'live' | 'warning'> & { fileUrl: string },
  { teamId, headers, skipTlsVerification, proxy, location, maxBytes, signal, url }: RenderRequest,
  fetchPage: FetchPage,
): Promise<RenderedPage> {
  const isSameOrigin = URL.parse(fileUrl)?.origin === URL.parse(url)?.origin
  const file = await fetchPage({
    url: fileUrl,
    teamId,
    // The caller's headers are for the requested site only.
    headers: isSameOrigin ? headers : {},
    skipTlsVerification,
    proxy,
    country: location?.country,
    maxBytes,
    signal,
  })
  return { ...file, live, ...(warning !== undefined && { warning }) }
}

function toAppError(error: unknown): unknown {
  if (error instanceof DeadlineError)
    return failure('SCRAPE_TIMEOUT', { message: `The browser did not finish a step: ${error.step}.`, cause: error })
  if (!(error instanceof CdpError)) return error
  if (error.why === 'crashed')
    return failure('SCRAPE_SITE_ERROR', { message: 'The page crashed the browser tab.', cause: error })
  if (error.why === 'detached')
    return failure('SCRAPE_SITE_ERROR', { message: 'The page was closed while it was being read.', cause: error })
  return failure('SCRAPE_ALL_ENGINES_FAILED', { message: 'The browser failed while it read the page.', cause: error })
}
