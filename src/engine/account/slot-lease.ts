import type { Log } from '../../kernel/log.ts'
import type { Quotas, TeamLoad } from '../store/store.ts'
import { hasDied, newWorkerId } from '../store/worker-id.ts'
import { fail } from '../../kernel/error.ts'
import { createSemaphore, type Semaphore } from '../../util/semaphore.ts'
import type { Slot } from '../../contracts/account-ports.ts'

export type SlotLimits = { maxConcurrency: number; maxWaiting: number }

/** Concurrency slots of each team, counted in this process only. */
export function createLocalSlots() {
  const teams = new Map<string, Semaphore>()
  const load = (teamId: string): TeamLoad => teams.get(teamId)?.load() ?? { active: 0, waiting: 0 }

  function release(teamId: string): void {
    teams.get(teamId)?.release()
    if (load(teamId).active === 0) teams.delete(teamId)
  }

  return {
    /** Fails with QUEUE_FULL if too many calls are waiting, or with the signal's reason. */
    async take(teamId: string, { maxConcurrency, maxWaiting }: SlotLimits, signal: AbortSignal): Promise<Slot> {
      const semaphore = teams.get(teamId) ?? createSemaphore(maxConcurrency)
      teams.set(teamId, semaphore)
      semaphore.setLimit(maxConcurrency)
      const { active, waiting } = semaphore.load()
      if (active >= maxConcurrency && waiting >= maxWaiting) queueFull({ maxConcurrency, maxWaiting })
      const waited = await semaphore.acquire(signal)
      return { hasWaited: waited === 'after a wait', release: () => release(teamId) }
    },
    load,
  }
}

export const queueFull = ({ maxWaiting, maxConcurrency }: SlotLimits): never =>
  fail('QUEUE_FULL', { details: { maxWaiting, maxConcurrency } })

export type LeaseOptions = {
  quotas: () => Promise<Quotas>
  log: Log
  /** Called when the lease has expired, for example while the machine slept: the process lost its slots and keys. */
  lost(): void
}
export type Lease = ReturnType<typeof createLease>

const leaseMs = 30_000
const renewMs = leaseMs / 3

/** Lease on the team quotas that this process uses; renewed while the process uses any. */
export function createLease({ quotas, log, lost }: LeaseOptions) {
  const workerId = newWorkerId()
  let uses = 0
  let started: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function start(): Promise<void> {
    await (await quotas()).renew(workerId, leaseMs)
    timer = setInterval(() => void renew(), renewMs).unref()
  }

  async function renew(): Promise<void> {
    if (uses === 0) return stop()
    try {
      if (!(await (await quotas()).renew(workerId, leaseMs))) lost()
    } catch (cause) {
      log.warn('quotas could not be renewed', { cause })
    }
  }

  function stop(): void {
    clearInterval(timer)
    started = undefined
  }

  return {
    workerId,
    /** Starts one use of the lease, which lasts until the returned function is called. */
    async use(): Promise<() => void> {
      started ??= start().catch((cause: unknown) => {
        stop()
        throw cause
      })
      uses += 1
      const end = () => void (uses -= 1)
      await started.catch((cause: unknown) => {
        end()
        throw cause
      })
      return end
    },
    /** Frees the resources of killed processes on this machine; true if there were any. */
    async releaseDead(): Promise<boolean> {
      const store = await quotas()
      const dead = (await store.workers()).filter((worker) => worker !== workerId && hasDied(worker))
      for (const worker of dead) await store.release(worker)
      return dead.length > 0
    },
    async close(): Promise<void> {
      const wasStarted = started
      stop()
      if (wasStarted) await (await quotas()).release(workerId)
    },
  }
}
