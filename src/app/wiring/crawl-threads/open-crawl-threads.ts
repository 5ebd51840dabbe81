import type { BrowsePage } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Config } from '../../config.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import type { Watchers } from '../page-ports.ts'
import { type CrawlThreadLimits, startCrawlThread, usualLimits } from './crawl-thread.ts'
import { crawlThreadCalls, crawlThreadsFor } from './crawl-thread-calls.ts'
import { createCrawlThreads, type CrawlThreads } from './crawl-threads.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Crawl, Crawler } from '../../../contracts/crawl-ports.ts'
import { isEphemeral, requestOf } from '../../../engine/crawl/runner/crawl-job.ts'

type OpenCrawler = Crawler & { close(): Promise<void> }

type CrawlingParts = {
  crawls: Pick<Ports['crawls'], 'running'>
  /** True if the data is in a file, which a crawl thread can open as well. */
  isShared(): Promise<boolean>
  threads: CrawlThreads
  /** Creates the crawler of this thread over these crawls. */
  own(crawls: (all: readonly Crawl[]) => Crawl[]): Promise<OpenCrawler>
  log: Log
}

/** Callers may request the status of a crawl several times a second. */
const lookAgainMs = 1000
/** Pause after a failed query. */
const againMs = 2000

/**
 * Crawls in crawl threads, except for crawls whose data only this thread can see, because it is in memory or may not be
 * stored.
 */
function createCrawling({ crawls, isShared, threads, own, log }: CrawlingParts): OpenCrawler {
  let lookedAt = new Map<string, number>()
  const state = { isWanted: false, isClosing: false }
  const closing = new AbortController()
  let looking: Promise<void> | undefined
  let opening: Promise<OpenCrawler> | undefined
  let shared: boolean | undefined
  const isOwn = (crawl: Crawl) => !shared || threads.isOver() || isEphemeral(requestOf(crawl))

  async function look(crawlId?: string): Promise<void> {
    shared = await isShared()
    const running = await crawls.running()
    const now = performance.now()
    lookedAt = new Map(running.map(({ id }) => [id, now]))
    if (state.isClosing) return
    if (running.some(isOwn)) (await (opening ??= own((all) => all.filter(isOwn)))).wake(crawlId)
    if (running.some((crawl) => !isOwn(crawl))) threads.wake(crawlId)
  }

  function wake(crawlId?: string): void {
    if (crawlId !== undefined && performance.now() - (lookedAt.get(crawlId) ?? -Infinity) < lookAgainMs) return
    state.isWanted = true
    looking ??= lookWhileWanted(crawlId).finally(() => {
      looking = undefined
      // A call may have arrived after the last check.
      if (state.isWanted && !state.isClosing) wake()
    })
  }

  async function lookWhileWanted(crawlId?: string): Promise<void> {
    let id = crawlId
    while (state.isWanted && !state.isClosing) {
      state.isWanted = false
      await look(id).catch(async (cause: unknown) => {
        log.error('crawls could not be read', { cause })
        state.isWanted = true
        await sleep(againMs, undefined, { signal: closing.signal }).catch(() => {})
      })
      id = undefined
    }
  }

  return {
    wake,
    async close() {
      state.isClosing = true
      closing.abort()
      await looking
      await Promise.all([threads.close(), opening?.then((open) => open.close())])
    },
  }
}

type Parts = {
  ports: Ports
  browsePage: BrowsePage
  store: () => Promise<Store>
  watchers: Watchers
  log: Log
  telemetry: Telemetry
  /** Creates a crawler of this thread. */
  own(crawls: Ports['crawls']): Promise<OpenCrawler>
  eventWritten(): void
}

/** Crawls in threads, started when there is something to crawl. */
export function openCrawlThreads(
  config: Config,
  { ports, browsePage, store, watchers, log, telemetry, own, eventWritten }: Parts,
  limits: CrawlThreadLimits = usualLimits,
) {
  const { crawls } = ports
  const threads = createCrawlThreads({
    many: crawlThreadsFor(config).many,
    // Each crawl thread gets its own calls, because the functions they hold end with it.
    start(thread) {
      const calls = crawlThreadCalls({ ...ports, browsePage }, watchers.show)
      return startCrawlThread({ ...thread, config, limits, log, telemetry, eventWritten, calls })
    },
    isWatched: watchers.isWatched,
    log,
    release: crawls.release,
    takeOver: () => crawling.wake(),
  })
  const crawling = createCrawling({
    crawls,
    async isShared() {
      const { ready, describe } = await store()
      await ready()
      return describe().kind !== 'memory'
    },
    threads,
    own: (chosen) => own({ ...crawls, running: async (teamId) => chosen(await crawls.running(teamId)) }),
    log,
  })
  watchers.changed = () => threads.watch(watchers.isWatched())
  return {
    close: crawling.close,
    wake(crawlId?: string): void {
      eventWritten()
      crawling.wake(crawlId)
    },
  }
}
