import type { ClientSocket } from '../../../contracts/session-port.ts'
import { type Chooser, maxBytes, maxFiles } from '../file-chooser.ts'
import { type FollowedTabs, followTabs, type LiveViewOptions } from './follow-tabs.ts'
import { closeCodes, createViewer, newViewerState, type Role, type ViewerState } from './viewer.ts'
import type { WatchedTab } from './watched-tab.ts'
import { perform, receiveFileBytes } from './viewer-actions.ts'
import { type AttendMessage, isAttendance, type ViewerAction, type ViewMessage, type ViewState } from './messages.ts'
import type { People } from '../people.ts'
import { createHash } from 'node:crypto'
import { loadPage } from '../../../web/web-assets.ts'

const maxViewers = 20
/** Polling interval in ms, to detect changes of the session that no event reports. */
const pollMs = 300
/** Changes within this time in ms are sent as one update. */
const mergeMs = 40

type LiveViewState = {
  readonly options: LiveViewOptions
  readonly tabs: FollowedTabs
  readonly viewers: Set<ViewerState>
  fit: Fit | undefined
}
/** Viewer to whose screen the page layout is adapted. */
type Fit = { readonly by: ViewerState; readonly size: { width: number; height: number } }

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

/** Returns a function that runs `work` once, a moment after the first of several calls. */
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

function updateViewers(view: LiveViewState): void {
  const { viewers, tabs } = view
  for (const state of viewers) move(view, state, tabs.find(state.pickedTab) ?? currentTab(view) ?? tabs.last())
  for (const tab of tabs.all()) tab.fit(view.fit?.by.tab === tab ? view.fit.size : undefined)
  for (const state of viewers) {
    const shown = viewStateOf(view, state)
    const text = JSON.stringify(shown)
    if (text !== state.lastState) state.viewer.send({ type: 'state', ...shown })
    state.lastState = text
    sendNewActs(view, state)
    sendTimeLeft(view, state)
  }
}

function sendNewActs({ options }: LiveViewState, state: ViewerState): void {
  const all = options.people.timeline.all()
  const acts = all.filter((act) => !state.sentActs.includes(act))
  state.sentActs = all
  if (acts.length > 0) state.viewer.send({ type: 'acts', acts })
}

/** Sends the remaining time if the end has moved by `timeStepMs`; otherwise viewers count down by themselves. */
function sendTimeLeft({ options }: LiveViewState, state: ViewerState): void {
  const endsAt = options.life.endsAt()
  if (Math.abs(endsAt - state.sentEnd) < timeStepMs) return
  state.sentEnd = endsAt
  state.viewer.send({ type: 'time', leftMs: Math.max(0, endsAt - Date.now()) })
}

const timeStepMs = 2000

/** Current tab of the session; undefined if there is none at the moment. */
const currentTab = ({ options, tabs }: LiveViewState): WatchedTab | undefined => tabs.find(options.tabs.currentTarget())

function move(view: LiveViewState, state: ViewerState, to: WatchedTab | undefined): void {
  if (state.tab === to) return
  leave(view, state)
  Object.assign(state, { tab: to, chooser: undefined, upload: undefined, swallowsRelease: false })
  to?.refresh()
  enter(state)
}

function enter({ tab, viewer, isLooking }: ViewerState): void {
  if (isLooking) tab?.cast.add(viewer)
  if (viewer.role === 'control') tab?.catchFiles('on')
}

function leave({ viewers }: Pick<LiveViewState, 'viewers'>, { tab, viewer }: ViewerState): void {
  tab?.cast.remove(viewer)
  const others = Array.from(viewers).filter((each) => each.tab === tab && each.viewer !== viewer)
  if (!others.some((each) => each.viewer.role === 'control')) tab?.catchFiles('off')
}

function viewStateOf({ tabs, fit: fitted, options }: LiveViewState, { tab, viewer }: ViewerState): ViewState {
  const { people } = options
  const request = people.requests.shown()
  const { back = false, forward = false, loading = false } = tab?.location() ?? {}
  return {
    tabs: tabs.all().map((each) => {
      const { url, title } = each.location()
      return { id: each.targetId, url, title }
    }),
    watching: tab?.targetId,
    back,
    forward,
    loading,
    dialog: tab?.dialog(),
    isFitted: tab !== undefined && fitted?.by.tab === tab,
    request: request && { id: request.id, message: request.message },
    waits: people.doing.waits(),
    files: options.files(),
    ...controlOf(people, { tab, viewer }),
  }
}

function controlOf({ hold, doing }: People, { tab, viewer }: Pick<ViewerState, 'tab' | 'viewer'>) {
  const holder = hold.holder()
  const held = holder && (holder === viewer ? ('you' as const) : ('another' as const))
  const step = doing.now()
  // A finished action is shown briefly, but a viewer who has taken over need not wait for it.
  if (!step || (held && step.isOver)) return { held, doing: undefined }
  return { held, doing: { text: step.text, at: step.targetId === tab?.targetId ? step.at : undefined } }
}

type Context = { options: LiveViewOptions; state: ViewerState }

function attend({ options: { people, life }, state: { viewer } }: Context, message: AttendMessage): void {
  const { hold, requests, timeline } = people
  if (message.type === 'takeOver') {
    if (!message.again) timeline.add('A person took over')
    return hold.take(viewer, message.again ? 'again' : undefined)
  }
  if (message.type === 'giveBack') {
    timeline.add('A person gave it back')
    return hold.release(viewer)
  }
  if (message.type === 'endSession') return life.end()
  if (message.type === 'extend') {
    if (!life.extend()) viewer.send({ type: 'notice', text: 'A session lasts an hour at most.' })
    return
  }
  timeline.add(message.as === 'done' ? 'A person did what was asked' : 'A person declined what was asked')
  requests.answer(message.request, message.as)
  hold.release(viewer)
}

/** Mouse actions that are refused without a notice. */
const refusedSilently: ReadonlySet<string> = new Set(['up', 'move'])

/** Refuses actions of viewers while another one has taken over. Returns true if the action was refused. */
function isRefused({ options: { people }, state: { viewer } }: Context, message: ViewerAction): boolean {
  const holder = people.hold.holder()
  if (!holder || holder === viewer) return false
  const needsNotice = !('do' in message && refusedSilently.has(message.do)) && message.type !== 'wheel'
  if (needsNotice) viewer.send({ type: 'notice', text: 'Another person has taken over. Take over yourself to act.' })
  return true
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
