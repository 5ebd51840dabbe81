import type { SessionAction } from '../../contracts/render-port.ts'
import { fail } from '../../kernel/error.ts'
import { inPage } from './page/call-page.ts'
import type { LiveTab } from './page/live-tab.ts'
import { readOnlyActs, type ActionType } from './page/action-types.ts'
import { createRequests, type PersonRequests } from './person-requests.ts'
import { DeadlineError, withDeadline } from '../../util/async.ts'
import { sanitiseLine } from '../../util/sanitise-text.ts'
import { isRef, readingsOf } from './page/find-target.ts'

type Point = { x: number; y: number }
/** What an agent does, in words for people, and where in the window of which tab. */
type Step = {
  readonly text: string
  readonly targetId?: string | undefined
  readonly at?: Point | undefined
  readonly isOver?: true
}
type Doing = {
  /** The step that is being done, or was until a moment ago. */
  now(): Step | undefined
  begin(step: Step): void
  /** Where the step that is being done takes place. */
  point(at: Point): void
  end(): void
}

/** Steps are often over before anybody could read them. */
const lingerMs = 1500
const mostName = 60

function createDoing(changed: () => void): Doing {
  let step: Step | undefined
  let endedAt = Infinity
  return {
    now: () => (performance.now() < endedAt + lingerMs ? step : undefined),
    begin(next) {
      const isThere = step?.targetId === next.targetId
      // The pointer stays where it was until it moves.
      step = isThere ? { ...next, at: next.at ?? step?.at } : next
      endedAt = Infinity
      changed()
    },
    point(at) {
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

/** With the name of what it is done to in place of `…`. */
const words: Words = {
  click: 'Clicking …',
  doubleClick: 'Double-clicking …',
  hover: 'Pointing at …',
  drag: 'Dragging …',
  fill: 'Filling in …',
  type: 'Typing into …',
  press: 'Pressing …',
  select: 'Choosing in …',
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
/** Where an act names nothing. */
const usual: Partial<Words> = { type: 'text', press: 'a key', wait: 'the page', extract: 'the page' }

/** An act in words for people; never what is typed into fields. */
function actForPeople(act: SessionAction, tab: Pick<LiveTab, 'memory'>): string {
  const name = sanitiseLine(nameIn(act, tab)).slice(0, mostName)
  const doing = words[act.type === 'check' && act.checked === false ? 'uncheck' : act.type]
  const said = name ? (act.type === 'press' || act.type === 'navigate' ? name : `“${name}”`) : usual[act.type]
  if (said === undefined) return doing.replace(/ …$/, '')
  return doing.replace(/(?: into)? …$/, (gap) => (name ? gap.replace('…', () => said) : ` ${said}`))
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

/** Who holds the browser: as long as a person does, agents wait. */
type Hold = {
  /** Who has it; undefined while nobody does. */
  holder(): object | undefined
  /** From whoever had it. `again`: only if nobody else has taken it meanwhile. */
  take(by: object, how?: 'again'): void
  release(by: object): void
  /** Released, too, unless somebody takes it soon: a lost connection comes back. */
  leave(by: object): void
  /** False when it is still held after some time. Rejects with the signal's reason. */
  untilFree(signal: AbortSignal): Promise<boolean>
}
type HoldTimes = {
  /** How long an agent waits, ms. */
  patienceMs: number
  /** How long it stays held by who has lost the connection, ms. */
  graceMs: number
}

/** Shorter than what clients wait for an answer. */
const usualTimes: HoldTimes = { patienceMs: 45_000, graceMs: 10_000 }

function createHold(changed: () => void, times = usualTimes): Hold {
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
    take(by, how) {
      if (how === 'again' && holder && !leaving) return
      set(by)
    },
    release(by) {
      if (holder === by) set(undefined)
    },
    leave(by) {
      if (holder === by) leaving ??= setTimeout(set, times.graceMs, undefined).unref()
    },
    async untilFree(signal) {
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

/** What people and agents of one session know of each other. */
export type People = {
  readonly hold: Hold
  readonly requests: PersonRequests
  readonly doing: Doing
  /** Whether anybody sees the live view. */
  isWatched(): boolean
}
type Audience = { changed(): void; isWatched(): boolean }

export const createPeople = ({ changed, isWatched }: Audience, times?: HoldTimes): People => ({
  hold: createHold(changed, times),
  requests: createRequests(changed),
  doing: createDoing(changed),
  isWatched,
})

const isHeldUp = 'A person has taken over this browser and has not given it back yet: wait, and try again.'

/** Tells people of an act before it is done. Resolves with why it may not be done now. */
export async function beginStep(
  { hold, requests, doing, isWatched }: People,
  act: SessionAction,
  tab: LiveTab,
  signal: AbortSignal,
): Promise<string | undefined> {
  // People who hold the browser do not notice these.
  const isReadOnly = readOnlyActs.has(act.type)
  if (!isReadOnly && !(await hold.untilFree(signal))) return isHeldUp
  // Who goes on waits for nobody any longer.
  if (!isReadOnly) requests.forget()
  doing.begin({ text: actForPeople(act, tab), targetId: tab.targetId })
  tab.watch.aimed = isWatched() ? (ref) => void showElement(doing, tab, ref) : undefined
  tab.watch.pointed = doing.point
  return undefined
}

/** Runs code once nobody holds the browser, and says so. Fails with SESSION_FAILED when somebody does for too long. */
export async function runningCode<T>({ hold, doing }: People, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  if (!(await hold.untilFree(signal))) fail('SESSION_FAILED', { message: isHeldUp })
  doing.begin({ text: 'Running code' })
  return run().finally(doing.end)
}

/** Not waited for: the act goes on meanwhile. Where an element of another document is, its document alone does not know. */
async function showElement(doing: Doing, tab: LiveTab, ref: number): Promise<void> {
  if (tab.frames.of(ref) !== tab.frames.main) return
  const place = await inPage(tab, 'placeOf', [ref], AbortSignal.timeout(lookMs)).catch(() => undefined)
  if (place) doing.point(place)
}

const lookMs = 1000
