import { setTimeout as sleep } from 'node:timers/promises'
import type { PressOptions } from '../../browser/input/mouse.ts'
import type { NotClickable } from '../../page-script/actions/aim.ts'
import type { Point } from '../../page-script/dom/hit-test.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { inPage } from '../page/page-functions.ts'
import { resolveRef } from '../page/target.ts'
import { ActionError } from '../page/types.ts'
import type { ActionHandler } from './context.ts'

/** How long an element may take until it can be acted on, ms. */
const readyMs = 5000
const lookEveryMs = 100
const tries = 3

const words: Record<NotClickable['why'], string> = {
  gone: 'it has left the page',
  hidden: 'it cannot be seen',
  disabled: 'it is disabled',
  moving: 'it keeps moving',
  covered: 'it is covered by',
}

/** A point of the element that can be clicked. Fails with an ActionError when there is none in time. */
async function clickPointOf(tab: LiveTab, ref: number, signal: AbortSignal): Promise<Point> {
  const until = performance.now() + readyMs
  for (;;) {
    const point = await inPage(tab, 'findClickPoint', [ref], signal)
    if ('x' in point) return point
    if (point.why === 'gone' || performance.now() >= until)
      throw new ActionError(`e${ref} cannot be acted on: ${words[point.why]}${point.by ? ` ${point.by}` : ''}.`)
    await sleep(lookEveryMs, undefined, { signal })
  }
}

/** Clicks an element, and tries again if it moved away under the mouse. */
export async function clickElement(
  tab: LiveTab,
  ref: number,
  signal: AbortSignal,
  options: PressOptions = {},
): Promise<void> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const point = await clickPointOf(tab, ref, signal)
    await inPage(tab, 'watchPress', [ref], signal)
    await tab.mouse.click(point, options, signal)
    if (await inPage(tab, 'wasPressed', [], signal)) return
  }
  throw new ActionError(`e${ref} did not notice the press: something else takes it.`)
}

export const click: ActionHandler<'click'> = async ({ tab }, { target, button }, signal) => {
  await clickElement(tab, await resolveRef(tab, target, 'any', signal), signal, { button })
  return {}
}

export const doubleClick: ActionHandler<'doubleClick'> = async ({ tab }, { target }, signal) => {
  await clickElement(tab, await resolveRef(tab, target, 'any', signal), signal, { clickCount: 2 })
  return {}
}

export const hover: ActionHandler<'hover'> = async ({ tab }, { target }, signal) => {
  await tab.mouse.move(await clickPointOf(tab, await resolveRef(tab, target, 'any', signal), signal), {}, signal)
  return {}
}

export const drag: ActionHandler<'drag'> = async ({ tab }, { target, to }, signal) => {
  const [from, onto] = [await resolveRef(tab, target, 'any', signal), await resolveRef(tab, to, 'any', signal)]
  await tab.mouse.move(await clickPointOf(tab, from, signal), {}, signal)
  await tab.mouse.down({}, signal)
  const end = await clickPointOf(tab, onto, signal)
  await tab.mouse.move(end, { steps: 4 }, signal)
  // Some pages take a drop only where the pointer has come to rest.
  await tab.mouse.move(end, { steps: 1 }, signal)
  await tab.mouse.up({}, signal)
  return {}
}
