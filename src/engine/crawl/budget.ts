import { monthStart } from '../../core/month.ts'
import type { Ports } from '../../core/ports.ts'

/** How many pages a crawl may take before the credits of its team are spent. */
export type Budget = {
  /** Pages that may be taken now, with so many under way; `spent` once no credit is left. */
  room(underWay: number): Promise<number | 'spent'>
  took(pages: number): void
}

const lookMs = 1000

/**
 * Keeps to the credits of the month. The ledger is asked at most once a second; in between each page counts as the one
 * credit that most of them cost, so that a crawl goes beyond the limit by little.
 */
export function createBudget(
  { account, usage, clock }: Pick<Ports, 'account' | 'usage' | 'clock'>,
  teamId: string,
): Budget {
  const { monthlyCredits } = account
  let left = Infinity
  let isSpent = false
  let lookAt = 0

  async function look(limit: number, underWay: number): Promise<void> {
    lookAt = performance.now() + lookMs
    const used = await usage.since(teamId, monthStart(clock.now()))
    isSpent = used >= limit
    left = limit - used - underWay
  }

  return {
    async room(underWay) {
      if (monthlyCredits === undefined) return Infinity
      // Nothing is left and nothing is under way: what that cost is known now.
      if (performance.now() >= lookAt || (left <= 0 && underWay === 0 && !isSpent)) await look(monthlyCredits, underWay)
      return isSpent ? 'spent' : Math.max(0, left)
    },
    took: (pages) => void (left -= pages),
  }
}
