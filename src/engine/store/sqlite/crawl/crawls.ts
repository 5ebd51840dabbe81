import type { Crawls } from '../../../../contracts/crawl-ports.ts'
import { dayMs, createSweep, type Expired, type SweepTools } from '../db/db.ts'
import { expiredDeliveries } from './deliveries.ts'
import { finishTogether, type Ended } from './frontier-finish.ts'
import { createFrontier, unusedHosts } from './frontier.ts'
import { createCrawlJobs } from './crawl-jobs.ts'
import { createCrawlResults } from './results.ts'

type Finished = Awaited<ReturnType<Crawls['finish']>>
type Waiting = { ended: Ended; settle(written: Promise<Finished>): void }

/** Share of the pages being visited that may wait for each other to be written. */
const maxWaitingShare = 1 / 4
/** Small enough that other writers do not wait long. */
const maxTogether = 32
const maxWaitMs = 25

/**
 * Writes outcomes of visits in groups if many pages are visited concurrently. With few concurrent visits, waiting would
 * leave the worker idle, so with up to four visits each outcome is written immediately.
 */
export function inCompany(
  claim: Crawls['claim'],
  write: (ended: readonly Ended[]) => readonly Promise<Finished>[],
): Pick<Crawls, 'claim' | 'finish'> & { hasten(): void } {
  let visited = 0
  const waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  const hasten = () => {
    clearTimeout(timer)
    timer = undefined
    const together = waiting.splice(0)
    if (together.length === 0) return
    const written = write(together.map(({ ended }) => ended))
    together.forEach(({ settle }, at) => settle(written[at] ?? Promise.resolve('lost')))
  }
  return {
    hasten,
    async claim(request) {
      const pages = await claim(request)
      visited += pages.length
      return pages
    },
    async finish(page, workerId, outcome) {
      const { promise, resolve } = Promise.withResolvers<Finished>()
      waiting.push({ ended: { page, workerId, outcome }, settle: resolve })
      if (waiting.length >= Math.min(visited * maxWaitingShare, maxTogether)) hasten()
      else timer ??= setTimeout(hasten, maxWaitMs)
      try {
        return await promise
      } finally {
        visited = Math.max(0, visited - 1)
      }
    },
  }
}

/** Crawls that never ended are deleted after this time. */
const abandonedMs = 30 * dayMs
const slice = 5

export function createCrawls(tools: SweepTools): Crawls & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expired, expiredDeliveries, unusedHosts)
  const jobs = createCrawlJobs(tools)
  const frontier = createFrontier(tools)
  const { hasten, ...visits } = inCompany(frontier.claim, (ended) => {
    const written = finishTogether(db, clock.now(), ended)
    // Pending cache pages are written together with them.
    db.hasten().catch(() => undefined)
    return written
  })
  return {
    ...jobs,
    ...frontier,
    ...createCrawlResults(tools),
    ...visits,
    async start(...started) {
      await jobs.start(...started)
      sweep.nudge()
    },
    reap() {
      sweep.nudge()
      return frontier.reap()
    },
    idle() {
      hasten()
      return sweep.idle()
    },
  }
}

/** A crawl is deleted with all its pages and results, so only a few per slice. */
const expired: Expired = {
  slice,
  statements: (now) => [
    {
      sql: `DELETE FROM crawl WHERE id IN (SELECT id FROM crawl WHERE expires_at <= ? AND status <> 'scraping' LIMIT ?)`,
      params: [now, slice],
    },
    {
      sql: `DELETE FROM crawl WHERE id IN
        (SELECT id FROM crawl WHERE status = 'starting' AND seeding_lease_until <= ? LIMIT ?)`,
      params: [now, slice],
    },
    {
      sql: 'DELETE FROM crawl WHERE id IN (SELECT id FROM crawl WHERE expires_at <= ? LIMIT ?)',
      params: [now - abandonedMs, slice],
    },
  ],
}
