import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickPoint } from '../../page-script/page/matches.ts'
import type { Tab } from './tab.ts'

/** An action that cannot be done as requested. The message is ours and holds no text of the page. */
export class ActionError extends Error {
  override readonly name = 'StepError'
}

/** Time for overlays to fade away. */
const coverMs = 1000
const pollMs = 100

/**
 * Waits until a visible element matches, and returns how many are selected. Fails with a StepError when none has
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
      throw new ActionError(
        found === 'hidden'
          ? 'The element that matches the selector is not visible.'
          : 'No element matches the selector.',
      )
    await sleep(pollMs, undefined, { signal })
  }
}

/** Clicks the selected elements with the mouse; those that stay covered by a script. Elements that an earlier click removed are skipped. */
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
    await sleep(pollMs, undefined, { signal })
  }
}
