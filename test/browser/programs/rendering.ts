import type { LookupFunction } from 'node:net'
import type { PageRequest } from '../../../src/contracts/fetch.ts'
import type { PageAction, RenderedPage, RenderRequest } from '../../../src/contracts/render-port.ts'
import { createRenderer, type RendererOptions } from '../../../src/engine/browser/pool/browser-renderer.ts'
import { createFetcher } from '../../../src/engine/net/http/client.ts'
import { createForwardProxies } from '../../../src/engine/net/proxy/forward-proxy.ts'
import { createAdHosts } from '../../../src/engine/net/proxy/block-list.ts'
import { browserHere, quiet } from './machine.ts'
import { ruleForAll } from '../../net/rule-for-all.ts'

/** Resolves every name to this machine, so one server can act as several sites. */
const lookup: LookupFunction = (_host, options, done) =>
  options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

/** A renderer for the sites at these `host:port`s and no others, with a browser of this machine. */
export async function openRenderer(allow: readonly string[], options: Partial<RendererOptions> = {}) {
  const { path } = await browserHere()
  const ruleOf = ruleForAll(allow)
  const forwardProxies = createForwardProxies({ ruleOf, adHosts: createAdHosts(['||ads.test^']), lookup })
  const fetcher = createFetcher({ userAgent: 'files', ruleOf, lookup })
  const renderer = createRenderer({
    settings: { browserPath: path },
    dataDir: '/nowhere',
    forwardProxies,
    profiles: { open: () => Promise.reject(new Error('No profile is used here.')) },
    chooseProxy: () => undefined,
    fetchPage: fetcher.fetchPage,
    log: quiet,
    ...options,
  })
  const through = createFetcher({ userAgent: 'files', ruleOf, lookup, browse: renderer.browsePage })
  return {
    render: (url: string, more: Partial<RenderRequest> = {}) =>
      renderer.renderPage({ ...usual, signal: AbortSignal.timeout(55_000), ...more, url }),
    /** A client whose traffic ends at this browser, like that of the program. */
    fetchPage: (url: string, more: Partial<PageRequest> = {}) =>
      through.fetchPage({ ...fetchDefaults, signal: AbortSignal.timeout(55_000), ...more, url }),
    async close() {
      await through.close()
      await renderer.close()
      await forwardProxies.close()
      await fetcher.close()
    },
  }
}
export type Rendering = Awaited<ReturnType<typeof openRenderer>>

const fetchDefaults = { teamId: 'team', headers: {}, skipTlsVerification: false, maxBytes: 1_000_000 }
const usual: Omit<RenderRequest, 'url' | 'signal'> = {
  teamId: 'team',
  headers: {},
  skipTlsVerification: false,
  mobile: false,
  location: undefined,
  blockAds: false,
  proxy: 'basic',
  waitForMs: 0,
  actions: [],
  screenshot: undefined,
  wantsBranding: false,
  profile: undefined,
  maxBytes: 20_000_000,
}

export const textOf = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString()

export const click = (selector: string): PageAction => ({ type: 'click', selector, all: false })
export const script = (text: string): PageAction => ({ type: 'executeJavascript', script: text })
/** Returns the results of the scripts among the actions. */
export const values = ({ live }: Pick<RenderedPage, 'live'>) =>
  live.actions?.javascriptReturns.map(({ value }) => value)
