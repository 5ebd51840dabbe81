import type { SessionAction } from '../../../contracts/page-action.ts'
import { sanitiseLine } from '../../../util/unseen/sanitise-text.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { isRef, readingsOf } from '../page/target.ts'
import type { ActionType } from '../page/types.ts'

export type Point = { x: number; y: number }
/** What an agent does, in words for people, and where in the window of which tab. */
export type Step = {
  readonly text: string
  readonly targetId?: string | undefined
  readonly at?: Point | undefined
  readonly isOver?: true
}
export type Doing = {
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

export function createDoing(changed: () => void): Doing {
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
export function actForPeople(act: SessionAction, tab: Pick<LiveTab, 'memory'>): string {
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
