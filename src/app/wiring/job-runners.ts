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

/** Interval at which the runners look for work that a crashed process left, ms. */
const pollMs = 15_000

/** `start` wakes the job runners, and again whenever another program may have started a job on the same data. */
function createJobListener(store: () => Promise<Store>, wake: () => void, log: Log) {
  let isClosed = false
  let listening: Promise<(() => Promise<void>) | undefined> | undefined

  async function listen(): Promise<(() => Promise<void>) | undefined> {
    const { listen: listenTo } = await store()
    // `listenTo` is missing if the store cannot notify of the jobs of other programs.
    if (listenTo === undefined || isClosed) return undefined
    const end = listenTo(wake)
    const timer = setInterval(wake, pollMs).unref()
    return async () => {
      clearInterval(timer)
      await end()
    }
  }

  return {
    start(): void {
      wake()
      listening ??= listen().catch(
        (cause: unknown) => void log.error('jobs of other programs cannot be detected', { cause }),
      )
    },
    async close(): Promise<void> {
      isClosed = true
      const end = await listening
      await end?.()
    },
  }
}

type Closing = { close(): Promise<void> }
type Parts = {
  /** A function, because the ports include the runners created here. */
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
    <A extends readonly unknown[]>(runner: () => Promise<{ wake(...args: A): void }>, failed: string) =>
    (...args: A): void =>
      void runner().then(
        (open) => open.wake(...args),
        (cause: unknown) => parts.log.error(failed, { cause }),
      )
  const deliverer = once(() => openDeliverer(config, parts))
  const eventWritten = waking(deliverer, 'webhooks cannot be sent')
  const crawler = once(() => openCrawling(config, parts, eventWritten))
  const workflows = once(() => openWorkflowRunner(parts, eventWritten))
  const scheduler = once(() => openScheduler(parts))
  const unlessOtherRole = (wake: () => void) => (config.role === 'api' || config.role === 'browser' ? () => {} : wake)
  const ports = {
    crawler: { wake: waking(crawler, 'crawls cannot run') },
    workflowRunner: { wake: unlessOtherRole(waking(workflows, 'workflows cannot run')) },
    monitorSchedule: { wake: unlessOtherRole(waking(scheduler, 'monitors cannot be checked')) },
  }
  const wakeAll = () => {
    for (const port of Object.values(ports)) port.wake()
  }
  const listener = createJobListener(parts.store, wakeAll, parts.log)
  return {
    ports,
    /** Resumes jobs of an earlier process, and runs those that other programs start. */
    resume: listener.start,
    async close() {
      await listener.close()
      await scheduler.close((open) => open.close())
      await Promise.all([crawler.close((open) => open.close()), workflows.close((open) => open.close())])
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
  // A server with the role `api` crawls only jobs that may not be stored, because no worker can see them.
  if (config.role === 'api')
    return own(overriding(ports.crawls, { running: (teamId) => ephemeralOf(ports.crawls, teamId) }))
  if (config.crawlThreads === 0 || isInMemory) return own(ports.crawls)
  const { openCrawlThreads } = await import('./crawl-threads/open-crawl-threads.ts')
  return openCrawlThreads(config, { ...parts, ports, own, eventWritten })
}

async function ephemeralOf(crawls: Ports['crawls'], teamId?: string): Promise<Crawl[]> {
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
