import { DeadlineError, withDeadline } from '../../../util/deadline.ts'
import type { Connection } from '../cdp/connection.ts'
import type { Session } from '../cdp/session.ts'
import type { Pace } from '../input/pace.ts'
import { createTab, type Tab } from '../page/tab.ts'

export type ContextWish = {
  /** `host:port` of the proxy that all traffic of the context goes through; undefined = as the browser was started. */
  proxyServer?: string | undefined
  pace?: Pace | undefined
}
export type OpenTab = {
  tab: Tab
  /** Ends the context and everything in it. Never fails: a browser that is `stuck` does not even answer that. */
  close(): Promise<'closed' | 'stuck'>
}

const openMs = 15_000
const closeMs = 3000

/** A page with its domains enabled. */
export type OpenPage = { session: Session; targetId: string }
export type OpenContext = {
  contextId: string
  /** Blank and ready. */
  openPage(signal: AbortSignal): Promise<OpenPage>
  /** Ends the context and everything in it, as that of OpenTab. */
  close(): Promise<'closed' | 'stuck'>
}

/** A page in a context of its own, blank and ready: its domains are enabled, downloads are refused. */
export async function openTab(connection: Connection, wish: ContextWish, signal: AbortSignal): Promise<OpenTab> {
  const context = await openContext(connection, wish, signal)
  try {
    const { session, targetId } = await context.openPage(signal)
    return { tab: createTab(session, targetId, context.contextId, wish.pace), close: context.close }
  } catch (error) {
    await context.close()
    throw error
  }
}

/** A context without pages, which refuses downloads. */
export async function openContext(
  connection: Connection,
  { proxyServer }: ContextWish,
  signal: AbortSignal,
): Promise<OpenContext> {
  const { browser } = connection
  const proxy = proxyServer === undefined ? {} : { proxyServer, proxyBypassList: '<-loopback>' }
  return withDeadline({ step: 'open a context', ms: openMs }, signal, async (within) => {
    const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true, ...proxy })
    const unwatch = closePopups(connection, browserContextId)
    const close = () => closeContext(connection, browserContextId).finally(unwatch)
    const refusing = browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId })
    refusing.catch(() => undefined)
    const openPage = async (during: AbortSignal) => {
      const [page] = await Promise.all([openPageIn(connection, browserContextId, during), refusing])
      return page
    }
    if (!within.aborted) return { contextId: browserContextId, openPage, close }
    await close()
    throw within.reason
  })
}

function openPageIn(connection: Connection, browserContextId: string, signal: AbortSignal): Promise<OpenPage> {
  return withDeadline({ step: 'open a page', ms: openMs }, signal, async (within) => {
    // Of the tabs of one window only the first would be painted.
    const wish = { url: 'about:blank', browserContextId, newWindow: true }
    const { targetId } = await connection.browser.send('Target.createTarget', wish)
    try {
      const session = await connection.attach(targetId, within)
      await Promise.all([
        session.send('Page.enable', {}, within),
        session.send('Network.enable', { maxTotalBufferSize: 1, maxResourceBufferSize: 1 }, within),
      ])
      return { session, targetId }
    } catch (error) {
      void closePage(connection, targetId)
      throw error
    }
  })
}

/** Windows that a page opens are seen by nobody, and a thousand of them weigh. Our own pages have no opener. */
export function closePopups({ browser }: Pick<Connection, 'browser'>, contextId: string): () => void {
  const end = browser.on('Target.targetCreated', ({ targetInfo: { type, targetId, openerId, browserContextId } }) => {
    if (type !== 'page' || openerId === undefined || browserContextId !== contextId) return
    browser.send('Target.closeTarget', { targetId }).catch(() => undefined)
  })
  browser.send('Target.setDiscoverTargets', { discover: true }).catch(() => undefined)
  return end
}

export async function closePage({ browser }: Connection, targetId: string): Promise<'closed' | 'stuck'> {
  return closing(() => browser.send('Target.closeTarget', { targetId }))
}

function closeContext({ browser }: Connection, browserContextId: string): Promise<'closed' | 'stuck'> {
  return closing(() => browser.send('Target.disposeBrowserContext', { browserContextId }))
}

function closing(close: () => Promise<unknown>): Promise<'closed' | 'stuck'> {
  return withDeadline({ step: 'close a page', ms: closeMs }, undefined, close).then(
    () => 'closed',
    (error: unknown) => (error instanceof DeadlineError ? 'stuck' : 'closed'),
  )
}
