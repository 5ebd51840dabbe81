import { setTimeout as sleep } from 'node:timers/promises'
import { matchesText } from '../page/text/fit.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { askFrames } from '../page/page-functions.ts'
import { findPlaces } from '../page/snapshot.ts'
import { ActionError, type ActionOutcome } from '../page/types.ts'
import type { ActionHandler } from './context.ts'

const mostMs = 30_000
const usualMs = 10_000
const lookEveryMs = 100
const mostPlaces = 3
const placeCharacters = 800
const lineCharacters = 160

export const wait: ActionHandler<'wait'> = async (
  { tab },
  { text, gone, milliseconds, timeoutMs = usualMs },
  signal,
) => {
  if (milliseconds !== undefined) await sleep(Math.min(milliseconds, mostMs), undefined, { signal })
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
export async function placeOf(tab: LiveTab, sought: string, signal: AbortSignal): Promise<ActionOutcome> {
  if (/^e\d+$/.test(sought)) return {}
  const outline = await findPlaces(tab, sought, mostPlaces, 'left out', signal)
  return outline.found ? { place: { sought, text: matchesText(outline, sought, placeCharacters, lineCharacters) } } : {}
}
