import type { Crawls } from '../../../../contracts/crawl.ts'
import { text } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import { insertPages, statementsPerSlice, insertSkip } from './frontier-add.ts'
import { claim } from './frontier-claim.ts'
import { pageState } from './page-state.ts'
import { maxWaitMs, pauseHostsOf } from './shared-hosts.ts'
import type { Clock } from '../../../../contracts/ports.ts'

type Frontier = Pick<Crawls, 'add' | 'skip' | 'claim' | 'setCrawlDelay' | 'renew' | 'release' | 'reap'>
type Tools = { db: Db; clock: Clock }

/**
 * The pages of crawls that wait or are being visited. A page is leased to one worker at a time. When each host may be
 * visited next is kept here too, so that several processes and crawls together are as polite as one.
 */
export function createFrontier({ db, clock }: Tools): Frontier {
  return {
    async add(crawlId, pages) {
      if (pages.length === 0) return 0
      const outcomes = await db.transaction(insertPages(crawlId, pages))
      return outcomes.reduce((sum, { changes }, index) => sum + (index % statementsPerSlice === 0 ? changes : 0), 0)
    },
    async skip(crawlId, skipped) {
      if (skipped.length > 0) await db.transaction(skipped.map((each) => insertSkip(crawlId, each)))
    },
    claim: (request) => claim(db, clock.now(), request),
    async setCrawlDelay(crawlId, host, delayMs) {
      await db.run(
        `INSERT INTO crawl_host (crawl_id, host, crawl_delay_ms) VALUES (?, ?, ?) ON CONFLICT (crawl_id, host)
          DO UPDATE SET crawl_delay_ms = max(crawl_host.crawl_delay_ms, excluded.crawl_delay_ms)`,
        [crawlId, host, delayMs],
      )
    },
    async renew(workerId, leaseMs) {
      const until = clock.now() + leaseMs
      await db.transaction([
        { sql: `UPDATE crawl_page SET lease_until = ? WHERE worker_id = ? AND ${isActive}`, params: [until, workerId] },
        { sql: 'UPDATE crawl SET seeding_lease_until = ? WHERE seeding_worker_id = ?', params: [until, workerId] },
      ])
    },
    async release(workerId) {
      await db.transaction([
        ...pauseHostsOf({ sql: 'worker_id = ?', params: [workerId] }, clock.now()),
        {
          sql: `${returnPage}, tries = tries - 1 WHERE worker_id = ? AND ${isActive}`,
          params: [workerId],
        },
        { sql: 'UPDATE crawl SET seeding_worker_id = NULL WHERE seeding_worker_id = ?', params: [workerId] },
      ])
    },
    reap: () => endExpiredLeases(db, clock.now()),
  }
}

/** Nobody waits for the lock where nothing has expired. Also cuts pauses that a clock set back has made endless. */
async function endExpiredLeases(db: Db, now: number): Promise<string[]> {
  const latest = now + maxWaitMs
  const [holders = [], endless = []] = await db.snapshot([
    {
      sql: `SELECT worker_id, min(lease_until) AS first, max(lease_until) AS last FROM crawl_page
        WHERE ${isActive} GROUP BY worker_id UNION ALL
        SELECT seeding_worker_id, seeding_lease_until, seeding_lease_until FROM crawl
        WHERE seeding_worker_id IS NOT NULL AND status = 'scraping'`,
    },
    {
      sql: `SELECT 1 AS found FROM crawl LEFT JOIN crawl_host ON crawl_id = id AND crawl_host.waiting > 0 AND crawl_host.next_at > ?
        WHERE status = 'scraping' AND (crawl_id IS NOT NULL OR crawl.next_at > ? + delay_ms) LIMIT 1`,
      params: [latest, latest],
    },
  ])
  if (endless.length > 0 || holders.some(({ first }) => Number(first) <= now)) await endLeases(db, now, latest)
  return [...new Set(holders.filter(({ last }) => Number(last) > now).map((row) => text(row.worker_id)))]
}

async function endLeases(db: Db, now: number, latest: number): Promise<void> {
  const isLate = { sql: 'lease_until <= ?', params: [now] }
  await db.transaction([
    ...pauseHostsOf(isLate, now),
    { sql: `${returnPage} WHERE ${isActive} AND ${isLate.sql}`, params: isLate.params },
    {
      sql: `UPDATE crawl SET seeding_worker_id = NULL WHERE seeding_worker_id IS NOT NULL AND seeding_lease_until <= ?`,
      params: [now],
    },
    {
      sql: `UPDATE crawl_host SET next_at = ? WHERE next_at > ?
        AND crawl_id IN (SELECT id FROM crawl WHERE status = 'scraping')`,
      params: [now, latest],
    },
    {
      sql: `UPDATE crawl SET next_at = ? WHERE status = 'scraping' AND next_at > ? + delay_ms`,
      params: [now, latest],
    },
  ])
}

const isActive = `state = ${pageState.active}`
const returnPage = `UPDATE crawl_page SET state = ${pageState.waiting}, worker_id = NULL`
