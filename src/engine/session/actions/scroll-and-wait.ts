import type { ScrollDirection } from '../../../contracts/render-port.ts'
import { waitUntilStable } from '../../browser/page/wait-until-stable.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { queryFrames, inPage } from '../../browser/acts/call-page.ts'
import { resolveRef } from '../page/find-target.ts'
import { ActionError } from '../../browser/acts/tab-frames.ts'
import type { ActionOutcome } from '../page/text/remarks.ts'
import { poll } from '../../../util/async.ts'
import type { ActionHandler } from './action-context.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { matchesText } from '../page/text/fit.ts'
import { findPlaces } from '../page/snapshot.ts'

/** Time limits in ms: for lazy content at the end of the scroll area, and for the whole search for a text. */
const lazyMs = 4000
const untilMs = 30_000
/** Time in ms without changes at the end of a scroll area, after which a page with scripts adds no more to it. */
const lazyQuietMs = 600
/** Scroll distance in screens, larger than any page. */
const far = 1e9
/** Fraction of a screen per step, so the last lines of a screen stay in view. */
const stepOfScreen = 0.9
/** Remaining height in screens below which the end counts as reached. */
const minLeft = 0.05

const scroll: ActionHandler<'scroll'> = async ({ tab }, { target, direction, screens, until }, signal) => {
  const ref = target === undefined ? 0 : await resolveRef(tab, target, 'any', signal)
  if (until !== undefined)
    return scrollUntil(tab, { ref, until, step: direction === 'up' || direction === 'top' ? -1 : 1 }, signal)
  if (ref > 0 && screens === undefined && direction === undefined) return scrollTo(tab, ref, signal)
  const distance = distanceOf(direction, screens)
  const { moved, left } = await inPage(tab, 'scrollAround', [ref, distance], signal)
  if (distance < 0) return moved ? { remark: leftBelow(left) } : { remark: 'is at the top already' }
  if (left >= minLeft) return { remark: leftBelow(left) }
  return { remark: await endOf(tab, { ref, moved }, signal) }
}

function distanceOf(direction: ScrollDirection = 'down', screens = 1): number {
  if (direction === 'top' || direction === 'end') return direction === 'end' ? far : -far
  return (direction === 'up' ? -screens : screens) * stepOfScreen
}

const leftBelow = (left: number) => `${left.toFixed(1)} screens are left below`

async function scrollTo(tab: LiveTab, ref: number, signal: AbortSignal): Promise<ActionOutcome> {
  for (let at = ref; at > 0; at = tab.frames.of(at).around?.ref ?? 0) await inPage(tab, 'scrollIntoView', [at], signal)
  return {}
}

async function endOf(tab: LiveTab, { ref, moved }: Scrolled, signal: AbortSignal): Promise<string> {
  const { left, isLoading } = await afterLoading(tab, ref, signal)
  if (left >= minLeft) return `more has loaded: ${leftBelow(left)}`
  if (isLoading) return 'is at the end so far, and more is loading: scroll again'
  return moved ? 'is at the end now' : 'is at the end already'
}

/** Scrolled element (ref; 0 is the page), and true if anything moved. */
type Scrolled = { ref: number; moved: boolean }

/** Returns the remaining height once lazy content has loaded or the time limit has passed. */
async function afterLoading(tab: LiveTab, ref: number, signal: AbortSignal) {
  const state = await waitUntilStable(
    tab,
    { quietMs: lazyQuietMs, staticQuietMs: 60, maxMs: lazyMs, maxLoadMs: lazyMs },
    signal,
  )
  return { left: await inPage(tab, 'screensLeft', [ref], signal), isLoading: state !== 'stable' }
}

type Search = { ref: number; until: string; step: 1 | -1 }

/** Scrolls screen by screen until the text appears, because virtual lists contain only their visible rows. */
async function scrollUntil(tab: LiveTab, { ref, until, step }: Search, signal: AbortSignal): Promise<ActionOutcome> {
  const endsAt = performance.now() + untilMs
  for (let screen = 0; ; screen++) {
    if ((await queryFrames(tab, 'scrollToText', [until], Boolean, signal)).some(Boolean))
      return placeOf(tab, until, signal)
    tab.traffic.expectRequests()
    const { moved } = await inPage(tab, 'scrollAround', [ref, step * stepOfScreen, 'search'], signal)
    const { left, isLoading } = moved ? await afterShortWait(tab, signal) : await afterLoading(tab, ref, signal)
    if (!moved && (step < 0 || (left < minLeft && !isLoading)))
      throw new ActionError(`"${until}" is not on the page, which was scrolled to its ${step < 0 ? 'top' : 'end'}.`)
    if (performance.now() >= endsAt)
      throw new ActionError(`"${until}" did not appear within ${screen + 1} screens; more is loading: scroll on.`)
  }
}

async function afterShortWait(tab: LiveTab, signal: AbortSignal): Promise<{ left: number; isLoading: boolean }> {
  await waitUntilStable(tab, { quietMs: 60, staticQuietMs: 20, maxMs: 1000, maxLoadMs: 1000 }, signal)
  return { left: 0, isLoading: true }
}

const maxWaitMs = 30_000
const defaultWaitMs = 10_000
const maxPlaces = 3
const placeCharacters = 800
const lineCharacters = 160

const wait: ActionHandler<'wait'> = async (
  { tab },
  { text, gone, milliseconds, timeoutMs = defaultWaitMs },
  signal,
) => {
  if (milliseconds !== undefined) await sleep(Math.min(milliseconds, maxWaitMs), undefined, { signal })
  const look = async () => ({
    isVisible: text === undefined || (await isShown(tab, text, signal)),
    isGone: gone === undefined || !(await isShown(tab, gone, signal)),
  })
  const now = await poll(Math.min(timeoutMs, maxWaitMs), signal, look, ({ isVisible, isGone }) => isVisible && isGone)
  if (now.isVisible && now.isGone) return text === undefined ? {} : placeOf(tab, text, signal)
  throw new ActionError(now.isVisible ? `"${gone}" is still there.` : `"${text}" has not appeared.`)
}

async function isShown(tab: LiveTab, text: string, signal: AbortSignal): Promise<boolean> {
  return (await queryFrames(tab, 'isTextShown', [text], Boolean, signal)).some(Boolean)
}

/** Returns the lines around a text, which may be out of view. */
async function placeOf(tab: LiveTab, sought: string, signal: AbortSignal): Promise<ActionOutcome> {
  if (/^e\d+$/.test(sought)) return {}
  const outline = await findPlaces(tab, sought, maxPlaces, 'left out', signal)
  return outline.found ? { place: { sought, text: matchesText(outline, sought, placeCharacters, lineCharacters) } } : {}
}

export const scrollActions = { scroll, wait }
