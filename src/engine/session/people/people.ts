import type { SessionAction } from '../../../contracts/page-action.ts'
import { fail } from '../../../kernel/error.ts'
import { inPage } from '../page/page-functions.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { readOnlyActs } from '../page/types.ts'
import { actForPeople, createDoing, type Doing } from './doing.ts'
import { createHold, type Hold, type HoldTimes } from './hold.ts'
import { createRequests, type PersonRequests } from './requests.ts'

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
