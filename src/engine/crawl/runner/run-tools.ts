import type { Ports } from '../../../contracts/ports.ts'
import type { Log } from '../../../kernel/log.ts'
import { type FairSemaphore, createFairSemaphore } from '../../../util/semaphore.ts'
import type { VisitPorts } from './visit-page.ts'
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

type BudgetPorts = Pick<Ports, 'usage' | 'clock'> & {
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

/** Whether this process still has the pages that it claimed, as far as it can know by itself. */
type Lease = {
  /** Called before pages are claimed. Answers what tells of them from then on. */
  begin(): () => boolean
  /** All that is leased is leased anew. */
  renew(renewal: () => Promise<void>): Promise<void>
}

/**
 * A process may be paused for as long as it likes, between any two statements, and others take its pages over meanwhile. They
 * count from when their lease was written; here it counts from before it was asked for, so that it ends here first.
 */
export function createLease(leaseMs: number): Lease {
  let renewedAt = -Infinity
  return {
    begin() {
      const askedAt = performance.now()
      return () => performance.now() - Math.max(askedAt, renewedAt) < leaseMs
    },
    async renew(renewal) {
      const askedAt = performance.now()
      await renewal()
      renewedAt = askedAt
    },
  }
}

/** How many pages a process works on at the same time, over all crawls. */
type Capacity = {
  /** Pages that one of so many crawls may hold; what it holds and does not work on, no other process can take. */
  share(crawls: number): number
  /** Waits for a place, of which crawls get one after the other, and holds it meanwhile. Rejects with the signal's reason. */
  inTurn<T>(crawlId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

const unlimited: Capacity = { share: () => Infinity, inTurn: (_, __, work) => work() }

/** @param pages unset: as many as teams may have */
export function createCapacity(pages: number | undefined): Capacity {
  if (pages === undefined) return unlimited
  const turns = createFairSemaphore({ usual: pages, reserved: 0 })
  return {
    share: (crawls) => Math.max(1, Math.floor(pages / crawls)),
    async inTurn(crawlId, signal, work) {
      const leave = await turns.acquire(crawlId, signal)
      return work().finally(leave)
    },
  }
}

export type RunPorts = VisitPorts & BudgetPorts & { account: Pick<Ports['account'], 'load' | 'enter'> }
export type RunTools = {
  workerId: string
  leaseMs: number
  lease: Lease
  hostConcurrency: number
  capacity: Pick<Capacity, 'inTurn'> & { share(): number }
  /** Teams take turns at seeding: it may take long, and much memory. */
  seedings: FairSemaphore
  userAgent: string
  log: Log
  /** Called when a webhook event was written. */
  eventWritten(): void
}
