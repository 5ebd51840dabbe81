import { DeadlineError, withDeadline } from '../../../util/async.ts'
import type { Connection } from '../cdp/cdp-connection.ts'
import type { Session } from '../cdp/cdp-session.ts'
import type { Pace } from '../input/mouse-and-keyboard.ts'
import { acceptDialogs, createTab, type Tab } from '../page/tab.ts'

export type ContextOptions = {
  /** `host:port` of the context's proxy; undefined uses the browser's proxy. */
  proxyServer?: string | undefined
  pace?: Pace | undefined
}
export type OpenTab = {
  tab: Tab
  /** Closes the context and its pages. Never rejects: `stuck` means that the browser did not respond. */
  close(): Promise<'closed' | 'stuck'>
}

const openMs = 15_000
const closeMs = 3000

export type OpenPage = { session: Session; targetId: string }
export type OpenContext = {
  contextId: string
  openPage(signal: AbortSignal): Promise<OpenPage>
  close(): Promise<'closed' | 'stuck'>
}

/** Opens a blank page in a new context that blocks downloads. */
export async function openTab(connection: Connection, options: ContextOptions, signal: AbortSignal): Promise<OpenTab> {
  const context = await openContext(connection, options, signal)
  try {
    const { session, targetId } = await context.openPage(signal)
    acceptDialogs(session)
    const { contextId, close } = context
    return { tab: createTab(session, targetId, { contextId, attach: connection.attach, pace: options.pace }), close }
  } catch (error) {
    await context.close()
    throw error
  }
}

/** Opens a context without pages that blocks downloads. */
export async function openContext(connection: Connection, { proxyServer }: ContextOptions, signal: AbortSignal) {
  const { browser } = connection
  const proxy = proxyServer === undefined ? {} : { proxyServer, proxyBypassList: '<-loopback>' }
  return withDeadline({ step: 'open a context', ms: openMs }, signal, async (within) => {
    const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true, ...proxy })
    const stopClosing = closePopups(connection, browserContextId)
    const close = () => closeContext(connection, browserContextId).finally(stopClosing)
    const denied = browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId })
    denied.catch(() => undefined)
    const openPage = async (during: AbortSignal) => {
      const [page] = await Promise.all([openPageIn(connection, browserContextId, during), denied])
      return page
    }
    if (!within.aborted) return { contextId: browserContextId, openPage, close }
    await close()
    throw within.reason
  })
}

export function openPageIn(
  connection: Pick<Connection, 'browser' | 'attach'>,
  browserContextId: string,
  signal: AbortSignal,
): Promise<OpenPage> {
  return withDeadline({ step: 'open a page', ms: openMs }, signal, async (within) => {
    // Among tabs of one window only the first would be rendered.
    const target = { url: 'about:blank', browserContextId, newWindow: true }
    const { targetId } = await connection.browser.send('Target.createTarget', target)
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

/** Closes windows that pages open. Our own pages have no opener. */
export function closePopups({ browser }: Pick<Connection, 'browser'>, contextId: string): () => void {
  const end = browser.on('Target.targetCreated', ({ targetInfo: { type, targetId, openerId, browserContextId } }) => {
    if (type !== 'page' || openerId === undefined || browserContextId !== contextId) return
    browser.send('Target.closeTarget', { targetId }).catch(() => undefined)
  })
  browser.send('Target.setDiscoverTargets', { discover: true }).catch(() => undefined)
  return end
}

export async function closePage(
  { browser }: Pick<Connection, 'browser'>,
  targetId: string,
): Promise<'closed' | 'stuck'> {
  return closeResult(() => browser.send('Target.closeTarget', { targetId }))
}

function closeContext({ browser }: Connection, browserContextId: string): Promise<'closed' | 'stuck'> {
  return closeResult(() => browser.send('Target.disposeBrowserContext', { browserContextId }))
}

function closeResult(close: () => Promise<unknown>): Promise<'closed' | 'stuck'> {
  return withDeadline({ step: 'close a page', ms: closeMs }, undefined, close).then(
    () => 'closed',
    (error: unknown) => (error instanceof DeadlineError ? 'stuck' : 'closed'),
  )
}
