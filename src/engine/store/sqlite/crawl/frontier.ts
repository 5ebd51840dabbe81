import type { ClaimRequest, Crawls } from '../../../../contracts/crawl.ts'
import { text } from '../db/columns.ts'
import type { Db, Statement } from '../db/db.ts'
import { insertPages, statementsPerSlice, insertSkip } from './frontier-add.ts'
import { pageState } from './page-state.ts'
import { claimedOf } from './results.ts'
import type { Clock } from '../../../../contracts/ports.ts'

type Frontier = Pick<Crawls, 'add' | 'skip' | 'claim' | 'setCrawlDelay' | 'renew' | 'release' | 'reap'>
type Tools = { db: Db; clock: Clock }

/** Longer than any pause of a host or a page: what would have to wait longer was written before the clock was set back. */
const maxWaitMs = 120_000

/**
 * The pages of crawls that wait or are being visited. A page is leased to one worker at a time. When each host may be
 * visited next is kept here too, so that several processes together are as polite as one.
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

/** Also cuts pauses that a clock set back has made endless. */
async function endExpiredLeases(db: Db, now: number): Promise<string[]> {
  const latest = now + maxWaitMs
  const [, , holders] = await db.transaction([
    { sql: `${returnPage} WHERE ${isActive} AND lease_until <= ?`, params: [now] },
    {
      sql: `UPDATE crawl SET seeding_worker_id = NULL WHERE seeding_worker_id IS NOT NULL AND seeding_lease_until <= ?`,
      params: [now],
    },
    {
      sql: `SELECT worker_id FROM crawl_page WHERE ${isActive} UNION
        SELECT seeding_worker_id FROM crawl WHERE seeding_worker_id IS NOT NULL AND status = 'scraping'`,
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
  return (holders?.rows ?? []).map((row) => text(row.worker_id))
}

const isActive = `state = ${pageState.active}`
const returnPage = `UPDATE crawl_page SET state = ${pageState.waiting}, worker_id = NULL`

/** Hosts are chosen first and then their pages, so that one with a million pages does not starve the others. */
async function claim(db: Db, now: number, request: ClaimRequest): ReturnType<Crawls['claim']> {
  const hosts = await db.all(
    `SELECT host, waiting, ${visitsPerHost} - active AS free FROM crawl_host
      WHERE crawl_id = ? AND waiting > 0 AND next_at <= ? AND active < ${visitsPerHost}
      ORDER BY next_at, active, host LIMIT ?`,
    [request.hostConcurrency, request.crawlId, now, request.hostConcurrency, request.count],
  )
  if (hosts.length === 0) return []
  const share = Math.ceil(request.count / hosts.length)
  let left = request.count
  const statements = hosts.flatMap((row) => {
    const host = text(row.host)
    const count = Math.min(left, share, Number(row.waiting), Number(row.free))
    left -= count
    return count > 0 ? [leaseFrom(host, count, now, request), endTurn(host, now, request)] : []
  })
  const outcomes = await db.transaction(statements)
  return outcomes.flatMap(({ rows }) => rows.map(claimedOf)).toSorted((a, b) => a.depth - b.depth || a.seq - b.seq)
}

/** A host with a crawl delay is visited by one worker at a time. */
const visitsPerHost = 'CASE WHEN crawl_delay_ms > 0 THEN 1 ELSE ? END'

/** All limits are checked again under the write lock: another process may have claimed pages in the meantime. */
function leaseFrom(host: string, count: number, now: number, request: ClaimRequest): Statement {
  const { crawlId, workerId, leaseMs, hostConcurrency } = request
  const isByDepth = request.order === 'by depth'
  return {
    sql: `UPDATE crawl_page SET state = ${pageState.active}, worker_id = ?, lease_until = ?, tries = tries + 1
      WHERE seq IN (
        SELECT seq FROM crawl_page WHERE crawl_id = ? AND host = ? AND state = ${pageState.waiting}
          AND (not_before <= ? OR not_before > ?) ${isByDepth ? `AND depth = (${leastDepth})` : ''}
        ORDER BY depth, seq LIMIT max(0, min(?,
          coalesce((SELECT min(page_limit - active - done - failed, max_concurrency - active) FROM crawl
            WHERE id = ? AND status = 'scraping' AND next_at <= ?), 0),
          coalesce((SELECT ${visitsPerHost} - active FROM crawl_host
            WHERE crawl_id = ? AND host = ? AND next_at <= ?), 0))))
      RETURNING crawl_id, seq, id, url, host, depth, source, tries, retries,
        (SELECT team_id FROM crawl WHERE id = crawl_id) AS team_id,
        (SELECT key_name FROM crawl WHERE id = crawl_id) AS key_name,
        (SELECT kind FROM crawl WHERE id = crawl_id) AS kind`,
    params: [
      [workerId, now + leaseMs, crawlId, host, now, now + maxWaitMs],
      isByDepth ? [crawlId] : [],
      [count, crawlId, now, hostConcurrency, crawlId, host, now],
    ].flat(),
  }
}

const leastDepth = `SELECT min(depth) FROM crawl_page
  WHERE crawl_id = ? AND state IN (${pageState.waiting}, ${pageState.active})`

/** The host that was served last comes last. */
const endTurn = (host: string, now: number, { crawlId }: ClaimRequest): Statement => ({
  sql: 'UPDATE crawl_host SET next_at = max(next_at, ?) WHERE crawl_id = ? AND host = ?',
  params: [now, crawlId, host],
})
