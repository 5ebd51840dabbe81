import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from '../../../util/deadline.ts'
import type { PageProgress } from '../../page-script/page/probe.ts'
import type { Tab } from './tab.ts'

export type SettleLimits = {
  /** Network and text have to be still for so long, ms. */
  quietMs?: number
  /** The same where no script ran, so that nothing is expected any more, ms. */
  staticQuietMs?: number
  /** Longest wait in all, ms. */
  maxMs?: number
  /** Longest wait for a page whose HTML still comes, ms. */
  maxLoadMs?: number
  /** Longest time a look at the page may take; a page that a script holds answers none. */
  lookMs?: number
}

/** Text under this length, or a sign of loading, means that the page is probably not there yet. */
const littleText = 120
const patient = 6
const lookEveryMs = 40

/**
 * Waits until a page has come to rest: what its scripts asked for has come, and its text, digits aside, has stopped
 * changing. Clocks and counters, pictures, polling and endless streams do not hold it up. Returns at `maxMs` (or
 * `maxLoadMs`) in any case; fails with a DeadlineError when the page does not answer.
 */
export async function settle(
  tab: Tab,
  limits: SettleLimits,
  signal: AbortSignal,
): Promise<'quiet' | 'restless' | 'still loading'> {
  const { quietMs = 250, staticQuietMs = 100, maxMs = 6000, maxLoadMs = 10_000, lookMs = 5000 } = limits
  const startedAt = performance.now()
  let seen = -1
  let changedAt = startedAt
  for (;;) {
    const lookedAt = performance.now()
    const look = await withDeadline({ step: 'look at the page', ms: lookMs }, signal, (within) =>
      tab.call('readProgress', [], within),
    )
    const now = performance.now()
    if (seen < 0 || Math.abs(look.text - seen) > Math.max(40, seen * 0.02)) {
      seen = look.text
      changedAt = now
    }
    const quietForMs = Math.min(tab.traffic.quietForMs(), now - changedAt)
    if (quietForMs >= patience(look) * (look.hasScripts ? quietMs : staticQuietMs)) return 'quiet'
    if (now - startedAt >= (look.isLoading ? maxLoadMs : maxMs)) return look.isLoading ? 'still loading' : 'restless'
    // A page that takes long to look at is looked at less often.
    await sleep(Math.max(lookEveryMs, now - lookedAt), undefined, { signal })
  }
}

/** How many times the usual quiet a page has to keep. */
function patience({ isLoading, isBusy, hasScripts, text }: PageProgress): number {
  if (isLoading) return Infinity
  return isBusy || (hasScripts && text < littleText) ? patient : 1
}
