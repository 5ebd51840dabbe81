import type { RenderRequest } from '../../src/contracts/render-port.ts'
import { createRenderer } from '../../src/engine/browser/pool/browser-renderer.ts'
import { createForwardProxies, type ForwardProxies } from '../../src/engine/net/proxy/forward-proxy.ts'
import { createAdHosts } from '../../src/engine/net/proxy/block-list.ts'
import { createLog } from '../../src/kernel/log.ts'
import { type Contestant, onLines, type Running } from './contestant.ts'
import { ruleForAll } from '../../test/net/rule-for-all.ts'

export const ours: Contestant = {
  id: 'ours',
  name: 'gossamer',
  pages: 'new context',
  open: async (browserPath) => opened(browserPath, usualEgress()),
}

export const oursDirect: Contestant = {
  id: 'direct',
  name: 'gossamer without egress proxy',
  pages: 'new context',
  open: async (browserPath) => opened(browserPath, noEgress),
}

export const usualEgress = (): ForwardProxies =>
  createForwardProxies({ ruleOf: ruleForAll(['127.0.0.1']), adHosts: createAdHosts([]) })

const none = undefined as unknown as string
/** Uses no proxy, unlike the program. */
const noEgress: ForwardProxies = {
  proxyFor: async () => ({ server: none, forBrowsers: none, errorOf: () => undefined }),
  close: async () => {},
}

const maxPages = 8

export function opened(
  browserPath: string,
  forwardProxies: ForwardProxies,
  more: Pick<RenderRequest, 'reuse'> = {},
): Running {
  const renderer = createRenderer({
    settings: { browserPath },
    dataDir: '/nonexistent',
    forwardProxies,
    chooseProxy: () => undefined,
    profiles: { open: () => Promise.reject(new Error('no page here has a profile')) },
    fetchPage: () => Promise.reject(new Error('no page of this site is a file')),
    log: createLog('error', (line) => process.stderr.write(line)),
    maxPages,
  })
  return {
    run: onLines(async (url) =>
      Buffer.from((await renderer.renderPage({ ...requestOf(url), ...more })).body).toString(),
    ),
    async close() {
      await renderer.close()
      await forwardProxies.close()
    },
  }
}

/** Request of a scrape with default options. */
export const requestOf = (url: string): RenderRequest => ({
  url,
  teamId: 'bench',
  headers: {},
  skipTlsVerification: true,
  mobile: false,
  location: undefined,
  blockAds: true,
  proxy: 'basic',
  waitForMs: 0,
  actions: [],
  screenshot: undefined,
  wantsBranding: false,
  profile: undefined,
  maxBytes: 50 * 1024 * 1024,
  signal: new AbortController().signal,
})
