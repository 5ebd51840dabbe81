import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../core/log.ts'
import { CdpError } from './cdp/error.ts'
import type { ContextWish, OpenTab } from './context.ts'
import { DeadlineError, withDeadline } from './deadline.ts'
import type { Browser } from './launch/types.ts'
import { groupMemoryMb } from './launch/memory.ts'
import { createSharedPages, type Reuse } from './shared-pages.ts'
import { createSpare } from './spare-context.ts'
import { StalePageError, type Tab } from './tab.ts'

export type Work<T> = (tab: Tab, browser: Pick<Browser, 'version' | 'connection'>) => Promise<T>
export type Wear = {
  /** The browser is replaced after so many pages, when it holds so much memory, or when nobody has used it for so long. */
  pages: number
  memoryMb: number
  idleMs: number
}
export type PoolFacts = { log: Log; maxPages: number; retired(): void }
export type Place = { wish: ContextWish; reuse?: Reuse | undefined; signal: AbortSignal; left(): void }

/** A browser of the pool, with the pages that are open in it. */
export type PoolBrowser = {
  /** Work in a page of its own. `left` is called once, when the page is gone, which may be after the work has ended. */
  withTab<T>(place: Place, work: Work<T>): Promise<T>
  /** Whether a failure was the browser's or the renderer's own, so that the work may succeed elsewhere. */
  isAtFault(error: unknown): Promise<boolean>
  /** No page is opened in it any more; it ends with its last page. */
  retire(): void
  end(): Promise<void>
}

const closeMs = 5000
const answerMs = 3000
const weighEveryPages = 20

export function createPoolBrowser(browser: Browser, wear: Wear, { log, maxPages, retired }: PoolFacts): PoolBrowser {
  const spare = createSpare(browser)
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

  async function leave(opened: OpenTab | undefined, { wish, reuse }: Place): Promise<void> {
    const isStuck = (await opened?.close()) === 'stuck'
    active--
    if (isStuck || (await isWorn(browser, pages, wear))) retire()
    else if (!isRetired && !reuse) spare.prepare(wish)
    if (active > 0) return
    if (isRetired) void end()
    else idle = setTimeout(retire, wear.idleMs).unref()
  }

  void browser.connection.closed.then(retire)
  return {
    async withTab(place, work) {
      const { wish, reuse, signal, left } = place
      clearTimeout(idle)
      active++
      pages++
      let opened: OpenTab | undefined
      try {
        opened = await (reuse ? shared.take(wish, reuse, signal) : spare.take(wish, signal))
        return await workIn(opened, browser, work)
      } finally {
        void leave(opened, place).finally(left)
      }
    },
    async isAtFault(error) {
      if (error instanceof StalePageError || (error instanceof CdpError && error.why === 'crashed')) return true
      if (!(await isBroken(browser, error))) return false
      retire()
      return true
    },
    retire,
    end,
  }
}

/** A page in which work failed may be in any state. */
async function workIn<T>({ tab }: OpenTab, browser: Browser, work: Work<T>): Promise<T> {
  try {
    return await work(tab, browser)
  } catch (error) {
    tab.reused?.spoil()
    throw error
  }
}

/** A browser that does not even tell its version hangs; a page alone may hang as it likes. */
async function isBroken({ connection }: Browser, error: unknown): Promise<boolean> {
  if (error instanceof CdpError && error.why === 'closed') return true
  if (!(error instanceof DeadlineError)) return false
  const version = connection.browser.send('Browser.getVersion', {}).then(
    () => false,
    () => true,
  )
  return Promise.race([version, sleep(answerMs, true, { ref: false })])
}

async function isWorn({ pid }: Browser, pages: number, wear: Wear): Promise<boolean> {
  if (pages >= wear.pages) return true
  if (pages % weighEveryPages > 0 || pid === undefined) return false
  return (await groupMemoryMb(pid).catch(() => 0)) > wear.memoryMb
}
