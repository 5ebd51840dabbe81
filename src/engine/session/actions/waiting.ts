import { setTimeout as sleep } from 'node:timers/promises'
import { matchesText } from '../page/fit.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { inPage } from '../page/page-functions.ts'
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
    const isThere = text === undefined || (await inPage(tab, 'isTextShown', [text], signal))
    const isGone = gone === undefined || !(await inPage(tab, 'isTextShown', [gone], signal))
    if (isThere && isGone) return text === undefined ? {} : placeOf(tab, text, signal)
    if (performance.now() >= until)
      throw new ActionError(isThere ? `"${gone}" is still there.` : `"${text}" has not appeared.`)
    await sleep(lookEveryMs, undefined, { signal })
  }
}

/** Where the text is: the caller wants to read on there, and it may be out of view. */
async function placeOf(tab: LiveTab, sought: string, signal: AbortSignal): Promise<ActionOutcome> {
  if (/^e\d+$/.test(sought)) return {}
  const outline = await inPage(tab, 'findText', [sought, mostPlaces], signal)
  return outline.found ? { place: { sought, text: matchesText(outline, sought, placeCharacters, lineCharacters) } } : {}
}

export const scroll: ActionHandler<'scroll'> = async ({ tab }, { target, screens, to }, signal) => {
  const ref = target === undefined ? 0 : await resolveRef(tab, target, 'any', signal)
  if (ref > 0 && screens === undefined && to === undefined) {
    await inPage(tab, 'scrollIntoView', [ref], signal)
    return {}
  }
  const far = to === 'end' ? 1e9 : to === 'top' ? -1e9 : (screens ?? 1)
  const { moved, left } = await inPage(tab, 'scrollAround', [ref, far], signal)
  if (!moved) return { remark: far < 0 ? 'is at the top already' : 'is at the end already' }
  return { remark: left < 0.05 ? 'is at the end now' : `${left.toFixed(1)} screens are left below` }
}
