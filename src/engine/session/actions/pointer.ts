import { setTimeout as sleep } from 'node:timers/promises'
import { hesitate, moveMouse } from '../../browser/input/hand.ts'
import { pressMouse } from '../../browser/input/input.ts'
import { aim, pressLanded, watchPress } from '../../page-script/actions/aim.ts'
import type { Hindrance, Spot } from '../../page-script/snapshot/tools.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { inPage } from '../page/page-functions.ts'
import { refOf } from '../page/target.ts'
import { ActError } from '../page/types.ts'
import type { Doing } from './context.ts'

/** How long an element may take until it can be acted on, ms. */
const readyMs = 5000
const lookEveryMs = 100
const tries = 3

const words: Record<Hindrance['why'], string> = {
  gone: 'it has left the page',
  hidden: 'it cannot be seen',
  disabled: 'it is disabled',
  moving: 'it keeps moving',
  covered: 'it is covered by',
  'read-only': 'it can only be read',
}

/** A point of the element that can be pressed. Fails with an ActError when there is none in time. */
async function spotOf(tab: LiveTab, ref: number, signal: AbortSignal): Promise<Spot> {
  const until = performance.now() + readyMs
  for (;;) {
    const spot = await inPage(tab, aim, [ref], signal)
    if ('x' in spot) return spot
    if (spot.why === 'gone' || performance.now() >= until)
      throw new ActError(`e${ref} cannot be acted on: ${words[spot.why]}${spot.by ? ` ${spot.by}` : ''}.`)
    await sleep(lookEveryMs, undefined, { signal })
  }
}

/** Presses an element with the mouse, and once more when it slipped away from under it. */
export async function pressOn(tab: LiveTab, ref: number, signal: AbortSignal, press = pressMouse): Promise<void> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const spot = await spotOf(tab, ref, signal)
    await inPage(tab, watchPress, [ref], signal)
    await press(tab, spot, signal)
    if (await inPage(tab, pressLanded, [], signal)) return
  }
  throw new ActError(`e${ref} did not notice the press: something else takes it.`)
}

export const click: Doing<'click'> = async ({ tab }, { target, button = 'left' }, signal) => {
  const press = button === 'left' ? pressMouse : pressWith(button, 1)
  await pressOn(tab, await refOf(tab, target, 'any', signal), signal, press)
  return {}
}

export const doubleClick: Doing<'doubleClick'> = async ({ tab }, { target }, signal) => {
  const ref = await refOf(tab, target, 'any', signal)
  await pressOn(tab, ref, signal, async (on, spot, within) => {
    await pressMouse(on, spot, within)
    await pressWith('left', 2)(on, spot, within)
  })
  return {}
}

export const hover: Doing<'hover'> = async ({ tab }, { target }, signal) => {
  await moveMouse(tab, await spotOf(tab, await refOf(tab, target, 'any', signal), signal), signal)
  return {}
}

export const drag: Doing<'drag'> = async ({ tab }, { target, to }, signal) => {
  const [from, onto] = [await refOf(tab, target, 'any', signal), await refOf(tab, to, 'any', signal)]
  const start = await spotOf(tab, from, signal)
  const mouse = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', { x, y }: Spot) =>
    tab.session.send(
      'Input.dispatchMouseEvent',
      { type, x, y, button: 'left', buttons: type === 'mouseReleased' ? 0 : 1, clickCount: 1 },
      signal,
    )
  await moveMouse(tab, start, signal)
  await mouse('mousePressed', start)
  const end = await spotOf(tab, onto, signal)
  for (const part of [0.25, 0.5, 0.75, 1, 1])
    await mouse('mouseMoved', { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part })
  await mouse('mouseReleased', end)
  return {}
}

function pressWith(button: 'left' | 'right' | 'middle', clickCount: number): typeof pressMouse {
  const buttons = { left: 1, right: 2, middle: 4 }[button]
  return async (tab, { x, y }, signal) => {
    const { session } = tab
    await moveMouse(tab, { x, y }, signal)
    await session.send('Input.dispatchMouseEvent', { type: 'mousePressed', x, y, button, buttons, clickCount }, signal)
    await hesitate(tab, signal)
    await session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', x, y, button, clickCount }, signal)
  }
}
