import type { Protocol } from 'devtools-protocol'
import type { Session } from '../cdp/cdp-session.ts'
import { createKeyboard, type Keyboard, createMouse, type Mouse, type Pace } from '../input/mouse-and-keyboard.ts'
import { createWorld, evaluate, type World } from '../world/isolated-world.ts'

export { PageError } from '../world/isolated-world.ts'

/** The content of an earlier request prevents a reused page from navigating. */
export class StalePageError extends Error {
  override readonly name = 'StalePageError'
}

/** State of a page that several requests use one after the other. */
export type PageReuse = {
  /** True if an earlier request has already set the page up. */
  readonly isSetUp: boolean
  /** Runs work once for all requests of the context; later requests get the first result. */
  once<T>(work: () => Promise<T>): Promise<T>
  /** Prevents further use of the page. */
  discard(): void
}

/** One page of a context, with its session, its input and its observed network traffic. */
export type Tab = World & {
  readonly session: Session
  readonly targetId: string
  readonly contextId: string
  readonly traffic: Traffic
  readonly windows: OpenedWindows
  readonly mouse: Mouse
  readonly keyboard: Keyboard
  /** Undefined for a page of a single request. */
  readonly reuse?: PageReuse
  /** Evaluates an expression in the world of the page's own scripts. */
  evaluate<T>(expression: string, signal?: AbortSignal): Promise<T>
}

export function createTab(session: Session, targetId: string, contextId: string, pace: Pace = 'machine'): Tab {
  acceptDialogs(session)
  const keyboard = createKeyboard(session, pace)
  return {
    session,
    targetId,
    contextId,
    mouse: createMouse(session, { pace, heldModifiers: keyboard.heldModifiers }),
    keyboard,
    traffic: watchTraffic(session, targetId),
    windows: watchWindows(session),
    evaluate: (expression, signal) => evaluate(session, expression, signal),
    ...createWorld(session, targetId),
  }
}

/** Accepts every dialog, because an open one blocks the page and all calls. Returns a function that stops this. */
export function acceptDialogs(session: Session): () => void {
  return session.on('Page.javascriptDialogOpening', ({ defaultPrompt }) => {
    const promptText = defaultPrompt === undefined ? {} : { promptText: defaultPrompt }
    session.send('Page.handleJavaScriptDialog', { accept: true, ...promptText }).catch(() => undefined)
  })
}

/** Windows that a page tried to open. None of them stays open. */
type OpenedWindows = {
  /** Returns their URLs so far. */
  urls(): readonly string[]
}

const maxWindows = 1000

function watchWindows(session: Session): OpenedWindows {
  const urls: string[] = []
  session.on('Page.windowOpen', ({ url }) => {
    if (urls.length < maxWindows) urls.push(url)
  })
  return { urls: () => [...urls] }
}

/** Network traffic of a page that shows its location and stability. */
type Traffic = {
  /** Returns the response of the main frame's document; undefined before there is one. */
  document(): Protocol.Network.Response | undefined
  /** Returns the URL last requested in the main frame, including redirects. */
  requestedUrl(): string | undefined
  /** Returns Chromium's error for the document last requested in the main frame: `net::ERR_…`. */
  failure(): string | undefined
  /** Returns the number of navigations of the main frame, without redirects. */
  navigations(): number
  /** Returns the time in ms without pending requests that could change the text. */
  quietForMs(): number
}

/** Requests that can change the text of a page. Images, media, fonts and beacons cannot. */
const textResourceTypes = new Set(['Document', 'Script', 'XHR', 'Fetch', 'Stylesheet'])
/** Number of requests for the same URL above which they count as polling. */
const maxRepeats = 3
/** Time in ms after which a response counts as a long poll or stream, or is not worth waiting for. */
const maxPendingMs = 2000
/** Maximum number of tracked URLs. */
const maxTracked = 5000

/** Tracks traffic from now on; the caller must enable Network and Page. `targetId` is also the id of the main frame. */
export function watchTraffic(session: Session, targetId: string, now: () => number = () => performance.now()): Traffic {
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
    quietForMs() {
      const at = now()
      for (const [id, { since }] of open) if (at - since >= maxPendingMs) open.delete(id)
      return open.size > 0 ? 0 : at - changedAt
    },
  }
}

/**
 * A response becomes the document's response only when the frame commits it; a download or a response without a body is
 * never committed.
 */
function watchDocument(
  session: Session,
  targetId: string,
): Pick<Traffic, 'document' | 'requestedUrl' | 'failure' | 'navigations'> {
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
    document: () => (committed?.response ? committed : last)?.response,
    requestedUrl: () => requested?.url,
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
