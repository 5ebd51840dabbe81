import type { Crawls } from '../../../../contracts/crawl.ts'
import type { Clock } from '../../../../contracts/ports.ts'
import type { Db, Statement } from '../db/db.ts'
import { addOf, addSize, skipOf } from './frontier-add.ts'
import { claimedOf, states } from './results.ts'

type Frontier = Pick<Crawls, 'add' | 'skip' | 'claim' | 'slowDown' | 'renew' | 'release' | 'reap'>
type Tools = { db: Db; clock: Clock }

/** Above any pause of a host or a page: what is to wait longer was written before the clock was set back. */
const farMs = 120_000

/**
 * The pages of crawls that wait or are under way. A page is taken for as long as a lease holds; how fast each host is
 * visited is kept here too, so that several processes together are as polite as one.
 */
export function createFrontier({ db, clock }: Tools): Frontier {
  return {
    async add(crawlId, pages) {
      if (pages.length === 0) return 0
      const outcomes = await db.transaction(addOf(crawlId, pages))
      return outcomes.reduce((sum, { changes }, index) => sum + (index % addSize === 0 ? changes : 0), 0)
    },
    async skip(crawlId, skipped) {
      if (skipped.length > 0) await db.transaction(skipped.map((each) => skipOf(crawlId, each)))
    },
    claim: (wish) => claim(db, clock.now(), wish),
    async slowDown(crawlId, host, gapMs) {
      await db.run(
        `INSERT INTO crawl_host (crawl_id, host, gap_ms) VALUES (?, ?, ?)
        ON CONFLICT (crawl_id, host) DO UPDATE SET gap_ms = max(crawl_host.gap_ms, excluded.gap_ms)`,
        [crawlId, host, gapMs],
      )
    },
    async renew(owner, leaseMs) {
      const until = clock.now() + leaseMs
      await db.transaction([
        { sql: 'UPDATE crawl_page SET lease_until = ? WHERE owner = ? AND state = 1', params: [until, owner] },
        { sql: 'UPDATE crawl SET kick_until = ? WHERE kick_owner = ?', params: [until, owner] },
      ])
    },
    async release(owner) {
      await db.transaction([
        {
          sql: 'UPDATE crawl_page SET state = 0, owner = NULL, tries = tries - 1 WHERE owner = ? AND state = 1',
          params: [owner],
        },
        { sql: 'UPDATE crawl SET kick_owner = NULL WHERE kick_owner = ?', params: [owner] },
      ])
    },
    async reap() {
      const now = clock.now()
      const far = now + farMs
      const [, , holders] = await db.transaction([
        { sql: 'UPDATE crawl_page SET state = 0, owner = NULL WHERE state = 1 AND lease_until <= ?', params: [now] },
        { sql: 'UPDATE crawl SET kick_owner = NULL WHERE kick_owner IS NOT NULL AND kick_until <= ?', params: [now] },
        {
          sql: `SELECT owner FROM crawl_page WHERE state = 1 UNION
            SELECT kick_owner FROM crawl WHERE kick_owner IS NOT NULL AND status = 'scraping'`,
        },
        {
          sql: `UPDATE crawl_host SET next_at = ? WHERE next_at > ?
            AND crawl_id IN (SELECT id FROM crawl WHERE status = 'scraping')`,
          params: [now, far],
        },
        {
          sql: `UPDATE crawl SET next_at = ? WHERE status = 'scraping' AND next_at > ? + delay_ms`,
          params: [now, far],
        },
      ])
      return (holders?.rows ?? []).map(({ owner }) => String(owner))
    },
  }
}

type ClaimWish = Parameters<Crawls['claim']>[0]

/** Hosts are asked first and then taken from, so that one with a million pages does not starve the others. */
async function claim(db: Db, now: number, wish: ClaimWish): ReturnType<Crawls['claim']> {
  const hosts = await db.all(
    `SELECT host, waiting, CASE WHEN gap_ms > 0 THEN 1 ELSE ? END - active AS free FROM crawl_host
      WHERE crawl_id = ? AND waiting > 0 AND next_at <= ? AND active < CASE WHEN gap_ms > 0 THEN 1 ELSE ? END
      ORDER BY next_at, active, host LIMIT ?`,
    [wish.hostConcurrency, wish.crawlId, now, wish.hostConcurrency, wish.count],
  )
  if (hosts.length === 0) return []
  const share = Math.ceil(wish.count / hosts.length)
  let left = wish.count
  const statements = hosts.flatMap(({ host, waiting, free }) => {
    const count = Math.min(left, share, Number(waiting), Number(free))
    left -= count
    return count > 0 ? [takeFrom(String(host), count, now, wish), turnOf(String(host), now, wish)] : []
  })
  const outcomes = await db.transaction(statements)
  return outcomes.flatMap(({ rows }) => rows.map(claimedOf)).toSorted((a, b) => a.depth - b.depth || a.seq - b.seq)
}

/** All limits are looked up again under the write lock: another process may have taken pages since. */
function takeFrom(host: string, count: number, now: number, wish: ClaimWish): Statement {
  const { crawlId, owner, leaseMs, hostConcurrency, byLevel } = wish
  const level =
    byLevel === 'by level'
      ? `AND depth = (SELECT min(depth) FROM crawl_page WHERE crawl_id = ? AND state IN (${states.waiting}, ${states.active}))`
      : ''
  return {
    sql: `UPDATE crawl_page SET state = 1, owner = ?, lease_until = ?, tries = tries + 1 WHERE seq IN (
      SELECT seq FROM crawl_page WHERE crawl_id = ? AND host = ? AND state = 0
        AND (not_before <= ? OR not_before > ?) ${level}
      ORDER BY depth, seq LIMIT max(0, min(?,
        coalesce((SELECT min(page_limit - active - done - failed, max_concurrency - active) FROM crawl
          WHERE id = ? AND status = 'scraping' AND next_at <= ?), 0),
        coalesce((SELECT CASE WHEN gap_ms > 0 THEN 1 ELSE ? END - active FROM crawl_host
          WHERE crawl_id = ? AND host = ? AND next_at <= ?), 0))))
      RETURNING crawl_id, seq, id, url, host, depth, source, tries, retries,
        (SELECT team_id FROM crawl WHERE id = crawl_id) AS team_id,
        (SELECT key_name FROM crawl WHERE id = crawl_id) AS key_name`,
    params: [
      [owner, now + leaseMs, crawlId, host, now, now + farMs],
      level === '' ? [] : [crawlId],
      [count, crawlId, now, hostConcurrency, crawlId, host, now],
    ].flat(),
  }
}

/** Whoever was served last comes last. */
const turnOf = (host: string, now: number, { crawlId }: ClaimWish): Statement => ({
  sql: 'UPDATE crawl_host SET next_at = max(next_at, ?) WHERE crawl_id = ? AND host = ?',
  params: [now, crawlId, host],
})
