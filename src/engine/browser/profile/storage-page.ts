import type { Protocol } from 'devtools-protocol'
import { withDeadline } from '../../../util/async.ts'
import type { Connection } from '../cdp/cdp-connection.ts'
import type { Session } from '../cdp/cdp-session.ts'
import { createTab, type Tab } from '../page/tab.ts'
import { closePage, openPageIn } from '../pool/browser-context.ts'

export type StorageContext = { connection: Pick<Connection, 'browser' | 'attach'>; contextId: string }

const openMs = 10_000

/** The page declares an icon, because a browser with a window would otherwise request one from the site. */
const emptyPage = Buffer.from('<!doctype html><link rel="icon" href="data:,">').toString('base64')

/** A page of the context that can open any origin without a request to it. */
export type StoragePage = Awaited<ReturnType<typeof openStoragePage>>

export async function openStoragePage({ connection, contextId }: StorageContext, signal: AbortSignal) {
  const { session, targetId } = await openPageIn(connection, contextId, signal)
  const close = () => closePage(connection, targetId)
  try {
    await withDeadline({ step: 'open a page for the storage', ms: openMs }, signal, (within) =>
      answerAll(session, within),
    )
  } catch (error) {
    await close()
    throw error
  }
  const tab = createTab(session, targetId, { contextId, attach: connection.attach })
  return {
    close,
    /** Navigates to an origin. Fails if the browser does not. */
    goTo: (origin: string, during: AbortSignal) => goToOrigin(tab, origin, during),
    call: tab.call,
  }
}

/** Answers every navigation with an empty page and blocks other requests, so no request leaves the browser. */
async function answerAll(session: Session, signal: AbortSignal): Promise<void> {
  session.on('Fetch.requestPaused', ({ requestId, resourceType }) => {
    const answer =
      resourceType === 'Document'
        ? session.send('Fetch.fulfillRequest', {
            requestId,
            responseCode: 200,
            responseHeaders: [
              { name: 'content-type', value: 'text/html' },
              { name: 'cache-control', value: 'no-store' },
            ],
            body: emptyPage,
          })
        : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    answer.catch(() => undefined)
  })
  await Promise.all([
    // Otherwise a service worker of the site would answer.
    session.send('Network.setBypassServiceWorker', { bypass: true }, signal),
    session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, signal),
  ])
}

async function goToOrigin(tab: Tab, origin: string, signal: AbortSignal): Promise<void> {
  const { errorText } = await tab.session.send('Page.navigate', { url: `${origin}/` }, signal)
  if (errorText !== undefined) throw new Error(`the page could not be opened there: ${errorText}`)
  const place = await tab.evaluate<string>('location.origin', signal)
  if (place !== origin) throw new Error('the browser went elsewhere')
}

/** Maximum number of origins; the first ones are kept. More of them indicate a crawl rather than a visit. */
const maxOrigins = 100

/** Watches the origins visited in a context, in pages, frames and windows; must start after restoring and before navigating. `session` is a page, for its frames. */
export async function watchOrigins(
  { connection, contextId }: StorageContext,
  session: Session | undefined,
  signal: AbortSignal,
) {
  const origins = new Set<string>()
  const note = (address: string) => {
    const origin = originOf(address)
    if (origin !== undefined && origins.size < maxOrigins) origins.add(origin)
  }
  const noteTarget = ({ targetInfo }: { targetInfo: Protocol.Target.TargetInfo }) => {
    if (targetInfo.browserContextId === contextId) note(targetInfo.url)
  }
  const ends = [
    session?.on('Page.frameNavigated', ({ frame }) => note(frame.url)),
    connection.browser.on('Target.targetCreated', noteTarget),
    connection.browser.on('Target.targetInfoChanged', noteTarget),
  ]
  await connection.browser.send('Target.setDiscoverTargets', { discover: true }, signal)
  return { seen: () => Array.from(origins), stop: () => ends.forEach((end) => end?.()) }
}

function originOf(address: string): string | undefined {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined
}
