import type { SessionAction } from '../../contracts/render-port.ts'
import { fail } from '../../kernel/error.ts'
import { inPage } from '../browser/acts/call-page.ts'
import type { TypedSecrets } from './secrets/typed-secrets.ts'
import type { LiveTab } from './page/live-tab.ts'
import type { Tabs } from './page/tabs.ts'
import { readOnlyActs, type ActionType } from './page/text/remarks.ts'
import { DeadlineError, withDeadline } from '../../util/async.ts'
import { sanitiseLine } from '../../util/sanitise-text.ts'
import { isRef, readingsOf } from './page/find-target.ts'
import { createTimeline, smallPicture } from './timeline.ts'

type Point = { x: number; y: number }
/** Current action of an agent in plain words, with the target id of its tab and a position in that tab. */
type Step = {
  readonly text: string
  readonly targetId?: string | undefined
  readonly at?: Point | undefined
  readonly isOver?: true
}
/** Time in ms for which a finished action is still shown. */
const lingerMs = 1500
const maxName = 60

function createDoing(changed: () => void) {
  let step: Step | undefined
  let endedAt = Infinity
  let waiting: string | undefined
  return {
    /** Returns the action that an agent will perform once no person has control. */
    waits: () => waiting,
    wait(text: string | undefined) {
      if (waiting === text) return
      waiting = text
      changed()
    },
    now: () => (performance.now() < endedAt + lingerMs ? step : undefined),
    begin(next: Step) {
      const isSameTab = step?.targetId === next.targetId
      // The pointer stays at its last position until an action moves it.
      step = isSameTab ? { ...next, at: next.at ?? step?.at } : next
      endedAt = Infinity
      changed()
    },
    point(at: Point) {
      step = step && { ...step, at }
      changed()
    },
    end() {
      endedAt = performance.now()
      step = step && { ...step, isOver: true }
      changed()
    },
  }
}

type Words = { [T in ActionType]: string }

/** Descriptions of actions; `…` is replaced by the name of the target. */
const words: Words = {
  click: 'Clicking …',
  doubleClick: 'Double-clicking …',
  hover: 'Pointing at …',
  drag: 'Dragging …',
  fill: 'Filling in …',
  type: 'Typing into …',
  press: 'Pressing …',
  select: 'Choosing in …',
  selectText: 'Selecting text in …',
  check: 'Ticking …',
  uncheck: 'Unticking …',
  upload: 'Uploading to …',
  scroll: 'Scrolling',
  wait: 'Waiting for …',
  navigate: 'Opening …',
  back: 'Going back',
  forward: 'Going forward',
  reload: 'Reloading the page',
  tab: 'Switching tabs',
  dialog: 'Answering the dialog',
  extract: 'Reading …',
  screenshot: 'Taking a screenshot',
  network: 'Looking at requests',
  console: 'Looking at the console',
}
const defaultSubjects: Partial<Words> = {
  type: 'text',
  press: 'a key',
  wait: 'the page',
  extract: 'the page',
  selectText: 'the page',
}

/** Describes an action for people, without the text typed into fields. */
function actForPeople(act: SessionAction, tab: Pick<LiveTab, 'memory'>): string {
  const name = sanitiseLine(nameIn(act, tab)).slice(0, maxName)
  const doing = words[act.type === 'check' && act.checked === false ? 'uncheck' : act.type]
  const subject = name
    ? act.type === 'press' || act.type === 'navigate'
      ? name
      : `“${name}”`
    : defaultSubjects[act.type]
  if (subject === undefined) return doing.replace(/ …$/, '')
  return doing.replace(/(?: into)? …$/, (gap) => (name ? gap.replace('…', () => subject) : ` ${subject}`))
}

function nameIn(act: SessionAction, tab: Pick<LiveTab, 'memory'>): string {
  if (act.type === 'press') return /^[\w+]{2,30}$/.test(act.key) ? act.key : ''
  if (act.type === 'navigate') return URL.parse(act.url)?.host || act.url.replace(/^https?:\/\//, '').split(/[?#]/)[0]!
  if (act.type === 'wait') return act.text ?? ''
  const target = 'target' in act ? act.target : undefined
  if (target === undefined || act.type === 'network') return ''
  const likeness = isRef(target) ? (tab.memory.refNames.get(Number(target.slice(1))) ?? '') : target
  const [{ role, name }] = readingsOf(likeness)
  return name || role
}

type TakeoverTimeouts = {
  /** Time in ms that an agent waits. */
  patienceMs: number
  /** Time in ms that control is reserved after the connection is lost. */
  graceMs: number
}

/** Shorter than the usual timeouts of clients. */
const defaultTimeouts: TakeoverTimeouts = { patienceMs: 45_000, graceMs: 10_000 }

/** Creates the control of the browser: while a person has it, agents wait. */
function createBrowserControl(changed: () => void, times = defaultTimeouts) {
  let holder: object | undefined
  let leaving: NodeJS.Timeout | undefined
  let free = Promise.withResolvers<void>()

  function set(to: object | undefined): void {
    clearTimeout(leaving)
    leaving = undefined
    holder = to
    if (!to) {
      free.resolve()
      free = Promise.withResolvers()
    }
    changed()
  }

  return {
    holder: () => holder,
    /** Takes control from the current holder. `again`: only if no other person has taken it in the meantime. */
    take(by: object, how?: 'again') {
      if (how === 'again' && holder && !leaving) return
      set(by)
    },
    release(by: object) {
      if (holder === by) set(undefined)
    },
    /** Releases control unless someone takes it soon, because a lost connection may be re-established. */
    leave(by: object) {
      if (holder === by) leaving ??= setTimeout(set, times.graceMs, undefined).unref()
    },
    /** Resolves with false if a person still has control after the time limit. Rejects with the signal's reason. */
    async untilFree(signal: AbortSignal) {
      if (!holder) return true
      const limit = { step: 'wait for the person', ms: times.patienceMs }
      return withDeadline(limit, signal, () => free.promise).then(
        () => true,
        (error: unknown) => {
          if (error instanceof DeadlineError && !signal.aborted) return false
          throw error
        },
      )
    },
  }
}

/** `waiting`: no one has answered; the request stays visible. */
export type PersonAnswer = 'done' | 'declined' | 'waiting'
type ShownRequest = { readonly id: number; readonly message: string }
type Request = ShownRequest & { answered?: 'done' | 'declined'; settle?: (as: PersonAnswer) => void }

/** Maximum number of requests that no agent waits for; the newest are kept. */
const maxAbandoned = 10

function createRequests(changed: () => void) {
  let all: readonly Request[] = []
  let count = 0
  const open = () => all.filter(({ answered }) => answered === undefined)
  /** Returns the newest request that an agent waits for, otherwise the newest one. */
  const newest = (): ShownRequest | undefined => open().findLast(({ settle }) => settle) ?? open().at(-1)

  function remove(request: Request): void {
    all = all.filter((each) => each !== request)
    changed()
  }

  function wait(request: Request, patienceMs: number, signal: AbortSignal): Promise<PersonAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<PersonAnswer>()
    const stop = () => {
      remove(request)
      reject(signal.reason)
    }
    const late = setTimeout(() => request.settle?.('waiting'), Math.min(patienceMs, longestMs)).unref()
    signal.addEventListener('abort', stop, { once: true })
    request.settle = (as) => {
      delete request.settle
      if (as !== 'waiting') remove(request)
      resolve(as)
    }
    return promise.finally(() => {
      clearTimeout(late)
      signal.removeEventListener('abort', stop)
    })
  }

  return {
    shown: newest,
    answer(id: number, as: 'done' | 'declined') {
      const request = open().find((each) => each.id === id)
      if (!request) return
      request.answered = as
      request.settle?.(as)
      changed()
    },
    /** Shows a request; returns its answer, or `waiting` after `patienceMs`. Asking again returns a later answer. */
    async ask(message: string, patienceMs: number, signal: AbortSignal): Promise<PersonAnswer> {
      signal.throwIfAborted()
      const abandoned = all.find((each) => each.message === message && !each.settle)
      if (abandoned?.answered) {
        remove(abandoned)
        return abandoned.answered
      }
      const request = abandoned ?? { id: ++count, message }
      if (!abandoned) all = withNewest(all, request)
      const answer = wait(request, patienceMs, signal)
      changed()
      return answer
    },
    forget() {
      all = all.filter(({ settle }) => settle)
      changed()
    },
  }
}

function withNewest(all: readonly Request[], request: Request): readonly Request[] {
  const abandoned = all.filter(({ settle }) => !settle).slice(-maxAbandoned)
  return [...all.filter((each) => each.settle || abandoned.includes(each)), request]
}

/** Maximum delay of a timer. */
const longestMs = 2 ** 31 - 1

export type People = ReturnType<typeof createPeople>
type Audience = { changed(): void; isWatched(): boolean; secrets?: Pick<TypedSecrets, 'hide' | 'isUsed'> }

export const createPeople = ({ changed, isWatched, secrets }: Audience, times?: TakeoverTimeouts) => ({
  hold: createBrowserControl(changed, times),
  requests: createRequests(changed),
  doing: createDoing(changed),
  timeline: createTimeline(changed, secrets),
  isWatched,
})

const isTakenOver = 'A person has taken over this browser and has not given it back yet: wait, and try again.'

/** Shows an action to the viewers before it runs. Resolves with the reason if it may not run now. */
export async function beginStep(
  people: People,
  act: SessionAction,
  tab: LiveTab,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { requests, doing, isWatched } = people
  const text = actForPeople(act, tab)
  // Read-only actions do not disturb people in control.
  const isReadOnly = readOnlyActs.has(act.type)
  if (!isReadOnly && !(await untilFree(people, text, signal))) return isTakenOver
  // An agent that acts again no longer waits for answers.
  if (!isReadOnly) requests.forget()
  doing.begin({ text, targetId: tab.targetId })
  tab.watch.aimed = isWatched() ? (ref) => void showElement(doing, tab, ref) : undefined
  tab.watch.pointed = doing.point
  return undefined
}

/** Adds an action to the timeline. `before`: the tab whose refs it used. */
export function endStep(
  { timeline }: People,
  act: SessionAction,
  { before, tabs, hasFailed }: { before: LiveTab; tabs: Pick<Tabs, 'current'>; hasFailed: boolean },
): void {
  timeline.add(actForPeople(act, before), () => pictureOf(tabs))
  if (hasFailed) timeline.failed()
}

/** Takes a picture of the current tab; rejects if all tabs are closed. */
const pictureOf = async (tabs: Pick<Tabs, 'current'>) => smallPicture(tabs.current())

/** Runs code once no person has control, shown to the viewers. Fails with SESSION_FAILED. */
export async function runningCode<T>(people: People, run: () => Promise<T>, { tabs, signal }: Running): Promise<T> {
  const { doing, timeline } = people
  const text = 'Running code'
  if (!(await untilFree(people, text, signal))) fail('SESSION_FAILED', { message: isTakenOver })
  doing.begin({ text })
  return run().finally(() => {
    doing.end()
    timeline.add(text, () => pictureOf(tabs))
  })
}

type Running = { tabs: Pick<Tabs, 'current'>; signal: AbortSignal }

function untilFree({ hold, doing }: People, text: string, signal: AbortSignal): Promise<boolean> {
  if (hold.holder()) doing.wait(text)
  return hold.untilFree(signal).finally(() => doing.wait(undefined))
}

/** Points at an element for viewers. Skips elements in frames, whose position in the window is unknown. */
async function showElement(doing: ReturnType<typeof createDoing>, tab: LiveTab, ref: number): Promise<void> {
  if (tab.frames.of(ref) !== tab.frames.main) return
  const place = await inPage(tab, 'placeOf', [ref], AbortSignal.timeout(lookMs)).catch(() => undefined)
  if (place) doing.point(place)
}

const lookMs = 1000
