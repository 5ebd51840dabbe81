import type { Log } from '../../kernel/log.ts'
import type { Quotas, TeamLoad } from '../store/store.ts'
import { hasDied, newWorkerId } from '../store/worker-id.ts'
import { fail } from '../../kernel/error.ts'
import { createSemaphore, type Semaphore } from '../../util/semaphore.ts'
import type { Slot } from '../../contracts/account-ports.ts'

export type SlotLimits = { maxConcurrency: number; maxWaiting: number }

/** Slots of each team, in this process only. */
export function createLocalSlots() {
  const teams = new Map<string, Semaphore>()
  const load = (teamId: string): TeamLoad => teams.get(teamId)?.load() ?? { active: 0, waiting: 0 }

  function release(teamId: string): void {
    teams.get(teamId)?.release()
    if (load(teamId).active === 0) teams.delete(teamId)
  }

  return {
    /** Fails with QUEUE_FULL if too many are waiting; rejects with the signal's reason. */
    async take(teamId: string, { maxConcurrency, maxWaiting }: SlotLimits, signal: AbortSignal): Promise<Slot> {
      const turns = teams.get(teamId) ?? createSemaphore(maxConcurrency)
      teams.set(teamId, turns)
      const { active, waiting } = turns.load()
      if (active >= maxConcurrency && waiting >= maxWaiting) queueFull({ maxConcurrency, maxWaiting })
      const waited = await turns.acquire(signal)
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
  /** Called when the lease has expired, as after the machine slept: everything the process held was freed. */
  lost(): void
}
export type Lease = ReturnType<typeof createLease>

const leaseMs = 30_000
const renewMs = leaseMs / 3

/** Lease on the team quotas that this process holds; renewed while it holds any. */
export function createLease({ quotas, log, lost }: LeaseOptions) {
  const workerId = newWorkerId()
  let taken = 0
  let started: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function begin(): Promise<void> {
    await (await quotas()).renew(workerId, leaseMs)
    timer = setInterval(() => void keep(), renewMs).unref()
  }

  async function keep(): Promise<void> {
    if (taken === 0) return rest()
    try {
      if (!(await (await quotas()).renew(workerId, leaseMs))) lost()
    } catch (cause) {
      log.warn('quotas could not be renewed', { cause })
    }
  }

  function rest(): void {
    clearInterval(timer)
    started = undefined
  }

  return {
    workerId,
    /** Call before anything is taken, and the returned function when it is given back. */
    async use(): Promise<() => void> {
      started ??= begin().catch((cause: unknown) => {
        rest()
        throw cause
      })
      taken += 1
      const end = () => void (taken -= 1)
      await started.catch((cause: unknown) => {
        end()
        throw cause
      })
      return end
    },
    /** Frees what killed processes of this machine held; true if there were any. */
    async releaseDead(): Promise<boolean> {
      const store = await quotas()
      const dead = (await store.workers()).filter((worker) => worker !== workerId && hasDied(worker))
      for (const worker of dead) await store.release(worker)
      return dead.length > 0
    },
    async close(): Promise<void> {
      const wasStarted = started
      rest()
      if (wasStarted) await (await quotas()).release(workerId)
    },
  }
}
