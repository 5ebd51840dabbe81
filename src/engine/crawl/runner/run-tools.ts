import type { Ports } from '../../../contracts/ports.ts'
import type { Log } from '../../../kernel/log.ts'
import { type FairSemaphore, createFairSemaphore } from '../../../util/semaphore.ts'
import type { CrawlWork, VisitPorts } from './visit-page.ts'
import type { Crawl } from '../../../contracts/crawl-ports.ts'
import type { PageRequest } from '../../../contracts/fetch.ts'
import type { RobotsCache } from '../crawl-links.ts'
import type { CrawlOptions } from '../crawl-options.ts'
import { monthStart } from '../../../contracts/account-ports.ts'

/** Credits of one page, reserved until the page is recorded. */
export type HeldCredits = { release(): Promise<void> }
/** Limits the pages that a crawl may visit to the credits of its team. */
export type Budget = {
  /**
   * Reserves credits for up to the given number of pages. Returns their number, or `spent` if the team cannot pay for
   * another page.
   */
  room(pages: number): Promise<number | 'spent'>
  /** Returns the reserved credits of claimed pages. Releases all other reservations except one, for the next page. */
  claimed(pages: number): Promise<HeldCredits[]>
  close(): Promise<void>
}

type BudgetPorts = Pick<Ports, 'usage' | 'clock'> & {
  account: Pick<Ports['account'], 'limitsOf' | 'holdCredits' | 'releaseCredits'>
}

const unpaid: HeldCredits = { release: async () => {} }

/**
 * Keeps a crawl within the monthly credits of its team, even with many crawls and calls in many processes: the minimum
 * price of a page is reserved before it is claimed.
 * @param credits of a page
 */
export function createBudget({ account, usage, clock }: BudgetPorts, teamId: string, credits: number): Budget {
  const spare: HeldCredits[] = []
  /** Maximum number of reservations: twice the number of pages claimed last time. */
  let maxSpare = 1

  async function hold(monthlyCredits: number): Promise<HeldCredits | undefined> {
    const jobId = crypto.randomUUID()
    const end = await account.holdCredits({ jobId, teamId, credits, monthlyCredits })
    return end && { release: () => account.releaseCredits(jobId).finally(end) }
  }
  const releaseAllBut = async (count: number) =>
    void (await Promise.all(spare.splice(count).map((each) => each.release())))

  return {
    async room(pages) {
      const { monthlyCredits } = await account.limitsOf(teamId)
      if (monthlyCredits === undefined) {
        spare.push(...Array.from({ length: Math.max(0, pages - spare.length) }, () => unpaid))
        return pages
      }
      while (spare.length < Math.min(pages, maxSpare)) {
        const held = await hold(monthlyCredits)
        if (!held) break
        spare.push(held)
      }
      if (spare.length > 0) return Math.min(pages, spare.length)
      // Credits reserved by others may be released again; used credits are gone.
      const used = await usage.since(teamId, monthStart(clock.now()))
      return used + credits > monthlyCredits ? 'spent' : 0
    },
    async claimed(pages) {
      maxSpare = Math.max(1, pages * 2)
      const held = spare.splice(0, pages)
      await releaseAllBut(1)
      return held
    },
    close: () => releaseAllBut(0),
  }
}

/** Tracks whether this process still holds the lease of its claimed pages. */
type Lease = {
  /** Call before claiming pages. Returns a function that returns true while their lease is valid. */
  begin(): () => boolean
  /** Renews all leases of this process. */
  renew(renewal: () => Promise<void>): Promise<void>
}

/**
 * A process may be paused for any time between two statements, while others take over its pages. The database measures
 * a lease from when it was written; here it is measured from before the request, so it always expires here first.
 */
export function createLease(leaseMs: number): Lease {
  let renewedAt = -Infinity
  return {
    begin() {
      const requestedAt = performance.now()
      return () => performance.now() - Math.max(requestedAt, renewedAt) < leaseMs
    },
    async renew(renewal) {
      const requestedAt = performance.now()
      await renewal()
      renewedAt = requestedAt
    },
  }
}

/** Limits the number of pages that a process works on concurrently, over all crawls. */
type Capacity = {
  /**
   * Returns how many pages each of the given number of crawls may hold. Claimed pages that wait here are not available
   * to other processes.
   */
  share(crawls: number): number
  /** Waits for a slot, given to crawls in turn, and holds it during `work`. Rejects with the signal's reason. */
  inTurn<T>(crawlId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

const unlimited: Capacity = { share: () => Infinity, inTurn: (_, __, work) => work() }

/** @param pages limit; undefined for no limit */
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
  /** Teams take turns at seeding, which may take much time and memory. */
  seedings: FairSemaphore
  userAgent: string
  log: Log
  /** Called when a webhook event was stored. */
  eventWritten(): void
}

/** State that this process keeps in memory for a crawl it works on. */
export type Work = CrawlWork & {
  /** Null for a batch. */
  options: CrawlOptions | null
  robots: RobotsCache
  request: Pick<PageRequest, 'teamId' | 'headers' | 'skipTlsVerification'>
  /** Applies changes made by another process. */
  refresh(crawl: Crawl): Promise<void>
  /** Reads the crawl and refreshes. */
  refreshNow(): Promise<void>
}
