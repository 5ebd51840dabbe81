import type { Crawls } from '../../../../contracts/crawl.ts'
import { dayMs } from '../db/calendar.ts'
import { createSweep, type Expired, type SweepTools } from '../db/sweep.ts'
import { inCompany } from './company.ts'
import { expiredDeliveries } from './deliveries.ts'
import { finishTogether } from './frontier-finish.ts'
import { createFrontier, unusedHosts } from './frontier.ts'
import { createCrawlJobs } from './jobs.ts'
import { createCrawlResults } from './results.ts'

/** After this time a crawl that never ended is deleted. */
const abandonedMs = 30 * dayMs
const slice = 5

export function createCrawls(tools: SweepTools): Crawls & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expired, expiredDeliveries, unusedHosts)
  const jobs = createCrawlJobs(tools)
  const frontier = createFrontier(tools)
  const { hasten, ...visits } = inCompany(frontier.claim, (ended) => {
    const written = finishTogether(db, clock.now(), ended)
    // Pages of the cache that wait to be written are written with them.
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

/** A crawl is deleted with all its pages and results, so few at a time. */
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
