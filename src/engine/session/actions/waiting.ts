import { setTimeout as sleep } from 'node:timers/promises'
import { matchesText } from '../page/fit.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { askFrames, inPage } from '../page/page-functions.ts'
import { findPlaces } from '../page/snapshot.ts'
import { resolveRef } from '../page/target.ts'
import { ActionError, type ActionOutcome } from '../page/types.ts'
import type { ActionHandler } from './context.ts'

const mostMs = 30_000
const usualMs = 10_000
const lookEveryMs = 100
const mostPlaces = 3
const placeCharacters = 800
const lineCharacters = 160

export const wait: ActionHandler<'wait'> = async ({ tab }, { text, gone, ms, timeoutMs = usualMs }, signal) => {
  if (ms !== undefined) await sleep(Math.min(ms, mostMs), undefined, { signal })
  const until = performance.now() + Math.min(timeoutMs, mostMs)
  for (;;) {
    const isThere = text === undefined || (await isShown(tab, text, signal))
    const isGone = gone === undefined || !(await isShown(tab, gone, signal))
    if (isThere && isGone) return text === undefined ? {} : placeOf(tab, text, signal)
    if (performance.now() >= until)
      throw new ActionError(isThere ? `"${gone}" is still there.` : `"${text}" has not appeared.`)
    await sleep(lookEveryMs, undefined, { signal })
  }
}

async function isShown(tab: LiveTab, text: string, signal: AbortSignal): Promise<boolean> {
  return (await askFrames(tab, 'isTextShown', [text], Boolean, signal)).some(Boolean)
}

/** Where the text is: the caller wants to read on there, and it may be out of view. */
async function placeOf(tab: LiveTab, sought: string, signal: AbortSignal): Promise<ActionOutcome> {
  if (/^e\d+$/.test(sought)) return {}
  const outline = await findPlaces(tab, sought, mostPlaces, 'left out', signal)
  return outline.found ? { place: { sought, text: matchesText(outline, sought, placeCharacters, lineCharacters) } } : {}
}

export const scroll: ActionHandler<'scroll'> = async ({ tab }, { target, screens, to }, signal) => {
  const ref = target === undefined ? 0 : await resolveRef(tab, target, 'any', signal)
  if (ref > 0 && screens === undefined && to === undefined) {
    for (let at = ref; at > 0; at = tab.frames.of(at).around?.ref ?? 0)
      await inPage(tab, 'scrollIntoView', [at], signal)
    return {}
  }
  const far = to === 'end' ? 1e9 : to === 'top' ? -1e9 : (screens ?? 1)
  const { moved, left } = await inPage(tab, 'scrollAround', [ref, far], signal)
  if (!moved) return { remark: far < 0 ? 'is at the top already' : 'is at the end already' }
  return { remark: left < 0.05 ? 'is at the end now' : `${left.toFixed(1)} screens are left below` }
}
