import type { Session } from '../cdp/session.ts'
import type { NetworkResponse } from '../cdp/shapes.ts'
import { createKeyboard, type Keyboard } from '../input/keyboard.ts'
import { createMouse, type Mouse } from '../input/mouse.ts'
import type { Pace } from '../input/pace.ts'
import { createWorld, evaluate, type World } from '../world/isolated-world.ts'

export { PageError } from '../world/isolated-world.ts'

/** What an earlier visit has left in a page keeps the next one out. */
export class StalePageError extends Error {
  override readonly name = 'StalePageError'
}

/** What a page that is used again knows of the visits before. */
export type Reused = {
  /** The last visit left the page set up for another one like it. */
  readonly isSetUp: boolean
  /** Does work once for all visits of the context: the next one gets what the first one made. */
  once<T>(work: () => Promise<T>): Promise<T>
  /** The page is not to be used again. */
  spoil(): void
}

/** One page of a context, ready to be driven: its session, what goes over its network, and where it is. */
export type Tab = World & {
  readonly session: Session
  readonly targetId: string
  readonly contextId: string
  readonly traffic: Traffic
  readonly windows: Windows
  readonly mouse: Mouse
  readonly keyboard: Keyboard
  /** Undefined for a page that is used once. */
  readonly reused?: Reused
  /** Evaluates an expression among the page's own scripts. */
  evaluate<T>(expression: string, signal?: AbortSignal): Promise<T>
}

export function createTab(session: Session, targetId: string, contextId: string, pace: Pace = 'machine'): Tab {
  answerDialogs(session)
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

/** A dialog stops the page, and with it every step, until it is answered. Returns what ends the answering. */
export function answerDialogs(session: Session): () => void {
  return session.on('Page.javascriptDialogOpening', ({ defaultPrompt }) => {
    const promptText = defaultPrompt === undefined ? {} : { promptText: defaultPrompt }
    session.send('Page.handleJavaScriptDialog', { accept: true, ...promptText }).catch(() => undefined)
  })
}

/** The windows that a page wanted to open. None of them stays open. */
type Windows = {
  /** Their addresses so far. */
  asked(): readonly string[]
}

const most = 1000

function watchWindows(session: Session): Windows {
  const asked: string[] = []
  session.on('Page.windowOpen', ({ url }) => {
    if (asked.length < most) asked.push(url)
  })
  return { asked: () => [...asked] }
}

/** What a page loads, as far as it tells where the page is and when it has come to rest. */
type Traffic = {
  /** The answer that the page in the main frame came with; undefined before there is one. */
  document(): NetworkResponse | undefined
  /** The address last asked for in the main frame, redirects included. */
  asked(): string | undefined
  /** How many navigations of the main frame there were, redirects not counted. */
  navigations(): number
  /** How long nothing was under way that could still change the text, ms. */
  quietForMs(): number
}

/** Requests that can change the text of a page. Pictures, media, fonts, beacons and the like cannot. */
const telling = new Set(['Document', 'Script', 'XHR', 'Fetch', 'Stylesheet'])
/** The same address more often than this is polling. */
const maxRepeats = 3
/** An answer that takes longer is a long poll or a stream, or nobody would wait for it. */
const maxPatienceMs = 2000
/** A page that asks for more addresses than this is not followed further. */
const maxKnown = 5000

/** Listens from now on; Network.enable and Page.enable are the caller's. `targetId` is the id of the main frame as well. */
export function watchTraffic(session: Session, targetId: string, now: () => number = () => performance.now()): Traffic {
  const open = new Map<string, number>()
  const times = new Map<string, number>()
  let changedAt = now()

  const end = ({ requestId }: { requestId: string }) => {
    if (open.delete(requestId)) changedAt = now()
  }
  session.on('Network.requestWillBeSent', ({ requestId, type = '', request, frameId }) => {
    const isPage = type === 'Document' && frameId === targetId
    if (!telling.has(type) || request.url.startsWith('data:')) return
    if (!isPage && isPolling(times, request.url)) return
    open.set(requestId, now())
    changedAt = now()
  })
  session.on('Network.loadingFinished', end)
  session.on('Network.loadingFailed', end)

  return {
    ...watchDocument(session, targetId),
    quietForMs() {
      const at = now()
      for (const [id, since] of open) if (at - since >= maxPatienceMs) open.delete(id)
      return open.size > 0 ? 0 : at - changedAt
    },
  }
}

/** An answer becomes the page's only when the frame shows it: one that is saved as a file, or has no body, never does. */
function watchDocument(session: Session, targetId: string): Pick<Traffic, 'document' | 'asked' | 'navigations'> {
  const loaders = new Set<string>()
  let asked: string | undefined
  let last: { loaderId: string; response: NetworkResponse } | undefined
  let shown: { loaderId: string; response?: NetworkResponse } | undefined

  session.on('Network.requestWillBeSent', ({ type, request, frameId, loaderId }) => {
    if (type !== 'Document' || frameId !== targetId) return
    asked = request.url
    if (loaders.size < maxKnown) loaders.add(loaderId)
  })
  session.on('Network.responseReceived', ({ type, response, frameId, loaderId }) => {
    if (type !== 'Document' || frameId !== targetId) return
    last = { loaderId, response }
    if (shown?.loaderId === loaderId) shown = last
  })
  session.on('Page.frameNavigated', ({ frame: { id, loaderId } }) => {
    if (id === targetId) shown = last?.loaderId === loaderId ? last : { loaderId }
  })

  return {
    document: () => (shown?.response ? shown : last)?.response,
    asked: () => asked,
    navigations: () => loaders.size,
  }
}

function isPolling(times: Map<string, number>, address: string): boolean {
  const place = address.split(/[?#]/, 1)[0] ?? address
  const count = (times.get(place) ?? 0) + 1
  if (times.size >= maxKnown && count === 1) return true
  times.set(place, count)
  return count > maxRepeats
}
