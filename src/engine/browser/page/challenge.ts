import { setTimeout as sleep } from 'node:timers/promises'
import { detectBotChallenge } from '../../net/http/bot-challenge.ts'
import { capture } from './capture.ts'
import { toRenderedPage, type ProxyErrorOf } from './navigate.ts'
import type { Tab } from './tab.ts'

/** Time in which a bot challenge lets a browser pass by itself; longer ones need a person. */
const maxWaitMs = 8000
const pollMs = 300
/** Challenge pages are short, and are recognised by their beginning. */
const maxChars = 200_000

/**
 * Waits while a page shows a bot challenge that browsers pass by themselves, and returns whether there was one and it has
 * gone. It solves nothing.
 */
export async function waitForChallenge(
  tab: Tab,
  faultOf: ProxyErrorOf,
  signal: AbortSignal,
): Promise<'none' | 'passed' | 'stays'> {
  const until = performance.now() + maxWaitMs
  if (!(await isChallenge(tab, faultOf, signal))) return 'none'
  while (performance.now() < until) {
    await sleep(pollMs, undefined, { signal })
    if (!(await isChallenge(tab, faultOf, signal))) return 'passed'
  }
  return 'stays'
}

/** Challenges have an error status, so no other page is captured twice. */
async function isChallenge(tab: Tab, faultOf: ProxyErrorOf, signal: AbortSignal): Promise<boolean> {
  const status = tab.traffic.document()?.status ?? 200
  if (status < 400 && status !== 202) return false
  return detectBotChallenge(toRenderedPage(tab, await capture(tab, maxChars, signal), faultOf))?.kind === 'challenge'
}
