import type { BrowsePage } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Config } from '../../config.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import type { Watchers } from '../page-ports.ts'
import type { CrawlThreadData } from './crawl-thread-worker.ts'
import {
  type CrawlThread,
  type CrawlThreadEnd,
  type CrawlThreadLimits,
  type CrawlThreadParts,
  startCrawlThread,
  usualLimits,
} from './crawl-thread.ts'
import { crawlThreadCalls, crawlThreadsFor } from './crawl-thread-calls.ts'
import { overriding } from '../../../util/async.ts'
import { createRounds } from '../../../util/rounds.ts'
import type { Crawl, Crawler } from '../../../contracts/crawl-ports.ts'
import { isEphemeral, requestOf } from '../../../engine/crawl/runner/crawl-job.ts'

type OpenCrawler = Crawler & { close(): Promise<void> }

/** Number of remembered pages that ended a crawl thread while it read them; the latest are kept. */
const remembered = 1000
const windowMs = 600_000
/** Crawl threads that may end within the window before pages are read elsewhere, where they can do no harm. */
const readElsewhereAfter = 4
/** Number of crawl threads that may end within the window before no more are started. */
const giveUpAfter = 8

/** Record of crawl threads that ended by themselves, and the limits that follow for new ones. */
function createSuspects() {
  const pages = new Set<string>()
  let ends: number[] = []
  return {
    /** Pages that a new crawl thread passes to threads that read one page at a time. */
    isolated: (): CrawlThreadData['isolated'] => (ends.length >= readElsewhereAfter ? 'all' : [...pages]),
    /** Records the end of a crawl thread; true if no more should start. */
    add({ page, wasReady }: Pick<CrawlThreadEnd, 'page' | 'wasReady'>): boolean {
      const now = performance.now()
      ends = [...ends.filter((at) => now - at < windowMs), now]
      if (page !== undefined) {
        pages.add(page)
        const [oldest] = pages
        if (pages.size > remembered && oldest !== undefined) pages.delete(oldest)
      }
      // A crawl thread that cannot start would fail again.
      return !wasReady || ends.length >= giveUpAfter
    },
  }
}

type CrawlThreadsParts = {
  many: number
  start(parts: Pick<CrawlThreadParts, 'isolated' | 'isWatched' | 'rested'>): CrawlThread
  isWatched(): boolean
  log: Log
  /** Returns the claimed pages of a crawl thread that could not do so itself. */
  release(workerId: string): Promise<void>
  /** Called once if crawl threads keep ending: the caller must crawl without them. */
  takeOver(): void
}

/**
 * Longer than the usual pause between two crawls: a new crawl thread costs seconds of CPU, and one at rest holds about
 * 60 MB.
 */
const idleMs = 100_000

/** Threads that crawl. `wake` makes all look for work and starts missing ones; they end after a while without work. */
function createCrawlThreads({ many, start, isWatched, log, release, takeOver }: CrawlThreadsParts) {
  const threads = new Map<CrawlThread, NodeJS.Timeout | undefined>()
  const ending = new Set<Promise<void>>()
  const suspects = createSuspects()
  const state = { isClosing: false, isOver: false, woken: 0 }

  function add(): void {
    const rested = (nth: number) => {
      if (!threads.has(thread) || nth !== state.woken) return
      threads.set(thread, setTimeout(() => void end(thread), idleMs).unref())
    }
    const thread = start({ isolated: suspects.isolated(), isWatched: isWatched(), rested })
    threads.set(thread, undefined)
    const over = thread.ended.then((how) => ended(thread, how)).finally(() => ending.delete(over))
    ending.add(over)
  }

  function end(thread: CrawlThread): Promise<void> {
    forget(thread)
    return thread.close()
  }

  function forget(thread: CrawlThread): void {
    clearTimeout(threads.get(thread))
    threads.delete(thread)
  }

  async function ended(thread: CrawlThread, how: CrawlThreadEnd): Promise<void> {
    forget(thread)
    await release(thread.workerId).catch((cause: unknown) => log.warn('crawl pages could not be returned', { cause }))
    if (how.isExpected || state.isClosing) return
    log.warn('a crawl thread ended', { cause: how.cause, readsPage: how.page !== undefined })
    if (how.page !== undefined) for (const other of threads.keys()) other.send({ kind: 'isolate', url: how.page })
    state.isOver ||= suspects.add(how)
    if (!state.isOver) return wake()
    log.error('crawl threads end time and again; crawls go on in the main thread', {})
    takeOver()
  }

  function wake(crawlId?: string): void {
    if (state.isClosing || state.isOver) return
    while (threads.size < many) add()
    state.woken += 1
    for (const [thread, timer] of threads) {
      clearTimeout(timer)
      threads.set(thread, undefined)
      thread.send({ kind: 'wake', crawlId, nth: state.woken })
    }
  }

  return {
    wake,
    watch: (isWanted: boolean) => threads.forEach((_, thread) => thread.send({ kind: 'watch', isWatched: isWanted })),
    isOver: () => state.isOver,
    async close() {
      state.isClosing = true
      await Promise.all([...[...threads.keys()].map(end), ...ending])
    },
  }
}

type CrawlingParts = {
  crawls: Pick<Ports['crawls'], 'running'>
  /** True if the data is in a file, which a crawl thread can open as well. */
  isShared(): Promise<boolean>
  threads: ReturnType<typeof createCrawlThreads>
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
  /** A second call before the next look may be for another crawl, so it looks for any. */
  let asked: { crawlId?: string | undefined } | undefined
  let isClosing = false
  let opening: Promise<OpenCrawler> | undefined
  let shared: boolean | undefined
  const isOwn = (crawl: Crawl) => !shared || threads.isOver() || isEphemeral(requestOf(crawl))

  async function look(crawlId?: string): Promise<undefined> {
    shared = await isShared()
    const running = await crawls.running()
    const now = performance.now()
    lookedAt = new Map(running.map(({ id }) => [id, now]))
    if (isClosing) return
    if (running.some(isOwn)) (await (opening ??= own((all) => all.filter(isOwn)))).wake(crawlId)
    if (running.some((crawl) => !isOwn(crawl))) threads.wake(crawlId)
  }
  const looks = createRounds({
    round() {
      const { crawlId } = asked ?? {}
      asked = undefined
      return look(crawlId)
    },
    failed(cause) {
      log.error('crawls could not be read', { cause })
      return againMs
    },
  })

  function wake(crawlId?: string): void {
    if (crawlId !== undefined && performance.now() - (lookedAt.get(crawlId) ?? -Infinity) < lookAgainMs) return
    asked = asked ? {} : { crawlId }
    looks.wake()
  }

  return {
    wake,
    async close() {
      isClosing = true
      await looks.close()
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
    own: (chosen) => own(overriding(crawls, { running: async (teamId) => chosen(await crawls.running(teamId)) })),
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
