import { availableParallelism } from 'node:os'
import type { FetchPage } from '../../../contracts/fetch.ts'
import type { RenderedPage, RenderPage, RenderRequest } from '../../../contracts/render.ts'
import { failure } from '../../../kernel/error.ts'
import type { Log } from '../../../kernel/log.ts'
import { DeadlineError } from '../../../util/deadline.ts'
import type { Egress } from '../../net/proxy/egress.ts'
import type { ProxyAddress, ProxyWish } from '../../net/proxy/proxy-address.ts'
import { CdpError } from '../cdp/error.ts'
import { type BrowserSettings, findBrowser } from '../find/find.ts'
import { machineProbes } from '../find/machine.ts'
import type { BrowserKind } from '../find/places.ts'
import type { LaunchOptions } from '../launch/launch.ts'
import { createPlainLaunch, isNear, noPopups } from '../launch/plain.ts'
import { lookOf, render } from '../page/render.ts'
import type { HeldProfile, ProfileStore } from '../profile/store.ts'
import { type StateVisit, withState } from '../profile/with-state.ts'
import { createPool, type Pool, type PoolOptions } from './pool.ts'
import type { Reuse } from './shared-pages.ts'

export type RendererOptions = Pick<LaunchOptions, 'profileRoot'> &
  Pick<PoolOptions, 'wear'> & {
    settings: BrowserSettings
    /** Where an installed browser lies. */
    dataDir: string
    egress: Egress
    profiles: Pick<ProfileStore, 'open'>
    chooseProxy(wish: ProxyWish): ProxyAddress | undefined
    /** Fetches what turns out to be a file. */
    fetchPage: FetchPage
    log: Log
    maxPages?: number
  }
export type Renderer = { renderPage: RenderPage; close(): Promise<void> }

/** Visits pages with browsers of this machine: a headless shell for the most, and the full Chrome for enhanced visits. */
export function createRenderer(options: RendererOptions): Renderer {
  // They start nothing before they are used, and know of the end when they are asked after it.
  const pools = { shell: openPool('shell', options), full: openPool('full', options) }
  return {
    async renderPage(request) {
      const { signal, actions } = request
      try {
        const isEnhanced = request.proxy === 'enhanced'
        const pace = isEnhanced ? ('person' as const) : ('machine' as const)
        const wish = { proxyServer: await exitOf(request, options), pace }
        // Steps may have bought something: they are done once.
        const use = { wish, reuse: reuseOf(request), signal, tries: actions.length > 0 ? 1 : 2 }
        const pool = pools[isEnhanced ? 'full' : 'shell']
        const page = await withProfile(request, options, (held) =>
          pool.withTab(use, (tab, { version, connection }) => {
            const work = () => render(tab, request, { version, faultOf: (url) => options.egress.faultOf(url) })
            return held ? inState({ tab, connection, held, log: options.log }, work, signal) : work()
          }),
        )
        return 'body' in page ? page : await fetched(page, request, options.fetchPage)
      } catch (error) {
        throw signal.aborted ? signal.reason : told(error)
      }
    },
    async close() {
      await Promise.all([pools.shell.close(), pools.full.close()])
    },
  }
}

/** Visits share a context when the sites see the same visitor in them. What a profile saves is of one visit alone. */
function reuseOf(request: RenderRequest): Reuse | undefined {
  const { reuse, teamId, profile, headers, location, skipTlsVerification } = request
  if (reuse === undefined || profile?.saveChanges) return undefined
  const context = JSON.stringify([reuse, teamId, profile?.name, headers, location, skipTlsVerification])
  return { context, page: lookOf(request) }
}

/** The profile is the call's own from before its page opens until it is gone. */
async function withProfile<T>(
  { teamId, profile }: RenderRequest,
  { profiles }: RendererOptions,
  work: (held: HeldProfile | undefined) => Promise<T>,
): Promise<T> {
  const held = profile && (await profiles.open(teamId, profile.name, profile))
  try {
    return await work(held)
  } finally {
    await held?.release()
  }
}

type Rendered = Awaited<ReturnType<typeof render>>

/** In the state of a profile, which takes over what the page changed. */
async function inState(visit: StateVisit, work: () => Promise<Rendered>, signal: AbortSignal): Promise<Rendered> {
  const { made, warnings } = await withState(visit, work, signal)
  const warning = [made.warning, ...warnings].filter(Boolean).join(' ')
  return { ...made, ...(warning !== '' && { warning }) }
}

function openPool(kind: BrowserKind, { settings, dataDir, log, maxPages, wear, profileRoot }: RendererOptions): Pool {
  const launch = createPlainLaunch()
  const launchOptions = { log, more: [noPopups], ...(profileRoot !== undefined && { profileRoot }) }
  return createPool({
    log,
    maxPages: maxPages ?? 2 * availableParallelism(),
    launch: async () => launch(await findBrowser(kind, settings, machineProbes(dataDir)), launchOptions),
    ...(wear && { wear }),
  })
}

/** A browser on another machine cannot reach the way out on our loopback: it has one of its own. */
async function exitOf({ blockAds, proxy, location }: RenderRequest, options: RendererOptions) {
  const { egress, chooseProxy, settings } = options
  if (settings.browserCdpUrl !== undefined && !isNear(settings.browserCdpUrl)) return undefined
  const through = chooseProxy({ pool: proxy, country: location?.country })
  return egress.addressOf({ blockAds, ...(through && { proxy: through }) })
}

async function fetched(
  { fileUrl, live, warning }: Pick<RenderedPage, 'live' | 'warning'> & { fileUrl: string },
  { headers, skipTlsVerification, proxy, location, maxBytes, signal, url }: RenderRequest,
  fetchPage: FetchPage,
): Promise<RenderedPage> {
  const isOwn = URL.parse(fileUrl)?.origin === URL.parse(url)?.origin
  const file = await fetchPage({
    url: fileUrl,
    // What the caller sends is for the site it named.
    headers: isOwn ? headers : {},
    skipTlsVerification,
    proxy,
    country: location?.country,
    maxBytes,
    signal,
  })
  return { ...file, live, ...(warning !== undefined && { warning }) }
}

/** What went wrong inside the browser, in words of the contract. */
function told(error: unknown): unknown {
  if (error instanceof DeadlineError)
    return failure('SCRAPE_TIMEOUT', { message: `The browser did not finish a step: ${error.step}.`, cause: error })
  if (!(error instanceof CdpError)) return error
  if (error.why === 'crashed')
    return failure('SCRAPE_SITE_ERROR', { message: 'The page crashed the browser tab.', cause: error })
  if (error.why === 'detached')
    return failure('SCRAPE_SITE_ERROR', { message: 'The page was closed while it was read.', cause: error })
  return failure('SCRAPE_ALL_ENGINES_FAILED', { message: 'The browser failed while it read the page.', cause: error })
}
