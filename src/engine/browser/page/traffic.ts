import type { Protocol } from 'devtools-protocol'
import type { Session } from '../cdp/cdp-session.ts'

/** Requests that can change the text of a page. Images, media, fonts and beacons cannot. */
const textResourceTypes = new Set(['Document', 'Script', 'XHR', 'Fetch', 'Stylesheet'])
/** Number of requests for the same URL above which they count as polling. */
const maxRepeats = 3
/** Time in ms after which a response counts as a long poll or stream, or is not worth waiting for. */
const maxPendingMs = 2000
/** Maximum number of tracked URLs. */
const maxTracked = 5000

/** Tracks traffic from now on; the caller must enable Network and Page. `targetId` is also the id of the main frame. */
export type Traffic = ReturnType<typeof watchTraffic>

export function watchTraffic(session: Session, targetId: string, now: () => number = () => performance.now()) {
  const open = new Map<string, { since: number; frameId: string | undefined }>()
  const times = new Map<string, number>()
  let changedAt = now()

  const end = ({ requestId }: { requestId: string }) => {
    if (open.delete(requestId)) changedAt = now()
  }
  session.on('Network.requestWillBeSent', ({ requestId, type = '', request, frameId }) => {
    const isPage = type === 'Document' && frameId === targetId
    if (!textResourceTypes.has(type) || request.url.startsWith('data:')) return
    if (!isPage && isPolling(times, request.url)) return
    open.set(requestId, { since: now(), frameId })
    changedAt = now()
  })
  session.on('Network.loadingFinished', end)
  session.on('Network.loadingFailed', end)
  // A frame that moves to its own process ends its requests there.
  session.on('Page.frameDetached', ({ frameId }) => {
    for (const [requestId, request] of open) if (request.frameId === frameId && frameId !== targetId) end({ requestId })
  })

  return {
    ...watchDocument(session, targetId),
    /** Input causes requests for URLs that were requested before; only repeats without input are polling. */
    expectRequests: () => times.clear(),
    /** Returns the time in ms without pending requests that could change the text. */
    quietForMs() {
      const at = now()
      for (const [id, { since }] of open) if (at - since >= maxPendingMs) open.delete(id)
      return open.size > 0 ? 0 : at - changedAt
    },
  }
}

function watchDocument(session: Session, targetId: string) {
  const loaders = new Set<string>()
  let requested: { requestId: string; url: string; failure?: string } | undefined
  let last: { loaderId: string; response: Protocol.Network.Response } | undefined
  let committed: { loaderId: string; response?: Protocol.Network.Response } | undefined

  session.on('Network.requestWillBeSent', ({ requestId, type, request, frameId, loaderId }) => {
    if (type !== 'Document' || frameId !== targetId) return
    requested = { requestId, url: request.url }
    if (loaders.size < maxTracked) loaders.add(loaderId)
  })
  session.on('Network.responseReceived', ({ type, response, frameId, loaderId }) => {
    if (type !== 'Document' || frameId !== targetId) return
    last = { loaderId, response }
    if (committed?.loaderId === loaderId) committed = last
  })
  session.on('Network.loadingFailed', ({ requestId, errorText }) => {
    if (requested?.requestId === requestId) requested.failure = errorText
  })
  session.on('Page.frameNavigated', ({ frame: { id, loaderId } }) => {
    if (id === targetId) committed = last?.loaderId === loaderId ? last : { loaderId }
  })

  return {
    /** Returns the response of the main frame's document; undefined before there is one. */
    document: () => (committed?.response ? committed : last)?.response,
    /** True until a response becomes the document; a download does not. */
    isBlank: () => committed?.response === undefined,
    /** Returns the URL last requested in the main frame, including redirects. */
    requestedUrl: () => requested?.url,
    /** Returns Chromium's error for the document last requested in the main frame: `net::ERR_…`. */
    failure: () => requested?.failure,
    navigations: () => loaders.size,
  }
}

function isPolling(times: Map<string, number>, url: string): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? url
  const count = (times.get(path) ?? 0) + 1
  if (times.size >= maxTracked && count === 1) return true
  times.set(path, count)
  return count > maxRepeats
}
