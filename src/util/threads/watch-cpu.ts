import type { Worker } from 'node:worker_threads'

const longestTickMs = 1000
/** On a busy machine a thread waits for CPU; after this multiple of its limit it is considered hung. */
const maxWallFactor = 6

/**
 * Calls `over` once the thread has used more CPU time than the limit, ms, without any progress. Waiting for a core does
 * not count. The first tick, in which nearly all work is done, is not measured and counts in full.
 * @param progress a number that changes whenever the thread gets on; by default it is given one piece of work.
 */
export function watchCpu(
  thread: Pick<Worker, 'cpuUsage'>,
  maxMs: number,
  over: () => void,
  progress = () => 0,
): () => void {
  const tickMs = Math.min(longestTickMs, maxMs / 2)
  let ticks = 0
  let first: number | undefined
  let known = progress()
  const tick = async () => {
    const reached = progress()
    if (reached !== known) {
      known = reached
      ticks = 0
      first = undefined
      return
    }
    ticks += 1
    if (ticks * tickMs > maxMs * maxWallFactor) return over()
    const spent = await spentMs(thread)
    first ??= spent
    if (spent - first + tickMs >= maxMs && progress() === known) over()
  }
  // A thread that has ended has no times to tell, and says itself why it ended.
  const timer = setInterval(() => void tick().catch(() => {}), tickMs)
  return () => clearInterval(timer)
}

async function spentMs(thread: Pick<Worker, 'cpuUsage'>): Promise<number> {
  const { user, system } = await thread.cpuUsage()
  return (user + system) / 1000
}
