import { MessageChannel } from 'node:worker_threads'
import type { BrowsePage } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Config } from '../../config.ts'
import { noTelemetry, type Telemetry } from '../../telemetry/telemetry.ts'
import type { Watchers } from '../page-ports.ts'
import type { CrawlThreadData, Order, Report } from './crawl-thread-worker.ts'
import { type CrawlThreadCalls, crawlThreadCalls, crawlThreadsFor, marksIn, newMarks } from './crawl-thread-calls.ts'
import { overriding } from '../../../util/async.ts'
import { createRounds } from '../../../util/rounds.ts'
import { startThread, threadUrl, watchCpu } from '../../../util/threads.ts'
import { newWorkerId } from '../../../engine/store/worker-id.ts'
import { serveCalls } from '../rpc.ts'
import type { Crawl, Crawler } from '../../../contracts/crawl-ports.ts'
import { isEphemeral, requestOf } from '../../../engine/crawl/runner/crawl-job.ts'

/** End of a crawl thread. `isExpected`: the main thread closed it; `page`: URL of the page that it was reading. */
type CrawlThreadEnd = { isExpected: boolean; wasReady: boolean; page: string | undefined; cause: unknown }
type CrawlThread = {
  workerId: string
  send(order: Exclude<Order, { kind: 'close' }>): void
  /** Asks the crawl thread to return its pages and exit; terminates it if it does not. */
  close(): Promise<void>
  ended: Promise<CrawlThreadEnd>
}

type CrawlThreadParts = {
  config: Config
  limits: CrawlThreadLimits
  calls: CrawlThreadCalls
  log: Log
  telemetry: Telemetry
  isolated: CrawlThreadData['isolated']
  isWatched: boolean
  eventWritten(): void
  /** Called when no work is left after the wake-up with this number. */
  rested(nth: number): void
}

export type CrawlThreadLimits = {
  /** Maximum CPU time, ms, during which the thread neither reaches its event loop nor finishes a page. */
  maxCpuMs: number
  heapMb: number
  /** Maximum characters of HTML; longer pages are read outside the crawl thread. */
  longestPage: number
}
/** A page that exceeds these limits is read outside the crawl threads, with more time and memory. */
const usualLimits: CrawlThreadLimits = { maxCpuMs: 3000, heapMb: 512, longestPage: 1_000_000 }
/** Young generation, MB. Measured: twice as much uses more memory and saves no CPU. */
const youngMb = 24
const closeMs = 5000

/**
 * Starts a thread that crawls like another process on the same data: it fetches pages, reads them, and writes the
 * results over its own database connection, so most pages never leave the thread.
 */
function startCrawlThread(parts: CrawlThreadParts): CrawlThread {
  const { config, limits, calls, log, telemetry, eventWritten, rested, ...rules } = parts
  const { maxCpuMs, heapMb, longestPage } = limits
  const channel = new MessageChannel()
  const memory = newMarks()
  const marks = marksIn(memory)
  const workerId = newWorkerId()
  const thread = startThread(threadUrl('crawl-thread-worker', import.meta.url), {
    workerData: {
      ...rules,
      config,
      workerId,
      calls: channel.port2,
      marks: memory,
      longestPage,
      isMeasured: telemetry !== noTelemetry,
    } satisfies CrawlThreadData,
    transferList: [channel.port2],
    heapMb,
    youngMb,
  })
  const served = serveCalls(channel.port1, calls)
  const state = { isExpected: false, wasReady: false, cause: undefined as unknown }
  const { promise: ended, resolve: end } = Promise.withResolvers<CrawlThreadEnd>()
  let unwatch: (() => void) | undefined

  thread.on('message', (report: Report) => {
    if (report.kind === 'log') log[report.level](report.event, report.facts)
    else if (report.kind === 'event written') eventWritten()
    else if (report.kind === 'measured') report.done.forEach(telemetry.record)
    else if (report.kind === 'rested') rested(report.nth)
    else {
      state.wasReady = true
      unwatch = watchCpu(thread, maxCpuMs, () => void thread.terminate(), marks.beats)
    }
  })
  thread.on('error', (thrown) => {
    state.cause = thrown
  })
  thread.on('exit', () => {
    unwatch?.()
    served.close()
    end({ ...state, page: marks.page() })
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (order: Order) => thread.postMessage(order)
  return {
    workerId,
    send,
    async close() {
      state.isExpected = true
      send({ kind: 'close' })
      const late = setTimeout(() => void thread.terminate(), closeMs)
      await ended
      clearTimeout(late)
    },
    ended,
  }
}

type OpenCrawler = Crawler & { close(): Promise<void> }

/** Maximum number of remembered pages; the latest are kept. */
const maxSuspects = 1000
const windowMs = 600_000
/** Crashes within the window after which new crawl threads read no pages themselves. */
const isolateAllAfter = 4
/** Crashes within the window after which no more crawl threads are started. */
const stopAfter = 8

/** Remembers crashes of crawl threads, and the pages that were being read. */
function createSuspects() {
  const pages = new Set<string>()
  let ends: number[] = []
  return {
    /** Pages that new crawl threads must not read themselves. */
    isolated: (): CrawlThreadData['isolated'] => (ends.length >= isolateAllAfter ? 'all' : [...pages]),
    /** Records a crash; returns true if no more crawl threads should start. */
    add({ page, wasReady }: Pick<CrawlThreadEnd, 'page' | 'wasReady'>): boolean {
      const now = performance.now()
      ends = [...ends.filter((at) => now - at < windowMs), now]
      if (page !== undefined) {
        pages.add(page)
        const [oldest] = pages
        if (pages.size > maxSuspects && oldest !== undefined) pages.delete(oldest)
      }
      // If a thread cannot start, the next one would fail as well.
      return !wasReady || ends.length >= stopAfter
    },
  }
}

type CrawlThreadsParts = {
  count: number
  start(parts: Pick<CrawlThreadParts, 'isolated' | 'isWatched' | 'rested'>): CrawlThread
  isWatched(): boolean
  log: Log
  /** Releases the pages that a crashed crawl thread had claimed. */
  release(workerId: string): Promise<void>
  /** Called when a thread crashes and no more are started: the main thread must then run the crawls. */
  takeOver(): void
}

/**
 * Idle time after which a crawl thread ends. An idle one uses about 60 MB, but a new one costs seconds of CPU, so this
 * is longer than the usual pause between two crawls.
 */
const idleMs = 100_000

/** Manages the crawl threads. `wake` makes all of them look for work, and starts those that are missing. */
function createCrawlThreads({ count, start, isWatched, log, release, takeOver }: CrawlThreadsParts) {
  const threads = new Map<CrawlThread, NodeJS.Timeout | undefined>()
  const ending = new Set<Promise<void>>()
  const suspects = createSuspects()
  const state = { isClosing: false, isOver: false, woken: 0 }

  function add(): void {
    const rested = (nth: number) => {
      if (!threads.has(thread) || nth !== state.woken) return
      threads.set(thread, setTimeout(() => void close(thread), idleMs).unref())
    }
    const thread = start({ isolated: suspects.isolated(), isWatched: isWatched(), rested })
    threads.set(thread, undefined)
    const over = thread.ended.then((outcome) => ended(thread, outcome)).finally(() => ending.delete(over))
    ending.add(over)
  }

  function forget(thread: CrawlThread): void {
    clearTimeout(threads.get(thread))
    threads.delete(thread)
  }
  function close(thread: CrawlThread): Promise<void> {
    forget(thread)
    return thread.close()
  }

  async function ended(thread: CrawlThread, outcome: CrawlThreadEnd): Promise<void> {
    const { isExpected, page, cause } = outcome
    forget(thread)
    await release(thread.workerId)
    if (isExpected || state.isClosing) return
    log.warn('a crawl thread ended', { cause, readsPage: page !== undefined })
    if (page !== undefined) for (const other of threads.keys()) other.send({ kind: 'isolate', url: page })
    state.isOver ||= suspects.add(outcome)
    if (!state.isOver) return wake()
    log.error('crawl threads crash or cannot start; crawls continue in the main thread', {})
    takeOver()
  }

  function wake(crawlId?: string): void {
    if (state.isClosing || state.isOver) return
    while (threads.size < count) add()
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
      await Promise.all([...[...threads.keys()].map(close), ...ending])
    },
  }
}

type CrawlingParts = {
  crawls: Pick<Ports['crawls'], 'running'>
  /** True if crawl threads can open the data as well: it is not in the memory of this thread. */
  isShared(): Promise<boolean>
  threads: ReturnType<typeof createCrawlThreads>
  /** Creates a crawler in the main thread, for the crawls that the function selects. */
  own(select: (all: readonly Crawl[]) => Crawl[]): Promise<OpenCrawler>
  log: Log
}

/** Wake-ups for a crawl are ignored for this long after a query, because each request for its status causes one. */
const queryGapMs = 1000
/** Pause after a failed query. */
const retryMs = 2000

/**
 * Runs crawls in crawl threads. The main thread runs those that only it can see (in memory, or not to be stored), and
 * all crawls once no more threads are started.
 */
function createCrawling({ crawls, isShared, threads, own, log }: CrawlingParts): OpenCrawler {
  let queriedAt = new Map<string, number>()
  /** The crawl to look for; without an id if several were requested since the last query. */
  let wanted: { crawlId?: string | undefined } | undefined
  let isClosing = false
  let opening: Promise<OpenCrawler> | undefined
  let shared: boolean | undefined
  const isOwn = (crawl: Crawl) => !shared || threads.isOver() || isEphemeral(requestOf(crawl))

  async function query(crawlId?: string): Promise<undefined> {
    shared = await isShared()
    const running = await crawls.running()
    const now = performance.now()
    queriedAt = new Map(running.map(({ id }) => [id, now]))
    if (isClosing) return
    if (running.some(isOwn)) (await (opening ??= own((all) => all.filter(isOwn)))).wake(crawlId)
    if (running.some((crawl) => !isOwn(crawl))) threads.wake(crawlId)
  }
  const queries = createRounds({
    round() {
      const { crawlId } = wanted ?? {}
      wanted = undefined
      return query(crawlId)
    },
    failed(cause) {
      log.error('crawls could not be read', { cause })
      return retryMs
    },
  })

  function wake(crawlId?: string): void {
    if (crawlId !== undefined && performance.now() - (queriedAt.get(crawlId) ?? -Infinity) < queryGapMs) return
    wanted = wanted ? {} : { crawlId }
    queries.wake()
  }

  return {
    wake,
    async close() {
      isClosing = true
      await queries.close()
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
  /** Creates a crawler in the main thread. */
  own(crawls: Ports['crawls']): Promise<OpenCrawler>
  eventWritten(): void
}

/** Runs crawls in threads, which are started when there is something to crawl. */
export function openCrawlThreads(
  config: Config,
  { ports, browsePage, store, watchers, log, telemetry, own, eventWritten }: Parts,
  ownLimits: Partial<CrawlThreadLimits> = {},
) {
  const { crawls } = ports
  const limits = { ...usualLimits, ...ownLimits }
  const threads = createCrawlThreads({
    count: crawlThreadsFor(config).count,
    // One set of calls for each crawl thread, because it releases the credits of that thread when the thread ends.
    start(thread) {
      const calls = crawlThreadCalls({ ...ports, browsePage }, watchers.show)
      return startCrawlThread({ ...thread, config, limits, log, telemetry, eventWritten, calls })
    },
    isWatched: watchers.isWatched,
    log,
    release: (workerId) =>
      crawls.release(workerId).catch((cause: unknown) => log.warn('crawl pages could not be returned', { cause })),
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
    own: (select) => own(overriding(crawls, { running: async (teamId) => select(await crawls.running(teamId)) })),
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
