import type { Config } from '../config.ts'
import type { Network } from './network.ts'

/** Programs that find media go out as a browser does, by a proxy of our own that keeps the rule on addresses. */
export async function openMedia({ ytDlpPath: program }: Config, { rule, chooseProxy }: Network) {
  const { createYtDlp } = await import('../../engine/media/yt-dlp.ts')
  const { createForwardProxies } = await import('../../engine/net/proxy/forward-proxy.ts')
  const { createAdHosts } = await import('../../engine/net/proxy/block-list.ts')
  const forwardProxies = createForwardProxies({ rule, adHosts: createAdHosts([]) })
  const rules = { blockAds: false, proxy: chooseProxy({ pool: 'basic' }) }
  return {
    findMedia: createYtDlp({
      program,
      proxy: async () => `http://${await forwardProxies.serverFor(rules)}`,
      // oxlint-disable-next-line node/no-process-env -- the search path is the platform's
      environment: process.env,
    }),
    close: () => forwardProxies.close(),
  }
}
