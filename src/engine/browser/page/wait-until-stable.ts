import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from '../../../util/async.ts'
import type { PageProgress } from '../../page-script/page/load-state.ts'
import type { Tab } from './tab.ts'

type StabilityTraffic = Pick<Tab['traffic'], 'quietForMs'> & Partial<Pick<Tab['traffic'], 'failure'>>
export type StabilityLimits = {
  /** Time in ms that network and text must be unchanged. */
  quietMs?: number
  /** The same for a page without scripts, in ms. */
  staticQuietMs?: number
  /** True if no visitor and no response header changes the page, so an inert page is stable once it has loaded. */
  isLeftAlone?: boolean
  /** Maximum wait in ms. */
  maxMs?: number
  /** Maximum wait in ms for a page whose HTML is still loading. */
  maxLoadMs?: number
  /** Time limit in ms for one probe of the page; a page with a busy script does not answer. */
  probeMs?: number
}

/** Text length below which a page with scripts is probably incomplete. */
const shortTextLength = 120
const unfinishedFactor = 6
const pollMs = 40

/**
 * Waits until a page is stable: the requests of its scripts are done, and the length of its text, apart from digits,
 * hardly changes. Clocks, counters, images, polling and endless streams do not count. Returns after `maxMs` (or
 * `maxLoadMs`) at the latest; fails with a DeadlineError if the page does not respond.
 */
export async function waitUntilStable(
  tab: Pick<Tab, 'call'> & { traffic: StabilityTraffic },
  limits: StabilityLimits,
  signal: AbortSignal,
): Promise<'stable' | 'unstable' | 'still loading'> {
  const { maxMs = 6000, maxLoadMs = 10_000, probeMs = 5000 } = limits
  const startedAt = performance.now()
  let textLength = -1
  let changedAt = startedAt
  for (;;) {
    const probedAt = performance.now()
    const progress = await withDeadline({ step: 'probe the page', ms: probeMs }, signal, (within) =>
      tab.call('readProgress', [], within),
    )
    const isLoading = isStillLoading(progress, tab.traffic)
    const now = performance.now()
    if (textLength < 0 || Math.abs(progress.text - textLength) > Math.max(40, textLength * 0.02)) {
      textLength = progress.text
      changedAt = now
    }
    const trafficQuietMs = tab.traffic.quietForMs()
    const leftMs = neededQuietMs({ ...progress, isLoading }, limits) - Math.min(trafficQuietMs, now - changedAt)
    if (trafficQuietMs > 0 && leftMs <= 0) return 'stable'
    if (now - startedAt >= (isLoading ? maxLoadMs : maxMs)) return isLoading ? 'still loading' : 'unstable'
    // A page that is slow to probe is probed less often.
    const dueMs = leftMs > 0 ? Math.min(pollMs, Math.ceil(leftMs)) : pollMs
    await sleep(Math.max(dueMs, now - probedAt), undefined, { signal })
  }
}

/** A document whose request has failed stays in the `loading` state, so it does not count. */
const isStillLoading = ({ isLoading }: PageProgress, { failure }: StabilityTraffic) =>
  isLoading && failure?.() === undefined

/** Returns the time in ms that network and text must be unchanged. */
function neededQuietMs(
  { isLoading, isBusy, hasScripts, isInert, text }: PageProgress,
  { quietMs = 250, staticQuietMs = 100, isLeftAlone }: StabilityLimits,
): number {
  if (isLoading) return Infinity
  if (isInert && isLeftAlone) return 0
  const isUnfinished = isBusy || (hasScripts && text < shortTextLength)
  return (isUnfinished ? unfinishedFactor : 1) * (hasScripts ? quietMs : staticQuietMs)
}
