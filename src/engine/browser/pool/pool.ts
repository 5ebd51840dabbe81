import type { Log } from '../../../kernel/log.ts'
import { withDeadline } from '../../../util/deadline.ts'
import { createSemaphore } from '../../../util/semaphore.ts'
import type { Browser } from '../launch/types.ts'
import { createPoolBrowser, type PoolBrowser, type TabRequest, type WearLimits, type Work } from './pool-browser.ts'

export type PoolOptions = {
  launch(): Promise<Browser>
  log: Log
  /** Pages open at the same time; more requests wait. */
  maxPages: number
  wear?: Partial<WearLimits>
}

export type PoolRequest = Omit<TabRequest, 'onClosed'> & {
  /** How often the work may be started: in another browser when the first one fails. */
  tries: number
}
export type Pool = {
  /** Runs work in a page that nobody else uses meanwhile. */
  withTab<T>(request: PoolRequest, work: Work<T>): Promise<T>
  close(): Promise<void>
}

const startMs = 60_000
const defaultLimits: WearLimits = { pages: 250, memoryMb: 2500, idleMs: 300_000 }

/** One browser for all requests, started on first use and replaced when it is worn out, hangs or dies. */
export function createPool({ launch, log, maxPages, wear }: PoolOptions): Pool {
  const semaphore = createSemaphore(maxPages)
  const all = new Set<Promise<PoolBrowser>>()
  const closing = new AbortController()
  let current: Promise<PoolBrowser> | undefined

  function start(): Promise<PoolBrowser> {
    const forget = () => {
      if (current === starting) current = undefined
    }
    const starting: Promise<PoolBrowser> = launch().then((browser) => {
      void browser.closed.then(() => all.delete(starting))
      return createPoolBrowser(browser, { ...defaultLimits, ...wear }, { log, maxPages, retired: forget })
    })
    all.add(starting)
    starting.catch(() => {
      all.delete(starting)
      forget()
    })
    return starting
  }

  /** The start goes on when the caller aborts: the browser serves the next request. */
  function acquire(signal: AbortSignal): Promise<PoolBrowser> {
    closing.signal.throwIfAborted()
    const waiting = (current ??= start())
    return withDeadline({ step: 'browser start', ms: startMs }, signal, () => waiting)
  }

  async function attempt<T>(request: PoolRequest, work: Work<T>): Promise<T> {
    const { signal, tries } = request
    await semaphore.acquire(signal)
    const browser = await acquire(signal).catch((error: unknown) => {
      semaphore.release()
      throw error
    })
    try {
      return await browser.withTab({ ...request, onClosed: semaphore.release }, work)
    } catch (error) {
      const isOver = signal.aborted || closing.signal.aborted
      if (isOver || !(await browser.isAtFault(error)) || tries <= 1) throw error
      log.warn('browser.repeat', { error })
      return attempt({ ...request, tries: tries - 1 }, work)
    }
  }

  return {
    withTab: (request, work) =>
      attempt({ ...request, signal: AbortSignal.any([request.signal, closing.signal]) }, work),
    async close() {
      closing.abort(new Error('The browsers are closed.'))
      const browsers = await Promise.allSettled(all)
      await Promise.all(browsers.map((each) => each.status === 'fulfilled' && each.value.end()))
    },
  }
}
