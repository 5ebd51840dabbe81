import type { Connection } from './cdp/connection.ts'
import { DeadlineError, withDeadline } from './deadline.ts'
import { createTab, type Pace, type Tab } from './tab.ts'

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

/** A page in a context of its own, blank and ready: its domains are enabled, downloads are refused. */
export async function openTab(connection: Connection, wish: ContextWish, signal: AbortSignal): Promise<OpenTab> {
  const { browser } = connection
  const { proxyServer } = wish
  const proxy = proxyServer === undefined ? {} : { proxyServer, proxyBypassList: '<-loopback>' }
  return withDeadline({ step: 'open a page', ms: openMs }, signal, async (within) => {
    const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true, ...proxy })
    const popups = watchPopups(connection, browserContextId)
    const close = () => closeContext(connection, browserContextId).finally(popups.end)
    try {
      within.throwIfAborted()
      const [{ targetId }] = await Promise.all([
        browser.send('Target.createTarget', { url: 'about:blank', browserContextId }, within),
        browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }, within),
      ])
      popups.closeAllBut(targetId)
      const session = await connection.attach(targetId, within)
      const tab = createTab(session, targetId, browserContextId, wish.pace)
      await Promise.all([
        session.send('Page.enable', {}, within),
        session.send('Network.enable', { maxTotalBufferSize: 1, maxResourceBufferSize: 1 }, within),
      ])
      return { tab, close }
    } catch (error) {
      await close()
      throw error
    }
  })
}

/** Windows that a page opens are seen by nobody, and a thousand of them weigh. */
function watchPopups({ browser }: Connection, contextId: string) {
  let own: string | undefined
  const end = browser.on('Target.targetCreated', ({ targetInfo: { type, targetId, openerId, browserContextId } }) => {
    if (
      own === undefined ||
      type !== 'page' ||
      targetId === own ||
      openerId === undefined ||
      browserContextId !== contextId
    )
      return
    browser.send('Target.closeTarget', { targetId }).catch(() => undefined)
  })
  browser.send('Target.setDiscoverTargets', { discover: true }).catch(() => undefined)
  return { end, closeAllBut: (targetId: string) => void (own = targetId) }
}

async function closeContext({ browser }: Connection, browserContextId: string): Promise<'closed' | 'stuck'> {
  const disposing = () => browser.send('Target.disposeBrowserContext', { browserContextId })
  return withDeadline({ step: 'close a page', ms: closeMs }, undefined, disposing).then(
    () => 'closed',
    (error: unknown) => (error instanceof DeadlineError ? 'stuck' : 'closed'),
  )
}
