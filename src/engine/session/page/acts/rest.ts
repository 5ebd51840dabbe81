import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from '../../../browser/deadline.ts'
import { settle, type SettleLimits } from '../../../browser/settle.ts'
import { hasLeft } from '../../../browser/world.ts'
import type { LiveTab } from '../live-tab.ts'

/** Between acts, and after the last one. */
const brief: SettleLimits = { quietMs: 80, staticQuietMs: 30, maxMs: 2000, maxLoadMs: 8000 }
const whole: SettleLimits = { quietMs: 200, staticQuietMs: 80, maxMs: 5000, maxLoadMs: 10_000 }
const arriveMs = 3000

/** Resolves when the main frame shows another page or address, or when it is clear that it will not. */
export function arrival(
  { session, targetId }: Pick<LiveTab, 'session' | 'targetId'>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const ends = [
      session.on('Page.frameNavigated', ({ frame }) => {
        if (frame.id === targetId) end()
      }),
      session.on('Page.navigatedWithinDocument', ({ frameId }) => {
        if (frameId === targetId) end()
      }),
    ]
    const timer = setTimeout(end, arriveMs)
    signal.addEventListener('abort', end, { once: true })
    function end(): void {
      clearTimeout(timer)
      for (const each of ends) each()
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
}

/** What an act sets in motion comes to rest. A page that leaves while it is looked at is waited for where it arrives. */
export async function rested(tab: LiveTab, after: 'act' | 'all', signal: AbortSignal): Promise<void> {
  try {
    await settle(tab, after === 'all' ? whole : brief, signal)
  } catch (error) {
    if (!hasLeft(error)) throw error
    await sleep(100, undefined, { signal })
  }
}

const openMs = 3000

/** A tab that a page has opened is blank until its address answers. */
export async function begun(tab: LiveTab, signal: AbortSignal): Promise<void> {
  const until = performance.now() + openMs
  while (performance.now() < until) {
    const place = await withDeadline({ step: 'look at the address', ms: openMs }, signal, (within) =>
      tab.call(() => location.href, [], within),
    )
    if (place !== 'about:blank') return
    await sleep(50, undefined, { signal })
  }
}
