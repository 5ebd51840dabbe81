import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickPoint } from '../../page-script/page/matches.ts'
import { StepError } from './action-error.ts'
import type { Tab } from './tab.ts'

/** Covers that fade away are waited for. */
const coverMs = 1000
const lookEveryMs = 100

/**
 * Waits until an element that can be seen matches, and tells how many are chosen. Fails with a StepError when none has
 * come in time, and with a PageError for a selector that is not valid.
 */
export async function waitForElements(
  tab: Tab,
  selector: string,
  which: 'first' | 'all',
  ms: number,
  signal: AbortSignal,
): Promise<number> {
  const until = performance.now() + ms
  for (;;) {
    const found = await tab.call('matchElements', [selector, which], signal)
    if (typeof found === 'number') return found
    if (performance.now() >= until)
      throw new StepError(
        found === 'hidden'
          ? 'The element that matches the selector cannot be seen.'
          : 'No element matches the selector.',
      )
    await sleep(lookEveryMs, undefined, { signal })
  }
}

/** Clicks the chosen elements with the mouse; what stays covered is clicked under its cover. Elements that an earlier click took away are left out. */
export async function clickChosenElements(tab: Tab, count: number, signal: AbortSignal): Promise<void> {
  for (let index = 0; index < count; index++) {
    const point = await uncoveredPoint(tab, index, signal)
    if (typeof point !== 'string') await tab.mouse.click(point, {}, signal)
    else if (point !== 'gone') await tab.call('clickMatch', [index], signal)
  }
}

async function uncoveredPoint(tab: Tab, index: number, signal: AbortSignal): Promise<ClickPoint> {
  const until = performance.now() + coverMs
  for (;;) {
    const point = await tab.call('findMatchPoint', [index], signal)
    if (point !== 'covered' || performance.now() >= until) return point
    await sleep(lookEveryMs, undefined, { signal })
  }
}
