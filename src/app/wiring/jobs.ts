import type { Ports } from '../../contracts/ports.ts'
import type { Log } from '../../kernel/log.ts'
import { once } from '../../util/lazy.ts'
import type { Config } from '../config.ts'
import type { Network } from './network.ts'
import type { Store } from '../../engine/store/store.ts'

type Parts = { ports: Ports; store: () => Promise<Store>; network: () => Promise<Network>; log: Log }

/** What works beside the calls: the crawler and the sender of webhooks. */
export function openJobs(config: Config, parts: Parts) {
  const deliverer = once(() => openDeliverer(config, parts))
  const crawler = once(() => openCrawler(config, parts, deliverer))
  return {
    wake(crawlId?: string): void {
      crawler().then(
        (open) => open.wake(crawlId),
        (cause: unknown) => parts.log.error('crawls cannot run', { cause }),
      )
    },
    async close() {
      await crawler.close((open) => open.close())
      await deliverer.close((open) => open.close())
    },
  }
}

type OpenDeliverer = () => ReturnType<typeof openDeliverer>

async function openCrawler(config: Config, { ports, log }: Parts, deliverer: OpenDeliverer) {
  const { createCrawler } = await import('../../engine/crawl/runner/crawler.ts')
  return createCrawler(ports, {
    hostConcurrency: config.crawlHostConcurrency,
    userAgent: config.userAgent,
    log,
    eventWritten: () => {
      deliverer().then(
        (open) => open.wake(),
        (cause: unknown) => log.error('webhooks cannot be sent', { cause }),
      )
    },
  })
}

async function openDeliverer(config: Config, { ports, store, network, log }: Parts) {
  const { createDeliverer } = await import('../../engine/webhook/deliver.ts')
  const { createPoster } = await import('../../engine/net/http/post.ts')
  const { rule } = await network()
  const poster = createPoster({ rule, userAgent: config.userAgent })
  const deliverer = createDeliverer({
    deliveries: (await store()).deliveries,
    post: (request) => poster.post(request),
    clock: ports.clock,
    log,
    secret: config.webhookSecret,
    retryMinutes: config.webhookRetryMinutes,
  })
  return {
    wake: () => deliverer.wake(),
    async close() {
      await deliverer.close()
      await poster.close()
    },
  }
}
