import type { Log } from '../../../kernel/log.ts'
import type { CrawlThread, CrawlThreadEnd, CrawlThreadParts } from './crawl-thread.ts'
import type { CrawlThreadData } from './crawl-thread-worker.ts'

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

export type CrawlThreadsParts = {
  many: number
  start(parts: Pick<CrawlThreadParts, 'isolated' | 'isWatched' | 'rested'>): CrawlThread
  isWatched(): boolean
  log: Log
  /** Returns the claimed pages of a crawl thread that could not do so itself. */
  release(workerId: string): Promise<void>
  /** Called once if crawl threads keep ending: the caller must crawl without them. */
  takeOver(): void
}
export type CrawlThreads = ReturnType<typeof createCrawlThreads>

/**
 * Longer than the usual pause between two crawls: a new crawl thread costs seconds of CPU, and one at rest holds about
 * 60 MB.
 */
const idleMs = 100_000

/** Threads that crawl. `wake` makes all look for work and starts missing ones; they end after a while without work. */
export function createCrawlThreads({ many, start, isWatched, log, release, takeOver }: CrawlThreadsParts) {
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
