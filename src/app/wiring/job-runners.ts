import type { Crawl, Crawler } from '../../contracts/crawl-ports.ts'
import type { BrowsePage } from '../../contracts/fetch.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Log } from '../../kernel/log.ts'
import { once, overriding } from '../../util/async.ts'
import type { Config } from '../config.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Network } from './open-network.ts'
import type { Watchers } from './page-ports.ts'
import type { Store } from '../../engine/store/store.ts'
import type { WorkflowRunnerOptions } from '../../engine/workflow/run-workflow.ts'

/** Polling interval for work left behind by processes that died without a notice, ms. */
const roundMs = 15_000

/** Wakes the job runners now and whenever another machine starts a job on the same database. */
export function createOthers(store: () => Promise<Store>, wake: () => void, log: Log) {
  let isClosed = false
  let following: Promise<(() => Promise<void>) | undefined> | undefined

  async function listen(): Promise<(() => Promise<void>) | undefined> {
    const { listen: listenTo } = await store()
    // The data belongs to this machine alone, or the program is already closing.
    if (listenTo === undefined || isClosed) return undefined
    const end = listenTo(wake)
    const timer = setInterval(wake, roundMs).unref()
    return async () => {
      clearInterval(timer)
      await end()
    }
  }

  return {
    follow(): void {
      wake()
      following ??= listen().catch((cause: unknown) => void log.error('jobs of other machines are not seen', { cause }))
    },
    async close(): Promise<void> {
      isClosed = true
      await (
        await following
      )?.()
    },
  }
}

type Closing = { close(): Promise<void> }
type Parts = {
  /** Called once there is work: the ports include those that start it. */
  ports(): Ports
  /** Used by crawl threads, which have no browser. */
  browsePage: BrowsePage
  store: () => Promise<Store>
  network: () => Promise<Network>
  log: Log
  telemetry: Telemetry
  watchers: Watchers
}

/** Background work: the crawler, the workflow runner, the monitor schedule and the webhook sender. */
export function openJobs(config: Config, parts: Parts) {
  const waking =
    <W extends readonly unknown[]>(job: () => Promise<{ wake(...which: W): void }>, failed: string) =>
    (...which: W): void =>
      void job().then(
        (open) => open.wake(...which),
        (cause: unknown) => parts.log.error(failed, { cause }),
      )
  const deliverer = once(() => openDeliverer(config, parts))
  const eventWritten = waking(deliverer, 'webhooks cannot be sent')
  const crawler = once(() => openCrawling(config, parts, eventWritten))
  const runner = once(() => openWorkflowRunner(parts, eventWritten))
  const scheduler = once(() => openScheduler(parts))
  const ofWorkers = (wake: () => void) => (config.role === 'api' || config.role === 'browser' ? () => {} : wake)
  return {
    ports: {
      crawler: { wake: waking(crawler, 'crawls cannot run') },
      workflowRunner: { wake: ofWorkers(waking(runner, 'workflows cannot run')) },
      monitorSchedule: { wake: ofWorkers(waking(scheduler, 'monitors cannot be checked')) },
    },
    async close() {
      await scheduler.close((open) => open.close())
      await Promise.all([crawler.close((open) => open.close()), runner.close((open) => open.close())])
      await deliverer.close((open) => open.close())
    },
  }
}

async function openCrawler(config: Config, { log }: Parts, ports: Ports, eventWritten: () => void) {
  const { createCrawler } = await import('../../engine/crawl/runner/crawler.ts')
  const { crawlHostConcurrency: hostConcurrency, crawlServerConcurrency: pagesAtOnce, userAgent } = config
  return createCrawler(ports, { hostConcurrency, pagesAtOnce, userAgent, log, eventWritten })
}

/** Crawls in separate threads, except for jobs that only this thread can see. */
async function openCrawling(config: Config, parts: Parts, eventWritten: () => void): Promise<Crawler & Closing> {
  const ports = parts.ports()
  const own = (crawls: Ports['crawls']) => openCrawler(config, parts, { ...ports, crawls }, eventWritten)
  const isInMemory = config.dataDir === 'memory' && config.databaseUrl === undefined
  // Jobs that only this thread can see are always crawled here.
  if (config.role === 'api')
    return own(overriding(ports.crawls, { running: (teamId) => unkeptOf(ports.crawls, teamId) }))
  if (config.crawlThreads === 0 || isInMemory) return own(ports.crawls)
  const { openCrawlThreads } = await import('./crawl-threads/open-crawl-threads.ts')
  return openCrawlThreads(config, { ...parts, ports, own, eventWritten })
}

async function unkeptOf(crawls: Ports['crawls'], teamId?: string): Promise<Crawl[]> {
  const { isEphemeral, requestOf } = await import('../../engine/crawl/runner/crawl-job.ts')
  return (await crawls.running(teamId)).filter((crawl) => isEphemeral(requestOf(crawl)))
}

async function openScheduler({ ports, log }: Parts) {
  const { createScheduler } = await import('../../engine/monitor/scheduler.ts')
  return createScheduler(ports(), log)
}

async function openWorkflowRunner({ ports, log }: Parts, eventWritten: () => void) {
  const { createWorkflowRunner } = await import('../../engine/workflow/run-workflow.ts')
  return createWorkflowRunner(ports().workflows, { definitions: workflowDefinitions(ports()), log, eventWritten })
}

/** Implementations of the workflow kinds, each loaded on first use. */
const workflowDefinitions = (ports: Ports): WorkflowRunnerOptions['definitions'] => ({
  extract: async () => (await import('../../engine/extract/extraction.ts')).extraction(ports),
  agent: async () => (await import('../../engine/agent/agent-workflow.ts')).agentWorkflow(ports),
  llmstxt: async () => (await import('../../engine/llmstxt/generation.ts')).generation(ports),
  monitor: async () => (await import('../../engine/monitor/check-monitor.ts')).monitorCheck(ports),
})

async function openDeliverer(config: Config, { ports, store, network, log }: Parts) {
  const { createDeliverer } = await import('../../engine/webhook/deliver.ts')
  const { createPoster } = await import('../../engine/net/http/api-client.ts')
  const { clock, webhookSecret } = ports()
  const { ruleOf } = await network()
  const poster = createPoster({ ruleOf, userAgent: config.userAgent })
  const { deliveries } = await store()
  return createDeliverer({
    deliveries,
    post: (request) => poster.post(request),
    clock,
    log,
    secretOf: async (teamId) => (await webhookSecret(teamId)).secret,
    retryMinutes: config.webhookRetryMinutes,
  })
}
