import type { ClaimRequest, Crawls } from '../../../../contracts/crawl.ts'
import { text } from '../db/columns.ts'
import type { Db, Statement } from '../db/db.ts'
import { pageState } from './page-state.ts'
import { claimedOf } from './results.ts'
import { hostsInTurn, maxWaitMs, placesOf } from './shared-hosts.ts'

/** Hosts are chosen first and then their pages, so that one with a million pages does not starve the others. */
export async function claim(db: Db, now: number, request: ClaimRequest): ReturnType<Crawls['claim']> {
  const hosts = await db.all(
    `SELECT host, waiting, places FROM (
        SELECT own.host AS host, own.waiting AS waiting, own.next_at AS next_at, ${placesOf} AS places FROM ${hostsInTurn}
        WHERE own.crawl_id = ? AND own.waiting > 0 AND own.next_at <= ? AND ${isOpen}) AS found
      WHERE places > 0 ORDER BY next_at LIMIT ?`,
    [request.hostConcurrency, now, request.crawlId, now, now, request.count],
  )
  if (hosts.length === 0) return []
  const share = Math.ceil(request.count / hosts.length)
  let left = request.count
  const statements = hosts.flatMap((row) => {
    const host = text(row.host)
    const count = Math.min(left, share, Number(row.waiting), Number(row.places))
    left -= count
    return count > 0 ? [leaseFrom(host, count, now, request), endTurn(host, now, request)] : []
  })
  const outcomes = await db.transaction(statements)
  return outcomes.flatMap(({ rows }) => rows.map(claimedOf)).toSorted((a, b) => a.depth - b.depth || a.seq - b.seq)
}

/** Of the crawl: nobody has to wait for the lock only to hear that it rests, or that it may take no page more. */
const isOpen = `crawl.status = 'scraping' AND crawl.next_at <= ?
  AND crawl.page_limit > crawl.active + crawl.done + crawl.failed AND crawl.max_concurrency > crawl.active`

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
          coalesce((SELECT ${placesOf} FROM ${hostsInTurn}
            WHERE own.crawl_id = ? AND own.host = ? AND own.next_at <= ?), 0))))
      RETURNING crawl_id, seq, id, url, host, depth, source, tries, retries,
        (SELECT team_id FROM crawl WHERE id = crawl_id) AS team_id,
        (SELECT key_name FROM crawl WHERE id = crawl_id) AS key_name,
        (SELECT kind FROM crawl WHERE id = crawl_id) AS kind,
        (SELECT crawl_delay_ms FROM crawl_host AS own WHERE own.crawl_id = crawl_page.crawl_id AND own.host = crawl_page.host) AS crawl_delay_ms`,
    params: [
      [workerId, now + leaseMs, crawlId, host, now, now + maxWaitMs],
      isByDepth ? [crawlId] : [],
      [count, crawlId, now, hostConcurrency, now, crawlId, host, now],
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
