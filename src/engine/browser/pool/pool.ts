import type { Log } from '../../../kernel/log.ts'
import { withDeadline } from '../../../util/deadline.ts'
import { createSemaphore } from '../../../util/semaphore.ts'
import type { Browser } from '../launch/types.ts'
import type { ContextWish } from './context.ts'
import { createPoolBrowser, type PoolBrowser, type Wear, type Work } from './pool-browser.ts'
import type { Reuse } from './shared-pages.ts'

export type PoolOptions = {
  launch(): Promise<Browser>
  log: Log
  /** Pages at a time; further ones wait. */
  maxPages: number
  wear?: Partial<Wear>
}

export type Use = {
  wish: ContextWish
  /** Undefined for a context that nobody used before and nobody will use after. */
  reuse?: Reuse | undefined
  signal: AbortSignal
  /** How often the work may be begun, in another browser when the first one fails. */
  tries: number
}
export type Pool = {
  /** Runs work in a page that nobody else uses meanwhile. */
  withTab<T>(use: Use, work: Work<T>): Promise<T>
  close(): Promise<void>
}

const startMs = 60_000
const usualWear: Wear = { pages: 250, memoryMb: 2500, idleMs: 300_000 }

/** One browser for everybody, started at first need and replaced when it is worn, hung or dead; a context for each page, or for each key. */
export function createPool({ launch, log, maxPages, wear }: PoolOptions): Pool {
  const turns = createSemaphore(maxPages)
  const all = new Set<Promise<PoolBrowser>>()
  const over = new AbortController()
  let current: Promise<PoolBrowser> | undefined

  function start(): Promise<PoolBrowser> {
    const forget = () => {
      if (current === starting) current = undefined
    }
    const starting: Promise<PoolBrowser> = launch().then((browser) => {
      void browser.closed.then(() => all.delete(starting))
      return createPoolBrowser(browser, { ...usualWear, ...wear }, { log, maxPages, retired: forget })
    })
    all.add(starting)
    starting.catch(() => {
      all.delete(starting)
      forget()
    })
    return starting
  }

  /** A caller may leave while the browser starts; the browser is for whoever comes next. */
  function acquire(signal: AbortSignal): Promise<PoolBrowser> {
    over.signal.throwIfAborted()
    const waiting = (current ??= start())
    return withDeadline({ step: 'browser start', ms: startMs }, signal, () => waiting)
  }

  async function once<T>(use: Use, work: Work<T>): Promise<T> {
    const { wish, reuse, signal, tries } = use
    await turns.acquire(signal)
    const browser = await acquire(signal).catch((error: unknown) => {
      turns.release()
      throw error
    })
    try {
      return await browser.withTab({ wish, reuse, signal, left: turns.release }, work)
    } catch (error) {
      const isOver = signal.aborted || over.signal.aborted
      if (isOver || !(await browser.isAtFault(error)) || tries <= 1) throw error
      log.warn('browser.repeat', { error })
      return once({ ...use, tries: tries - 1 }, work)
    }
  }

  return {
    withTab: (use, work) => once({ ...use, signal: AbortSignal.any([use.signal, over.signal]) }, work),
    async close() {
      over.abort(new Error('The browsers are closed.'))
      const browsers = await Promise.allSettled(all)
      await Promise.all(browsers.map((each) => each.status === 'fulfilled' && each.value.end()))
    },
  }
}
