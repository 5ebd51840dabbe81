import { setTimeout as sleep } from 'node:timers/promises'
import { wallOf } from '../../net/http/bot-challenge.ts'
import { capture } from './capture.ts'
import { arrived, type FaultOf } from './navigate.ts'
import type { Tab } from './tab.ts'

/** What a guard needs to be content with a browser by itself; longer waits are for people. */
const patienceMs = 8000
const lookEveryMs = 300
/** A page of a guard is short; its marks stand in its beginning. */
const maxChars = 200_000

/**
 * Waits while a page of a bot wall stands that lets browsers through by itself, and tells whether that was so and it is
 * gone. Nothing is solved here.
 */
export async function waitForChallenge(
  tab: Tab,
  faultOf: FaultOf,
  signal: AbortSignal,
): Promise<'none' | 'passed' | 'stays'> {
  const until = performance.now() + patienceMs
  if (!(await isChallenge(tab, faultOf, signal))) return 'none'
  while (performance.now() < until) {
    await sleep(lookEveryMs, undefined, { signal })
    if (!(await isChallenge(tab, faultOf, signal))) return 'passed'
  }
  return 'stays'
}

/** Guards refuse with the status of the page, so that no other page is looked at twice. */
async function isChallenge(tab: Tab, faultOf: FaultOf, signal: AbortSignal): Promise<boolean> {
  const status = tab.traffic.document()?.status ?? 200
  if (status < 400 && status !== 202) return false
  return wallOf(arrived(tab, await capture(tab, maxChars, signal), faultOf))?.kind === 'challenge'
}
