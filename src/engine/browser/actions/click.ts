import { setTimeout as sleep } from 'node:timers/promises'
import { StepError } from './action-error.ts'
import { type Aim, aimAt, choose, clickChosen, findVisible } from '../in-page/elements.ts'
import { pressMouse } from './input.ts'
import type { Tab } from '../tab.ts'

/** Covers that fade away are waited for. */
const coverMs = 1000
const lookEveryMs = 100

/** Fails with a StepError when no element that can be seen has come in time, and with a PageError for a selector that is not valid. */
export async function waitForElement(tab: Tab, selector: string, ms: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + ms
  for (;;) {
    const found = await tab.call(findVisible, [selector], signal)
    if (found === 'visible') return
    if (performance.now() >= until)
      throw new StepError(
        found === 'hidden'
          ? 'The element that matches the selector cannot be seen.'
          : 'No element matches the selector.',
      )
    await sleep(lookEveryMs, undefined, { signal })
  }
}

/** Clicks with the mouse; what stays covered is clicked under its cover. Elements that an earlier click took away are left out. */
export async function clickElements(
  tab: Tab,
  selector: string,
  which: 'first' | 'all',
  signal: AbortSignal,
): Promise<void> {
  const count = await tab.call(choose, [selector, which], signal)
  if (count === 0) throw new StepError('The element that matches the selector cannot be seen.')
  for (let index = 0; index < count; index++) {
    const aim = await aimed(tab, index, signal)
    if (typeof aim !== 'string') await pressMouse(tab, aim, signal)
    else if (aim !== 'gone') await tab.call(clickChosen, [index], signal)
  }
}

async function aimed(tab: Tab, index: number, signal: AbortSignal): Promise<Aim> {
  const until = performance.now() + coverMs
  for (;;) {
    const aim = await tab.call(aimAt, [index], signal)
    if (aim !== 'covered' || performance.now() >= until) return aim
    await sleep(lookEveryMs, undefined, { signal })
  }
}
