import type { ClientSocket } from '../../../contracts/session-port.ts'
import { type Chooser, maxBytes, maxFiles } from '../file-chooser.ts'
import { followTabs, type LiveViewOptions } from './follow-tabs.ts'
import { createViewer, type Role, closeCodes } from './viewer.ts'
import {
  attend,
  currentTab,
  enter,
  type Fit,
  isAttendance,
  isRefused,
  leave,
  type LiveViewState,
  newViewerState,
  updateViewers,
  type ViewerState,
} from './viewers.ts'
import type { WatchedTab } from './watched-tab.ts'
import { perform, receiveFileBytes } from './viewer-actions.ts'
import type { ViewerAction, ViewMessage } from './messages.ts'
import { createHash } from 'node:crypto'
import { loadPage } from '../../../web/web-assets.ts'

const maxViewers = 20
/** Polling interval in ms, to detect changes made by the session itself. */
const pollMs = 300
/** Changes within this time in ms are sent as one update. */
const mergeMs = 40

export type LiveView = Awaited<ReturnType<typeof createLiveView>>

/** Shows the pages of a session to viewers, and lets those with control act. Fails with a CdpError. */
export async function createLiveView(options: LiveViewOptions) {
  const { connection } = options
  const viewers = new Set<ViewerState>()
  let isOver = false
  let polling: NodeJS.Timeout | undefined
  const update = soon(() => viewers.size > 0 && updateViewers(view))
  const tabs = await followTabs(options, {
    changed: update,
    wantsFiles: (tab, chooser) => requestFiles({ viewers }, tab, chooser),
    crashed: (tab) => notifyOfCrash(viewers, tab),
  })
  const view: LiveViewState = { options, tabs, viewers, fit: undefined }

  function end(why: string): void {
    isOver = true
    for (const { viewer } of viewers) {
      viewer.send({ type: 'end', why })
      viewer.close(closeCodes.normal, 'the session has ended')
    }
  }
  void connection.closed.then(() => end('browser'))

  return {
    /** Adds a viewer, or closes the socket; must be called synchronously after receiving the socket. */
    join(socket: ClientSocket, role: Role) {
      const viewer = createViewer(socket, role, {
        look: (message) => applyView(view, state, message),
        act: (message) => performAction(view, state, message),
        bytes: (chunk) => receiveBytes(view, state, chunk),
        ready: () => state.tab?.cast.pump(),
        closed() {
          goAway(view, state)
          if (viewers.size === 0) clearInterval(polling)
        },
      })
      const state = newViewerState(viewer)
      if (isOver) return viewer.close(closeCodes.normal, 'the session has ended')
      if (viewers.size >= maxViewers) return viewer.close(closeCodes.later, 'too many viewers')
      viewers.add(state)
      if (viewers.size === 1) polling = setInterval(() => updateViewers(view), pollMs).unref()
      viewer.send({ type: 'hello', role })
      updateViewers(view)
    },
    /** Must be called when the state shared between viewers and agents has changed. */
    update,
    isWatched: () => viewers.size > 0,
    mayBeUsed: () => Array.from(viewers).some(({ viewer }) => viewer.role === 'control'),
    announce: (text: string) => viewers.forEach(({ viewer }) => viewer.send({ type: 'notice', text })),
    end,
    async close() {
      end('closed')
      await tabs.close()
    },
  }
}

/** Sends the file chooser to the viewer who acted last in the tab. */
function requestFiles({ viewers }: Pick<LiveViewState, 'viewers'>, tab: WatchedTab, chooser: Chooser): void {
  const state = Array.from(viewers)
    .filter((each) => each.tab === tab && each.actedAt > 0)
    .sort((one, other) => other.actedAt - one.actedAt)[0]
  if (!state) return
  state.chooser = chooser
  state.upload = undefined
  state.viewer.send({ type: 'wantFiles', multiple: chooser.multiple, maxFiles, maxBytes })
}

function notifyOfCrash(viewers: Iterable<ViewerState>, crashed: WatchedTab): void {
  for (const { viewer, tab } of viewers)
    if (tab === crashed) viewer.send({ type: 'notice', text: 'The page has crashed. Reload it.' })
}

function goAway(view: LiveViewState, state: ViewerState): void {
  leave(view, state)
  view.viewers.delete(state)
  if (view.fit?.by === state) fit(view, state, undefined)
  view.options.people.hold.leave(state.viewer)
}

/** Debounces: calls `work` once, a moment after the first of several calls. */
function soon(work: () => unknown): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      work()
    }, mergeMs).unref()
  }
}

const maxTabs = 10

function applyView(view: LiveViewState, state: ViewerState, message: Exclude<ViewMessage, { type: 'ack' | 'ping' }>) {
  if (message.type === 'look') {
    state.isLooking = message.on
    if (message.on) enter(state)
    else state.tab?.cast.remove(state.viewer)
    return
  }
  if (!view.tabs.find(message.tab)) return
  const holder = view.options.people.hold.holder()
  const mayLead = state.viewer.role === 'control' && (!holder || holder === state.viewer)
  if (mayLead) return inTurn(view, state, () => activate(view, state, message.tab))
  state.pickedTab = message.tab === currentTab(view)?.targetId ? undefined : message.tab
  updateViewers(view)
}

function performAction(view: LiveViewState, state: ViewerState, message: ViewerAction): void {
  const context = { options: view.options, state }
  if (isAttendance(message)) {
    view.options.onActivity()
    return attend(context, message)
  }
  if (isRefused(context, message)) return
  inTurn(view, state, async () => {
    state.actedAt = performance.now()
    view.options.onActivity()
    if (message.type === 'fit') fit(view, state, message.size)
    else if (message.type === 'newTab') await openTab(view, state)
    else if (message.type === 'closeTab') await view.options.tabs.close(message.tab)
    else if (state.tab) await perform({ state, tab: state.tab, proxyErrorOf: view.options.proxyErrorOf }, message)
  })
}

function receiveBytes(view: LiveViewState, state: ViewerState, chunk: Uint8Array): void {
  inTurn(view, state, async () => {
    if (state.tab) await receiveFileBytes({ state, tab: state.tab }, chunk)
  })
}

function inTurn({ options }: LiveViewState, state: ViewerState, work: () => Promise<void>): void {
  state.queue = state.queue.then(work).catch((error: unknown) => options.log.debug('session.liveView', { error }))
}

function fit(view: LiveViewState, by: ViewerState, size: Fit['size'] | undefined): void {
  view.fit = size && { by, size }
  updateViewers(view)
}

/** If the session cannot switch to a tab, the tab is still shown to this viewer. */
async function activate(view: LiveViewState, state: ViewerState, targetId: string): Promise<void> {
  view.options.onActivity()
  try {
    await view.options.tabs.switchTo(targetId)
    state.pickedTab = undefined
  } catch {
    state.pickedTab = targetId
  }
  updateViewers(view)
}

async function openTab(view: LiveViewState, state: ViewerState): Promise<void> {
  if (view.tabs.all().length >= maxTabs) return state.viewer.send({ type: 'notice', text: `At most ${maxTabs} tabs.` })
  await activate(view, state, (await view.options.tabs.openReported()).targetId)
}

export type LivePage = { html: string; contentSecurityPolicy: string }

/** Returns the live view as one document, confined to its WebSocket. `framedBy`: origins that may frame it. */
export async function livePage(framedBy: readonly string[] = ["'self'"]): Promise<LivePage> {
  const html = await loadPage('live-view-page.html')
  const hashOf = (tag: 'script' | 'style') => {
    const text = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? ''
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  }
  const policy = {
    'default-src': "'none'",
    'script-src': hashOf('script'),
    'style-src': hashOf('style'),
    'img-src': 'blob: data:',
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': framedBy.join(' '),
  }
  const contentSecurityPolicy = Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
  return { html, contentSecurityPolicy }
}
