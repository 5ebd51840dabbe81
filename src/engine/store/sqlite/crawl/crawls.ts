import type { Crawls } from '../../../../contracts/crawl-ports.ts'
import { dayMs, createSweep, type Expired, type SweepTools } from '../db/db.ts'
import { expiredDeliveries } from './deliveries.ts'
import { finishTogether, type Ended } from './frontier-finish.ts'
import { createFrontier, unusedHosts } from './frontier.ts'
import { createCrawlJobs } from './crawl-jobs.ts'
import { createCrawlResults } from './results.ts'

type Finished = Awaited<ReturnType<Crawls['finish']>>
type Waiting = { ended: Ended; settle(written: Promise<Finished>): void }

/** Of the pages that are being visited, so many may wait for each other to be written. */
const maxWaitingShare = 1 / 4
/** Few enough that nobody else who wants to write waits for long. */
const maxTogether = 32
const maxWaitMs = 25

/**
 * The outcomes of visits are written together where many pages are visited at once. Whoever visits few would else have
 * nothing to do while they wait, so the first of four already goes at once.
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
