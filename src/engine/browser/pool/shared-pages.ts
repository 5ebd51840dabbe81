import { succeeds, withDeadline } from '../../../util/async.ts'
import type { Connection } from '../cdp/cdp-connection.ts'
import type { Session } from '../cdp/cdp-session.ts'
import type { Pace } from '../input/mouse-and-keyboard.ts'
import { goBlank } from '../page/navigate.ts'
import { acceptDialogs, createTab } from '../page/tab.ts'
import {
  closePage,
  type ContextOptions,
  type OpenPage,
  type OpenTab,
  openContext,
  type OpenContext,
} from './browser-context.ts'

export type Reuse = {
  /** Identifies the shared cookies, storage and cache. */
  context: string
  /** Identifies the setup of the page: a page is reused only for the same setup. */
  page: string
}

const openMs = 15_000
const maxUses = 50

export function createSharedPages(connection: Connection, maxIdle: number) {
  const contexts = createSharedContexts(connection)
  const idle = createIdlePages(connection, maxIdle)

  async function open(wanted: PageSetup, pace: Pace | undefined, signal: AbortSignal): Promise<OpenTab> {
    const { context, setup } = wanted
    const { contextId, openPage } = await withDeadline(
      { step: 'open a context', ms: openMs },
      signal,
      () => context.opened,
    )
    const page = (await idle.take(wanted)) ?? { ...(await openPage(signal)), context, setup, uses: 0 }
    const { session, end } = scopedSession(page.session)
    acceptDialogs(session)
    let isReusable = page.uses + 1 < maxUses
    const discard = () => void (isReusable = false)
    void page.session.ended.then(discard)
    return {
      tab: {
        ...createTab(session, page.targetId, { contextId, attach: connection.attach, pace }),
        reuse: { isSetUp: page.uses > 0, once: context.once, discard },
      },
      async close() {
        end()
        context.leave()
        if (!isReusable) return closePage(connection, page.targetId)
        idle.add({ ...page, uses: page.uses + 1 })
        return 'closed'
      },
    }
  }

  return {
    /** Returns an idle page, or opens one. `close` makes the page available for the next request if it is reusable. */
    take(options: ContextOptions, { context: key, page: setup }: Reuse, signal: AbortSignal) {
      const context = contexts.enter(key, options)
      return open({ context, setup }, options.pace, signal).catch((error: unknown) => {
        context.leave()
        throw error
      })
    },
    stop: contexts.stop,
  }
}

/** Wraps the session for one request: `end` removes all listeners added through it. */
function scopedSession(session: Session): { session: Session; end(): void } {
  const unsubscribe: (() => void)[] = []
  const on: Session['on'] = (event, listener) => {
    const stop = session.on(event, listener)
    unsubscribe.push(stop)
    return stop
  }
  return { session: { ...session, on }, end: () => unsubscribe.forEach((stop) => stop()) }
}

type PageSetup = { context: SharedContext; setup: string }
type SharedPage = OpenPage & PageSetup & { uses: number }

type IdlePage = {
  page: SharedPage
  /** Resolves with true if the page responds and its last document was stopped. */
  isReusable: Promise<boolean>
  resume(): Promise<void>
}

const leaveMs = 3000
/**
 * Delay in ms before an idle page is blanked. Blanking slows a request down, and is unnecessary if the page is reused
 * at once.
 */
const blankAfterMs = 300

/** Keeps pages between two requests: at most `max`, the most recently used ones. */
function createIdlePages(connection: Connection, max: number) {
  const all: IdlePage[] = []

  function remove(idle: IdlePage): void {
    const at = all.indexOf(idle)
    if (at < 0) return
    all.splice(at, 1)
    void idle.resume()
  }

  function drop(idle: IdlePage): void {
    remove(idle)
    void closePage(connection, idle.page.targetId)
  }

  return {
    /** Returns a page with this setup, if there is one. It is blank, or still shows its last document. */
    async take(wanted: PageSetup): Promise<SharedPage | undefined> {
      for (;;) {
        const idle = all.findLast(({ page }) => page.context === wanted.context && page.setup === wanted.setup)
        if (!idle) return undefined
        remove(idle)
        if (await idle.isReusable) return idle.page
        void closePage(connection, idle.page.targetId)
      }
    },
    add(page: SharedPage): void {
      const idle = createIdlePage(page)
      all.push(idle)
      void idle.isReusable.then((isReusable) => isReusable || drop(idle))
      void page.session.ended.then(() => remove(idle))
      if (all[0] && all.length > max) drop(all[0])
    },
  }
}

function createIdlePage(page: SharedPage): IdlePage {
  const stopAccepting = acceptDialogs(page.session)
  const timer = setTimeout(() => {
    idle.isReusable = idle.isReusable.then((isReusable) => isReusable && responds((within) => goBlank(page, within)))
  }, blankAfterMs).unref()
  const idle: IdlePage = {
    page,
    isReusable: responds((within) => silence(page, within)),
    async resume() {
      clearTimeout(timer)
      await idle.isReusable
      stopAccepting()
    },
  }
  return idle
}

/** Ends the timers and requests of a page, so it does not navigate while the next one loads. */
const stopActivity = `{
  const last = setTimeout(() => {}, 0)
  for (let id = last; id > 0 && id > last - 20_000; id--) clearTimeout(id)
  stop()
}`

async function silence({ session }: SharedPage, signal: AbortSignal): Promise<void> {
  await Promise.all([
    session.send('Runtime.evaluate', { expression: stopActivity }, signal),
    session.send('Emulation.setScriptExecutionDisabled', { value: true }, signal),
  ])
}

/** Returns false for a page that does not respond, which cannot be reused. */
const responds = (work: (within: AbortSignal) => Promise<unknown>): Promise<boolean> =>
  succeeds(withDeadline({ step: 'leave a page', ms: leaveMs }, undefined, work))

/** A context shared by requests while it is in use and for some time afterwards. */
type SharedContext = {
  readonly opened: Promise<OpenContext>
  once<T>(work: () => Promise<T>): Promise<T>
  /** Called once for each `enter`. */
  leave(): void
}

const contextOpenMs = 15_000
const idleMs = 60_000

/** Keeps one context per key and options, opened on first use and closed after a minute without use. */
export function createSharedContexts(connection: Connection) {
  const contexts = new Map<string, SharedContext & { enter(): void; stop(): void }>()

  function open(key: string, options: ContextOptions) {
    const opened = openContext(connection, options, AbortSignal.timeout(contextOpenMs))
    let users = 0
    let timer: NodeJS.Timeout | undefined
    const stop = () => {
      clearTimeout(timer)
      contexts.delete(key)
    }
    const close = () => {
      stop()
      void opened.then((context) => context.close()).catch(() => undefined)
    }
    opened.catch(stop)
    return {
      opened,
      once: createRunOnce(),
      enter() {
        users++
        clearTimeout(timer)
      },
      leave() {
        users--
        if (users === 0) timer = setTimeout(close, idleMs).unref()
      },
      stop,
    }
  }

  return {
    enter(key: string, options: ContextOptions): SharedContext {
      const id = JSON.stringify([key, options])
      const context = contexts.get(id) ?? open(id, options)
      contexts.set(id, context)
      context.enter()
      return context
    },
    /** Stops all timers, because the browser closes together with all contexts. */
    stop: () => contexts.forEach((context) => context.stop()),
  }
}

/** Runs work once. If it fails, the next request runs it again. */
function createRunOnce(): SharedContext['once'] {
  let done: Promise<unknown> | undefined
  return async function once<T>(work: () => Promise<T>): Promise<T> {
    const before = done
    if (before === undefined) {
      done = work()
      done.catch(() => (done = undefined))
      return done as Promise<T>
    }
    return (before as Promise<T>).catch(() => once(work))
  }
}
