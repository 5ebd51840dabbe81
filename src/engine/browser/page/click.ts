import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickPoint } from '../../page-script/page/matches.ts'
import type { Tab } from './tab.ts'

/** An action that cannot be performed as requested. The message is ours and contains no page text. */
export class ActionError extends Error {
  override readonly name = 'StepError'
}

/** Time limit in ms for overlays to fade out. */
const coverMs = 1000
const pollMs = 100

/**
 * Waits until a visible element matches, and returns how many are selected. Fails with an ActionError if none appears in
 * time, and with a PageError for an invalid selector.
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

/**
 * Clicks the selected elements with the mouse; elements that stay covered are clicked by a script. Elements removed by
 * an earlier click are skipped.
 */
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
