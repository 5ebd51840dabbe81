import { withDeadline } from '../../../util/deadline.ts'
import type { Connection } from '../cdp/connection.ts'
import type { Session } from '../cdp/session.ts'
import type { Pace } from '../input/pace.ts'
import { createTab } from '../page/tab.ts'
import { closePage, type ContextOptions, type OpenTab } from './context.ts'
import { createIdlePages, type PageSetup } from './idle-pages.ts'
import { createSharedContexts } from './shared-context.ts'

/** What requests must agree in to share a page. */
export type Reuse = {
  /** Whose cookies, storage and cache they share. */
  context: string
  /** What their pages are set up for: a page is reused only for the same setup. */
  page: string
}

/** The pages of a browser that are reused. */
export type SharedPages = {
  /** Takes an idle page or opens one; `close` keeps it for the next request when it is still usable. */
  take(options: ContextOptions, reuse: Reuse, signal: AbortSignal): Promise<OpenTab>
  stop(): void
}

const openMs = 15_000
const maxUses = 50

/** Keeps the `maxIdle` last used pages. */
export function createSharedPages(connection: Connection, maxIdle: number): SharedPages {
  const contexts = createSharedContexts(connection)
  const idle = createIdlePages(connection, maxIdle)

  async function open(visit: PageSetup, pace: Pace | undefined, signal: AbortSignal): Promise<OpenTab> {
    const { context, setup: look } = visit
    const { contextId, openPage } = await withDeadline(
      { step: 'open a context', ms: openMs },
      signal,
      () => context.opened,
    )
    const page = (await idle.take(visit)) ?? { ...(await openPage(signal)), context, setup: look, uses: 0 }
    const { session, end } = scopedSession(page.session)
    let isFit = page.uses + 1 < maxUses
    const spoil = () => void (isFit = false)
    void page.session.ended.then(spoil)
    return {
      tab: {
        ...createTab(session, page.targetId, contextId, pace),
        reuse: { isSetUp: page.uses > 0, once: context.once, discard: spoil },
      },
      async close() {
        end()
        context.leave()
        if (!isFit) return closePage(connection, page.targetId)
        idle.add({ ...page, uses: page.uses + 1 })
        return 'closed'
      },
    }
  }

  return {
    take(options, { context: key, page: look }, signal) {
      const context = contexts.enter(key, options)
      return open({ context, setup: look }, options.pace, signal).catch((error: unknown) => {
        context.leave()
        throw error
      })
    },
    stop: contexts.stop,
  }
}

/** The same session for one request: `end` removes all listeners that were added through it. */
function scopedSession(session: Session): { session: Session; end(): void } {
  const unsubscribe: (() => void)[] = []
  const on: Session['on'] = (event, listener) => {
    const stop = session.on(event, listener)
    unsubscribe.push(stop)
    return stop
  }
  return { session: { ...session, on }, end: () => unsubscribe.forEach((stop) => stop()) }
}
