import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../kernel/log.ts'
import { DeadlineError, withDeadline } from '../../../util/deadline.ts'
import { CdpError } from '../cdp/error.ts'
import { groupMemoryMb } from '../launch/memory.ts'
import type { Browser } from '../launch/types.ts'
import { StalePageError, type Tab } from '../page/tab.ts'
import { type ContextWish, type OpenTab, openTab } from './context.ts'
import { createSharedPages, type Reuse } from './shared-pages.ts'

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

const spareMs = 5000

/** A context that is opened ahead hides the time this takes; it is for the next page that wants the same. */
function createSpare({ connection }: Browser) {
  let spare: { key: string; opening: Promise<OpenTab> } | undefined
  return {
    prepare(wish: ContextWish): void {
      const key = JSON.stringify(wish)
      if (spare?.key === key) return
      void spare?.opening.then((opened) => opened.close()).catch(() => undefined)
      const opening = openTab(connection, wish, AbortSignal.timeout(spareMs))
      const made = { key, opening }
      opening.catch(() => {
        if (spare === made) spare = undefined
      })
      spare = made
    },
    async take(wish: ContextWish, signal: AbortSignal): Promise<OpenTab> {
      if (spare?.key !== JSON.stringify(wish)) return openTab(connection, wish, signal)
      const { opening } = spare
      spare = undefined
      return opening.catch(() => openTab(connection, wish, signal))
    },
  }
}
