import type { Ports } from '../../../contracts/ports.ts'
import { monthStart } from '../../../util/month.ts'

/** How many pages a crawl may visit before the credits of its team are spent. */
export type Budget = {
  /** Pages that may be claimed now, with so many under way; `spent` once no credit is left. */
  room(underWay: number): Promise<number | 'spent'>
  claimed(pages: number): void
}

const recountMs = 1000

/**
 * Keeps a crawl within the monthly credits of its team. The ledger is read at most once a second; in between each page
 * counts as one credit, which most cost, so that a crawl exceeds the limit by little.
 */
export function createBudget(
  { account, usage, clock }: Pick<Ports, 'account' | 'usage' | 'clock'>,
  teamId: string,
): Budget {
  let left = Infinity
  let isSpent = false
  let lookAt = 0

  async function look(limit: number, underWay: number): Promise<void> {
    lookAt = performance.now() + recountMs
    const used = await usage.since(teamId, monthStart(clock.now()))
    isSpent = used >= limit
    left = limit - used - underWay
  }

  return {
    async room(underWay) {
      const { monthlyCredits } = await account.limitsOf(teamId)
      if (monthlyCredits === undefined) return Infinity
      // With nothing under way the cost of all visits is known.
      if (performance.now() >= lookAt || (left <= 0 && underWay === 0 && !isSpent)) await look(monthlyCredits, underWay)
      return isSpent ? 'spent' : Math.max(0, left)
    },
    claimed: (pages) => void (left -= pages),
  }
}
