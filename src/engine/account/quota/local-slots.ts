import { fail } from '../../../kernel/error.ts'
import { createSemaphore, type Semaphore } from '../../../util/semaphore.ts'
import type { Slot } from '../../../contracts/account-ports.ts'
import type { TeamLoad } from '../../store/store.ts'

export type SlotLimits = { maxConcurrency: number; maxWaiting: number }

/** The slots of each team in this process alone. */
export function createLocalSlots() {
  const teams = new Map<string, Semaphore>()
  const load = (teamId: string): TeamLoad => teams.get(teamId)?.load() ?? { active: 0, waiting: 0 }

  function release(teamId: string): void {
    teams.get(teamId)?.release()
    if (load(teamId).active === 0) teams.delete(teamId)
  }

  return {
    /** Fails with QUEUE_FULL when too many wait already; rejects with the signal's reason. */
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
