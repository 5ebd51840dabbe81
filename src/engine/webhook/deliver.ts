import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedQueue, Deliveries } from '../../contracts/job-ports.ts'
import { hasDied, newWorkerId } from '../store/worker-id.ts'
import { openQueue, type Queue, type QueueTools } from './queue.ts'
import { createSender, type SenderOptions } from './sender.ts'

export type DelivererOptions = SenderOptions &
  Pick<QueueTools, 'log' | 'retryMinutes'> & {
    deliveries: Omit<Deliveries, 'abandoned'>
    /** Time that closing waits for requests in progress, ms. */
    graceMs?: number
  }
export type Deliverer = {
  /** Call when an event may be due. */
  wake(): void
  /** Interrupted deliveries are sent again by the next process. */
  close(): Promise<void>
}

/** Concurrent queues per team. Most wait for their receivers, and one that hangs must not delay the others. */
const queuesPerTeam = 100
/** Time until queues of a process that died on another machine are taken over. */
const leaseMs = 30_000
/** Pause while queues are leased: leases are renewed, and workers may die. */
const shortSleepMs = 1000
/** Longest pause: another process may have died and left its events. */
const longSleepMs = 60_000
/** Pause of a queue whose state could not be written. */
const retryQueueMs = 10_000

/** Sends due events, together with other processes on the data. Starts with `wake`; never keeps the process alive. */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const { deliveries, clock, log, graceMs = 2000 } = options
  const workerId = newWorkerId()
  const closing = new AbortController()
  const ending = new AbortController()
  const tools = { ...options, workerId, send: createSender(options, ending.signal) }
  const queues = createQueues(tools, closing.signal)
  const state = { isWanted: false }
  let round: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** Resolves to the pause until the next round, ms. */
  const takeQueues = async (): Promise<number> => {
    const others = (await deliveries.workers()).filter((worker) => worker !== workerId)
    for (const dead of others.filter(hasDied)) await deliveries.release(dead)
    await queues.renew()
    for (const claimed of await deliveries.claim(workerId, queuesPerTeam, leaseMs)) queues.begin(claimed, wake)
    if (queues.count() > 0 || others.length > 0) return shortSleepMs
    const dueAt = await deliveries.nextDueAt()
    return Math.min(longSleepMs, Math.max(shortSleepMs, (dueAt ?? Infinity) - clock.now()))
  }
  const takeWhileWanted = async () => {
    clearTimeout(timer)
    let sleepMs = longSleepMs
    while (state.isWanted && !closing.signal.aborted) {
      state.isWanted = false
      sleepMs = await takeQueues().catch((cause: unknown) => {
        log.warn('webhooks could not be read', { cause })
        return longSleepMs
      })
    }
    if (!closing.signal.aborted) timer = setTimeout(wake, sleepMs).unref()
  }
  const wake = () => {
    state.isWanted = true
    queues.recheck()
    if (closing.signal.aborted) return
    round ??= takeWhileWanted().finally(() => {
      round = undefined
      if (state.isWanted) wake()
    })
  }

  return {
    wake,
    async close() {
      closing.abort(new Error('The program ends.'))
      queues.recheck()
      await round
      clearTimeout(timer)
      const late = setTimeout(() => ending.abort(closing.signal.reason), graceMs)
      await queues.left()
      clearTimeout(late)
    },
  }
}

/** Queues that this process sends from. */
function createQueues(tools: QueueTools & Pick<DelivererOptions, 'deliveries'>, closing: AbortSignal) {
  const { deliveries, workerId, log } = tools
  const open = new Map<string, { queue: Queue; left: Promise<void> }>()
  let renewedAt = performance.now()

  async function follow(queue: Queue, crawlId: string, ended: () => void): Promise<void> {
    try {
      await queue.ended
    } catch (cause) {
      log.warn('webhook state could not be written', { crawlId, cause })
      await sleep(retryQueueMs, undefined, { signal: closing, ref: false }).catch(() => {})
      // If this fails too, the lease expires.
      await deliveries.leave(crawlId, workerId).catch(() => {})
    }
    open.delete(crawlId)
    ended()
  }
  return {
    begin(claimed: ClaimedQueue, ended: () => void): void {
      const queue = openQueue(tools, claimed, closing)
      open.set(claimed.crawlId, { queue, left: follow(queue, claimed.crawlId, ended) })
    },
    count: () => open.size,
    recheck: () => open.forEach(({ queue }) => queue.recheck()),
    async renew(): Promise<void> {
      if (performance.now() - renewedAt < leaseMs / 3) return
      renewedAt = performance.now()
      if (open.size > 0) await deliveries.renew(workerId, [...open.keys()], leaseMs)
    },
    left: async () => void (await Promise.all([...open.values()].map(({ left }) => left))),
  }
}
