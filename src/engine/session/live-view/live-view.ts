import type { ClientSocket } from '../../../contracts/session.ts'
import { followTabs } from './follow-tabs.ts'
import { createViewer, type Role, closeCodes } from './viewer.ts'
import {
  requestFiles,
  currentTab,
  type LiveViewState,
  leave,
  type ViewerState,
  updateViewers,
  newViewerState,
  enter,
} from './viewers.ts'
import type { LiveViewOptions } from './options.ts'
import { perform, takeBytes } from './actions.ts'
import type { ViewerAction, ViewMessage } from './messages.ts'

export type LiveView = {
  /** Takes the socket in, or turns it away when there are too many; to be called in the turn in which the socket was given. */
  join(socket: ClientSocket, role: Role): void
  /** The last picture of the current tab that a viewer was sent. */
  lastFrame(): { bytes: Uint8Array; mimeType: 'image/jpeg' } | undefined
  /** Tells the viewers that the session is over, and why, and hangs up. */
  end(why: string): void
  /** Lets go of the pages as well. */
  close(): Promise<void>
}

const mostViewers = 20
/** What the session does by itself is noticed so soon. */
const lookEveryMs = 300
/** What happens together is told together. */
const tellMs = 40

/** Shows the pages of a browser to any number of viewers and lets those who may act in them. Fails with a CdpError when the browser is gone. */
export async function createLiveView(options: LiveViewOptions): Promise<LiveView> {
  const { connection } = options
  const viewers = new Set<ViewerState>()
  let isOver = false
  let looking: NodeJS.Timeout | undefined
  const tabs = await followTabs(options, {
    changed: soon(() => {
      if (viewers.size > 0) updateViewers(view)
    }),
    wantsFiles: (tab, chooser) => requestFiles({ viewers: viewers }, tab, chooser),
    crashed(tab) {
      for (const { viewer, ...state } of viewers)
        if (state.tab === tab) viewer.send({ type: 'notice', text: 'The page has crashed. Reload it.' })
    },
  })
  const view: LiveViewState = { options, tabs, viewers: viewers }

  function end(why: string): void {
    isOver = true
    for (const { viewer } of viewers) {
      viewer.send({ type: 'end', why })
      viewer.close(closeCodes.normal, 'the session is over')
    }
  }
  void connection.closed.then(() => end('browser'))

  return {
    join(socket, role) {
      const viewer = createViewer(socket, role, {
        look: (message) => applyView(view, state, message),
        act: (message) => performAction(view, state, message),
        bytes: (chunk) => receiveBytes(view, state, chunk),
        ready: () => state.tab?.cast.pump(),
        closed() {
          leave(view, state)
          viewers.delete(state)
          if (viewers.size === 0) clearInterval(looking)
        },
      })
      const state = newViewerState(viewer)
      if (isOver) return viewer.close(closeCodes.normal, 'the session is over')
      if (viewers.size >= mostViewers) return viewer.close(closeCodes.later, 'too many viewers')
      viewers.add(state)
      if (viewers.size === 1) looking = setInterval(() => updateViewers(view), lookEveryMs).unref()
      viewer.send({ type: 'hello', role })
      updateViewers(view)
    },
    lastFrame() {
      const frame = currentTab(view)?.cast.last()
      return frame && { bytes: frame.jpeg, mimeType: 'image/jpeg' }
    },
    end,
    async close() {
      end('closed')
      await tabs.close()
    },
  }
}

/** Works a moment later, once for all calls until then. */
function soon(work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      work()
    }, tellMs).unref()
  }
}

const mostTabs = 10

/** What a viewer wants to see. */
function applyView(
  view: LiveViewState,
  state: ViewerState,
  message: Exclude<ViewMessage, { type: 'ack' | 'ping' }>,
): void {
  if (message.type === 'look') {
    state.isLooking = message.on
    if (message.on) enter(state)
    else state.tab?.cast.remove(state.viewer)
    return
  }
  if (!view.tabs.find(message.tab)) return
  if (state.viewer.role === 'control') return inTurn(view, state, () => activate(view, state, message.tab))
  state.pickedTab = message.tab === currentTab(view)?.targetId ? undefined : message.tab
  updateViewers(view)
}

/** What a viewer wants done. */
function performAction(view: LiveViewState, state: ViewerState, message: ViewerAction): void {
  inTurn(view, state, async () => {
    state.actedAt = performance.now()
    view.options.onActivity()
    if (message.type === 'newTab') await openTab(view, state)
    else if (message.type === 'closeTab') await closeTab(view, state, message.tab)
    else if (state.tab) await perform({ state, tab: state.tab }, message)
  })
}

function receiveBytes(view: LiveViewState, state: ViewerState, chunk: Uint8Array): void {
  inTurn(view, state, async () => {
    if (state.tab) await takeBytes({ state, tab: state.tab }, chunk)
  })
}

function inTurn({ options }: LiveViewState, state: ViewerState, work: () => Promise<void>): void {
  state.queue = state.queue.then(work).catch((error: unknown) => options.log.debug('session.liveView', { error }))
}

/** A tab that the session cannot take up is still shown. */
async function activate(view: LiveViewState, state: ViewerState, targetId: string): Promise<void> {
  view.options.onActivity()
  try {
    await view.options.activate(targetId)
    state.pickedTab = undefined
  } catch {
    state.pickedTab = targetId
  }
  updateViewers(view)
}

async function openTab(view: LiveViewState, state: ViewerState): Promise<void> {
  if (view.tabs.all().length >= mostTabs)
    return state.viewer.send({ type: 'notice', text: `At most ${mostTabs} tabs.` })
  await activate(view, state, await view.tabs.open())
}

/** A session without tabs could not go on. */
async function closeTab(view: LiveViewState, state: ViewerState, targetId: string): Promise<void> {
  if (!view.tabs.find(targetId)) return
  if (view.tabs.all().length === 1) await activate(view, state, await view.tabs.open())
  await view.options.connection.browser.send('Target.closeTarget', { targetId })
}
