import type { Worker } from 'node:worker_threads'

const longestTickMs = 1000
/** On a busy machine a thread waits for its turn; a thread that has not answered after so many times its limit never will. */
const maxWallFactor = 6

/**
 * Calls `over` once the thread has computed longer than the limit, ms. Time spent waiting for a core does not count.
 * Nothing is measured in the first tick, in which nearly all pages are done; it counts in full.
 */
export function watchCpu(thread: Worker, maxMs: number, over: () => void): () => void {
  const tickMs = Math.min(longestTickMs, maxMs / 2)
  let ticks = 0
  let first: number | undefined
  const tick = async () => {
    ticks += 1
    if (ticks * tickMs > maxMs * maxWallFactor) return over()
    const spent = await spentMs(thread)
    first ??= spent
    return spent - first + tickMs >= maxMs ? over() : undefined
  }
  const timer = setInterval(() => void tick().catch(over), tickMs)
  return () => clearInterval(timer)
}

async function spentMs(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage()
  return (user + system) / 1000
}
