import { withDeadline } from '../../../util/deadline.ts'
import type { Connection } from '../cdp/connection.ts'
import type { Session } from '../cdp/session.ts'
import type { Pace } from '../input/pace.ts'
import { createTab } from '../page/tab.ts'
import { closePage, type ContextWish, type OpenTab } from './context.ts'
import { createIdlePages, type Visit } from './idle-pages.ts'
import { createSharedContexts } from './shared-context.ts'

/** What visits have to agree in. */
export type Reuse = {
  /** Whose cookies, storage and cache they share. */
  context: string
  /** What their pages are set up for: a page is taken again only for the same. */
  page: string
}

/** The pages of a browser that are used again. */
export type SharedPages = {
  /** A blank page in the context of that key; `close` hands it on to the next visit where it is fit for that. */
  take(wish: ContextWish, reuse: Reuse, signal: AbortSignal): Promise<OpenTab>
  stop(): void
}

const openMs = 15_000
const maxUses = 50

/** Keeps at most so many pages that wait for a visit, the last used ones. */
export function createSharedPages(connection: Connection, maxIdle: number): SharedPages {
  const contexts = createSharedContexts(connection)
  const idle = createIdlePages(connection, maxIdle)

  async function open(visit: Visit, pace: Pace | undefined, signal: AbortSignal): Promise<OpenTab> {
    const { context, look } = visit
    const { contextId, openPage } = await withDeadline(
      { step: 'open a context', ms: openMs },
      signal,
      () => context.opened,
    )
    const page = (await idle.take(visit)) ?? { ...(await openPage(signal)), context, look, uses: 0 }
    const { session, end } = hearing(page.session)
    let isFit = page.uses + 1 < maxUses
    const spoil = () => void (isFit = false)
    void page.session.ended.then(spoil)
    return {
      tab: {
        ...createTab(session, page.targetId, contextId, pace),
        reused: { isSetUp: page.uses > 0, once: context.once, spoil },
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
    take(wish, { context: key, page: look }, signal) {
      const context = contexts.enter(key, wish)
      return open({ context, look }, wish.pace, signal).catch((error: unknown) => {
        context.leave()
        throw error
      })
    },
    stop: contexts.stop,
  }
}

/** The same session for one visit: all that is listened to in it ends together. */
function hearing(session: Session): { session: Session; end(): void } {
  const ends: (() => void)[] = []
  const on: Session['on'] = (event, listener) => {
    const end = session.on(event, listener)
    ends.push(end)
    return end
  }
  return { session: { ...session, on }, end: () => ends.forEach((end) => end()) }
}
