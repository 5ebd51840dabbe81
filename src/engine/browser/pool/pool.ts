import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../kernel/log.ts'
import { DeadlineError, succeeds, withDeadline } from '../../../util/async.ts'
import { createFairSemaphore } from '../../../util/semaphore.ts'
import { CdpError } from '../cdp/cdp-session.ts'
import { groupMemoryMb, type Browser } from '../launch/process.ts'
import { StalePageError, type Tab } from '../page/tab.ts'
import { type ContextOptions, openTab, type OpenTab } from './browser-context.ts'
import { createSharedPages, type Reuse } from './shared-pages.ts'

export type PoolOptions = {
  launch(): Promise<Browser>
  log: Log
  /** Maximum number of open pages. Further requests wait, except the first of a team without an open page. */
  maxPages: number
  wear?: Partial<WearLimits>
}

type PoolRequest = Omit<TabRequest, 'onClosed'> & {
  teamId: string
  tries: number
}
export type Pool = ReturnType<typeof createPool>

const startMs = 60_000
const defaultLimits: WearLimits = { pages: 250, memoryMb: 2500, idleMs: 300_000 }

/** Creates a pool with one browser for all requests, replaced if it is worn out, hangs or dies. */
export function createPool({ launch, log, maxPages, wear }: PoolOptions) {
  const slots = createFairSemaphore({ usual: maxPages })
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

  /** The start continues if the caller aborts, because the browser can serve the next request. */
  function acquire(signal: AbortSignal): Promise<PoolBrowser> {
    closing.signal.throwIfAborted()
    const waiting = (current ??= start())
    return withDeadline({ step: 'browser start', ms: startMs }, signal, () => waiting)
  }

  async function attempt<T>(request: PoolRequest, work: Work<T>): Promise<T> {
    const { teamId, signal, tries } = request
    const leave = await slots.acquire(teamId, signal)
    const browser = await acquire(signal).catch((error: unknown) => {
      leave()
      throw error
    })
    try {
      return await browser.withTab({ ...request, onClosed: leave }, work)
    } catch (error) {
      const isOver = signal.aborted || closing.signal.aborted
      if (isOver || !(await browser.isAtFault(error)) || tries <= 1) throw error
      log.warn('browser.repeat', { error })
      return attempt({ ...request, tries: tries - 1 }, work)
    }
  }

  return {
    withTab: <T>(request: PoolRequest, work: Work<T>) =>
      attempt({ ...request, signal: AbortSignal.any([request.signal, closing.signal]) }, work),
    async close() {
      closing.abort(new Error('The browsers are closed.'))
      const browsers = await Promise.allSettled(all)
      await Promise.all(browsers.map((each) => each.status === 'fulfilled' && each.value.end()))
    },
  }
}

type Work<T> = (tab: Tab, browser: Pick<Browser, 'version' | 'connection'>) => Promise<T>
type WearLimits = {
  /** The browser is replaced after this number of pages, above this memory size, or after this idle time. */
  pages: number
  memoryMb: number
  idleMs: number
}
type PoolBrowserOptions = { log: Log; maxPages: number; retired(): void }
type TabRequest = {
  contextOptions: ContextOptions
  /** Undefined for a context used by this request only. */
  reuse?: Reuse | undefined
  signal: AbortSignal
  /** Called once, when the page is closed, possibly after the work has ended. */
  onClosed(): void
}

type PoolBrowser = ReturnType<typeof createPoolBrowser>

const closeMs = 5000
const answerMs = 3000
const memoryCheckPages = 20

function createPoolBrowser(browser: Browser, limits: WearLimits, options: PoolBrowserOptions) {
  const { log, maxPages, retired } = options
  const prewarmed = createPrewarmedContext(browser)
  const shared = createSharedPages(browser.connection, maxPages)
  let active = 0
  let pages = 0
  let isRetired = false
  let ending: Promise<void> | undefined
  let idle: NodeJS.Timeout | undefined

  function retire(): void {
    if (!isRetired) retired()
    isRetired = true
    if (active === 0) void end()
  }

  function end(): Promise<void> {
    clearTimeout(idle)
    shared.stop()
    ending ??= withDeadline({ step: 'browser close', ms: closeMs }, undefined, () => browser.close()).catch((error) =>
      log.warn('browser.close', { error }),
    )
    return ending
  }

  async function leave(opened: OpenTab | undefined, { contextOptions, reuse }: TabRequest): Promise<void> {
    const isStuck = (await opened?.close()) === 'stuck'
    active--
    if (isStuck || (await isWorn(browser, pages, limits))) retire()
    else if (!isRetired && !reuse) prewarmed.prepare(contextOptions)
    if (active > 0) return
    if (isRetired) void end()
    else idle = setTimeout(retire, limits.idleMs).unref()
  }

  void browser.connection.closed.then(retire)
  return {
    async withTab<T>(request: TabRequest, work: Work<T>): Promise<T> {
      const { contextOptions, reuse, signal, onClosed } = request
      clearTimeout(idle)
      active++
      pages++
      let opened: OpenTab | undefined
      try {
        opened = await (reuse ? shared.take(contextOptions, reuse, signal) : prewarmed.take(contextOptions, signal))
        return await workIn(opened, browser, work)
      } finally {
        void leave(opened, request).finally(onClosed)
      }
    },
    /** True if the browser or its renderer caused an error, so the work may succeed in another browser. */
    async isAtFault(error: unknown): Promise<boolean> {
      if (error instanceof StalePageError || (error instanceof CdpError && error.why === 'crashed')) return true
      if (!(await isBroken(browser, error))) return false
      retire()
      return true
    },
    end,
  }
}

/** A page in which work failed is not reused, because its state is unknown. */
async function workIn<T>({ tab }: OpenTab, browser: Browser, work: Work<T>): Promise<T> {
  try {
    return await work(tab, browser)
  } catch (error) {
    tab.reuse?.discard()
    throw error
  }
}

/** True if the browser is gone or does not return its version. A hanging page alone does not make it broken. */
async function isBroken({ connection }: Browser, error: unknown): Promise<boolean> {
  if (error instanceof CdpError && error.why === 'closed') return true
  if (!(error instanceof DeadlineError)) return false
  const answers = succeeds(connection.browser.send('Browser.getVersion', {}))
  return !(await Promise.race([answers, sleep(answerMs, false, { ref: false })]))
}

async function isWorn({ pid }: Browser, pages: number, limits: WearLimits): Promise<boolean> {
  if (pages >= limits.pages) return true
  if (pages % memoryCheckPages > 0 || pid === undefined) return false
  return (await groupMemoryMb(pid).catch(() => 0)) > limits.memoryMb
}

const prewarmMs = 5000

/** Opens the context of the next page in advance, for a request with the same options. */
function createPrewarmedContext({ connection }: Browser) {
  let prewarmed: { key: string; opening: Promise<OpenTab> } | undefined
  return {
    prepare(options: ContextOptions): void {
      const key = JSON.stringify(options)
      if (prewarmed?.key === key) return
      void prewarmed?.opening.then((opened) => opened.close()).catch(() => undefined)
      const opening = openTab(connection, options, AbortSignal.timeout(prewarmMs))
      const entry = { key, opening }
      opening.catch(() => {
        if (prewarmed === entry) prewarmed = undefined
      })
      prewarmed = entry
    },
    async take(options: ContextOptions, signal: AbortSignal): Promise<OpenTab> {
      if (prewarmed?.key !== JSON.stringify(options)) return openTab(connection, options, signal)
      const { opening } = prewarmed
      prewarmed = undefined
      return opening.catch(() => openTab(connection, options, signal))
    },
  }
}
