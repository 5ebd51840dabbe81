import type { Ports } from '../../../contracts/ports.ts'
import { monthStart } from '../../../contracts/account-ports.ts'

/** The credits of one page, held back until it is recorded. */
export type HeldCredits = { release(): Promise<void> }
/** How many pages a crawl may visit before the credits of its team are spent. */
export type Budget = {
  /** Holds back the credits of up to so many pages; for how many there are, `spent` once no page more can be paid for. */
  room(pages: number): Promise<number | 'spent'>
  /** The credits of pages that were claimed; what is held back beyond that is given back, but for the next page. */
  claimed(pages: number): Promise<HeldCredits[]>
  close(): Promise<void>
}

export type BudgetPorts = Pick<Ports, 'usage' | 'clock'> & {
  account: Pick<Ports['account'], 'limitsOf' | 'holdCredits' | 'releaseCredits'>
}

const unpaid: HeldCredits = { release: async () => {} }

/**
 * Keeps a crawl within the monthly credits of its team, however many crawls and calls it has in however many processes:
 * what a page costs at least is held back before it is claimed.
 * @param credits of a page
 */
export function createBudget({ account, usage, clock }: BudgetPorts, teamId: string, credits: number): Budget {
  const spare: HeldCredits[] = []
  /** No more is held back than is likely to be claimed: twice as much as last time. */
  let most = 1

  async function hold(monthlyCredits: number): Promise<HeldCredits | undefined> {
    const jobId = crypto.randomUUID()
    const end = await account.holdCredits({ jobId, teamId, credits, monthlyCredits })
    return end && { release: () => account.releaseCredits(jobId).finally(end) }
  }
  const giveBack = async (kept: number) => void (await Promise.all(spare.splice(kept).map((each) => each.release())))

  return {
    async room(pages) {
      const { monthlyCredits } = await account.limitsOf(teamId)
      if (monthlyCredits === undefined) {
        spare.push(...Array.from({ length: Math.max(0, pages - spare.length) }, () => unpaid))
        return pages
      }
      while (spare.length < Math.min(pages, most)) {
        const held = await hold(monthlyCredits)
        if (!held) break
        spare.push(held)
      }
      if (spare.length > 0) return Math.min(pages, spare.length)
      // What others hold back may be given back; what is used is gone.
      const used = await usage.since(teamId, monthStart(clock.now()))
      return used + credits > monthlyCredits ? 'spent' : 0
    },
    async claimed(pages) {
      most = Math.max(1, pages * 2)
      const held = spare.splice(0, pages)
      await giveBack(1)
      return held
    },
    close: () => giveBack(0),
  }
}
