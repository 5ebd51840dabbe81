import type { Chooser, FileUpload } from '../file-chooser.ts'
import type { FollowedTabs, LiveViewOptions } from './follow-tabs.ts'
import type { ShownAct, ViewState, ViewerAction, ViewerActionOf } from './messages.ts'
import type { FrameAt } from '../../browser/acts/call-page.ts'
import type { WatchedTab } from './watched-tab.ts'
import type { Viewer } from './viewer.ts'
import type { People } from '../people.ts'

export type LiveViewState = {
  readonly options: LiveViewOptions
  readonly tabs: FollowedTabs
  readonly viewers: Set<ViewerState>
  fit: Fit | undefined
}
/** Viewer whose screen the page is laid out for. */
export type Fit = { readonly by: ViewerState; readonly size: { width: number; height: number } }

export function updateViewers(view: LiveViewState): void {
  const { viewers, tabs } = view
  for (const state of viewers) move(view, state, tabs.find(state.pickedTab) ?? currentTab(view) ?? tabs.last())
  for (const tab of tabs.all()) tab.fit(view.fit?.by.tab === tab ? view.fit.size : undefined)
  for (const state of viewers) {
    const shown = viewStateOf(view, state)
    const text = JSON.stringify(shown)
    if (text !== state.lastState) state.viewer.send({ type: 'state', ...shown })
    state.lastState = text
    tellActs(view, state)
    tellTime(view, state)
  }
}

function tellActs({ options }: LiveViewState, state: ViewerState): void {
  const all = options.people.timeline.all()
  const acts = all.filter((act) => !state.sentActs.includes(act))
  state.sentActs = all
  if (acts.length > 0) state.viewer.send({ type: 'acts', acts })
}

/** Reports only moves by `timeStepMs`: a running call postpones the end, and viewers count down. */
function tellTime({ options }: LiveViewState, state: ViewerState): void {
  const endsAt = options.life.endsAt()
  if (Math.abs(endsAt - state.sentEnd) < timeStepMs) return
  state.sentEnd = endsAt
  state.viewer.send({ type: 'time', leftMs: Math.max(0, endsAt - Date.now()) })
}

const timeStepMs = 2000

/** Returns undefined if the session has no tab at the moment. */
export const currentTab = ({ options, tabs }: LiveViewState): WatchedTab | undefined =>
  tabs.find(options.tabs.currentTarget())

function move(view: LiveViewState, state: ViewerState, to: WatchedTab | undefined): void {
  if (state.tab === to) return
  leave(view, state)
  Object.assign(state, { tab: to, chooser: undefined, upload: undefined, swallowsRelease: false })
  to?.refresh()
  enter(state)
}

export function enter({ tab, viewer, isLooking }: ViewerState): void {
  if (isLooking) tab?.cast.add(viewer)
  if (viewer.role === 'control') tab?.catchFiles('on')
}

export function leave({ viewers }: Pick<LiveViewState, 'viewers'>, { tab, viewer }: ViewerState): void {
  tab?.cast.remove(viewer)
  const others = Array.from(viewers).filter((each) => each.tab === tab && each.viewer !== viewer)
  if (!others.some((each) => each.viewer.role === 'control')) tab?.catchFiles('off')
}

export type ViewerState = ReturnType<typeof newViewerState>

export const newViewerState = (viewer: Viewer) => ({
  viewer,
  tab: undefined as WatchedTab | undefined,
  /** Target id of the tab the viewer picked; without one it follows the session's current tab. */
  pickedTab: undefined as string | undefined,
  isLooking: true,
  lastState: '',
  sentEnd: 0,
  sentActs: [] as readonly ShownAct[],
  queue: Promise.resolve(),
  pendingInputs: 0,
  lastInput: Promise.resolve() as Promise<unknown>,
  actedAt: 0,
  /** True if the mouse press was not sent, so its release must not be sent either. */
  swallowsRelease: false,
  fieldFrame: undefined as FrameAt | undefined,
  chooser: undefined as Chooser | undefined,
  upload: undefined as FileUpload | undefined,
})

function viewStateOf({ tabs, fit, options }: LiveViewState, { tab, viewer }: ViewerState): ViewState {
  const { people } = options
  const asked = people.requests.shown()
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
    isFitted: tab !== undefined && fit?.by.tab === tab,
    request: asked && { id: asked.id, message: asked.message },
    waits: people.doing.waits(),
    files: options.files(),
    ...turnOf(people, { tab, viewer }),
  }
}

function turnOf({ hold, doing }: People, { tab, viewer }: Pick<ViewerState, 'tab' | 'viewer'>) {
  const holder = hold.holder()
  const held = holder && (holder === viewer ? ('you' as const) : ('another' as const))
  const step = doing.now()
  // A finished action is shown briefly, but a viewer who has taken over need not wait for it.
  if (!step || (held && step.isOver)) return { held, doing: undefined }
  return { held, doing: { text: step.text, at: step.targetId === tab?.targetId ? step.at : undefined } }
}

const attendance = ['takeOver', 'giveBack', 'extend', 'endSession', 'answer'] as const
export type AttendMessage = ViewerActionOf<(typeof attendance)[number]>
/** True if a message is about the session rather than its pages. */
export const isAttendance = (message: ViewerAction): message is AttendMessage =>
  attendance.some((type) => type === message.type)
type Context = { options: LiveViewOptions; state: ViewerState }

export function attend({ options: { people, life }, state: { viewer } }: Context, message: AttendMessage): void {
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
const silent: ReadonlySet<string> = new Set(['up', 'move'])

/** Refuses actions of viewers while another one has taken over. Returns true if the action was refused. */
export function isRefused({ options: { people }, state: { viewer } }: Context, message: ViewerAction): boolean {
  const holder = people.hold.holder()
  if (!holder || holder === viewer) return false
  const isSaid = !('do' in message && silent.has(message.do)) && message.type !== 'wheel'
  if (isSaid) viewer.send({ type: 'notice', text: 'Another person has taken over. Take over yourself to act.' })
  return true
}
