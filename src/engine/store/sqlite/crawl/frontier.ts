import {
  type ClaimedPage,
  type ClaimRequest,
  crawlKinds,
  type Crawls,
  pageSources,
} from '../../../../contracts/crawl-ports.ts'
import { nullableText, oneOf, text, type Condition, type Db, type Row, type Statement, type Expired } from '../db/db.ts'
import { insertPages, insertSkip, statementsPerSlice } from './frontier-add.ts'
import { pageState } from './results.ts'
import type { Clock } from '../../../../contracts/ports.ts'

type Frontier = Pick<Crawls, 'add' | 'skip' | 'claim' | 'setCrawlDelay' | 'renew' | 'release' | 'reap'>
type Tools = { db: Db; clock: Clock }

/**
 * Manages the pages of crawls that wait or are being visited. A page is leased to one worker at a time. The time of the
 * next visit to each host is stored here too, so several processes and crawls together are as polite as one.
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

/**
 * Ends expired leases, and pauses that became endless when the clock was set back. Takes the write lock only if there
 * are any. Returns the workers whose leases are valid.
 */
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

/**
 * Claims pages. Hosts are chosen first and then their pages, so a host with a million pages does not starve the others.
 */
async function claim(db: Db, now: number, request: ClaimRequest): ReturnType<Crawls['claim']> {
  const hosts = await db.all(
    `SELECT host, waiting, places FROM (
        SELECT own.host AS host, own.waiting AS waiting, own.next_at AS next_at, ${placesOf} AS places FROM ${hostsInTurn}
        WHERE own.crawl_id = ? AND own.waiting > 0 AND own.next_at <= ? AND ${isOpen}) AS found
      WHERE places > 0 ORDER BY next_at LIMIT ?`,
    [...turnOf(request, now), request.crawlId, now, now, ...unwrittenOf(request), request.count],
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

const claimedOf = (row: Row): ClaimedPage => ({
  crawlId: text(row.crawl_id),
  teamId: text(row.team_id),
  keyName: nullableText(row.key_name),
  kind: oneOf(crawlKinds, row.kind),
  seq: Number(row.seq),
  id: text(row.id),
  url: text(row.url),
  host: text(row.host),
  depth: Number(row.depth),
  source: oneOf(pageSources, row.source),
  tries: Number(row.tries),
  retries: Number(row.retries),
  crawlDelayMs: Number(row.crawl_delay_ms),
})

/** Pages of the worker whose visit has ended and whose outcome is not written yet. */
const isUnwritten = `seq IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) AND state = ${pageState.active} AND worker_id = ?`
const unwrittenOf = ({ unwritten = [], workerId }: ClaimRequest) => [JSON.stringify(unwritten), workerId]
const visited = `crawl.active - (SELECT COUNT(*) FROM crawl_page WHERE ${isUnwritten} AND crawl_page.crawl_id = crawl.id)`

/** True if the crawl may claim pages now. Checked first, so the write lock is not taken in vain. */
const isOpen = `crawl.status = 'scraping' AND crawl.next_at <= ?
  AND crawl.page_limit > crawl.active + crawl.done + crawl.failed AND crawl.max_concurrency > ${visited}`

/**
 * Leases pages of a host. Checks all limits again under the write lock, because another process may have claimed pages
 * in the meantime.
 */
function leaseFrom(host: string, count: number, now: number, request: ClaimRequest): Statement {
  const { crawlId, workerId, leaseMs } = request
  const isByDepth = request.order === 'by depth'
  return {
    sql: `UPDATE crawl_page SET state = ${pageState.active}, worker_id = ?, lease_until = ?, tries = tries + 1
      WHERE seq IN (
        SELECT seq FROM crawl_page WHERE crawl_id = ? AND host = ? AND state = ${pageState.waiting}
          AND (not_before <= ? OR not_before > ?) AND ${isByDepth ? `depth = (${minDepth})` : isTheirTurn}
        ORDER BY turn, depth, seq LIMIT max(0, min(?,
          coalesce((SELECT min(page_limit - active - done - failed, max_concurrency - (${visited})) FROM crawl
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
      isByDepth ? [crawlId] : [crawlId, host, crawlId],
      [count, ...unwrittenOf(request), crawlId, now, ...turnOf(request, now), crawlId, host, now],
    ].flat(),
  }
}

const minDepth = `SELECT min(depth) FROM crawl_page
  WHERE crawl_id = ? AND state IN (${pageState.waiting}, ${pageState.active})`

/**
 * Condition for `turn`: probable files (turn 1) wait until no other page of the host waits and no other page of the
 * crawl is being visited.
 */
const isTheirTurn = `turn = (SELECT min(turn) FROM crawl_page WHERE crawl_id = ? AND host = ? AND state = ${pageState.waiting})
  AND (turn = 0 OR NOT EXISTS (SELECT 1 FROM crawl_page WHERE crawl_id = ? AND state = ${pageState.active} AND turn = 0))`

/** Moves a host whose pages were claimed to the end of the order. */
const endTurn = (host: string, now: number, { crawlId }: ClaimRequest): Statement => ({
  sql: 'UPDATE crawl_host SET next_at = max(next_at, ?) WHERE crawl_id = ? AND host = ?',
  params: [now, crawlId, host],
})

/** Longer than any pause of a host or page: later times were written before the clock was set back. */
const maxWaitMs = 120_000

/**
 * Hosts of crawls as `own`, with all columns that `placesOf` needs. Takes the parameters of `turnOf`. Crawls of all
 * teams share the visit slots of a host, and those with a delay also share their pauses; triggers count both in
 * `shared_host`.
 */
const hostsInTurn = `crawl_host AS own JOIN crawl ON crawl.id = own.crawl_id
  JOIN shared_host AS shared ON shared.host = own.host
  LEFT JOIN (SELECT host, COUNT(*) AS pages FROM crawl_page WHERE ${isUnwritten} GROUP BY host) AS ended ON ended.host = own.host
  CROSS JOIN (SELECT CAST(? AS BIGINT) AS most, CAST(? AS BIGINT) AS now) AS request`

const turnOf = (request: ClaimRequest, now: number) => [...unwrittenOf(request), request.hostConcurrency, now]

/** Number of visit slots of a host, plus the pages whose visit has ended, which occupy no slot. */
const most = '(request.most + coalesce(ended.pages, 0))'
const delay = 'max(own.crawl_delay_ms, crawl.delay_ms)'

/**
 * Crawls with a delay visit a host one at a time. The pause between visits of two of them is the shorter of their
 * delays, so a crawl cannot make the others wait longer than their own delay.
 */
const isItsTurn = `own.active = 0
  AND (shared.turn_ended_at + min(shared.turn_delay_ms, ${delay}) <= request.now OR shared.turn_ended_at > request.now + ${maxWaitMs})
  AND NOT EXISTS (SELECT 1 FROM crawl_host AS other
    WHERE other.crawl_id = shared.turn_crawl_id AND other.host = own.host AND other.active > 0)`

/**
 * Number of pages of a host that a crawl may start to visit. If several crawls have pages there, one that has its share
 * leaves the last slot to those with less, so each reaches its share in the end.
 */
const placesOf = `CASE
  WHEN ${delay} > 0 AND NOT (${isItsTurn}) THEN 0
  ELSE min(${most} - shared.active, CASE
    WHEN ${delay} > 0 THEN 1
    WHEN shared.crawls > 1
      THEN max((${most} + shared.crawls - 1) / shared.crawls - own.active, ${most} - 1 - shared.active)
    ELSE ${most} END) END`

/** Starts the crawl delay of a host, which is measured from the end of a visit. */
export const pauseHost = ({ crawlId, host }: Pick<ClaimedPage, 'crawlId' | 'host'>, now: number): Statement[] => [
  {
    sql: `UPDATE crawl_host SET next_at = max(next_at, ? + crawl_delay_ms)
      WHERE crawl_id = ? AND host = ? AND crawl_delay_ms > 0`,
    params: [now, crawlId, host],
  },
  {
    sql: 'UPDATE shared_host SET turn_ended_at = max(turn_ended_at, ?) WHERE host = ? AND turn_crawl_id = ?',
    params: [now, host, crawlId],
  },
]

/** Starts the pauses after visits in an unknown state (such as those of a dead worker) as if the visits ended now. */
function pauseHostsOf(visits: Condition, now: number): Statement[] {
  const found = (columns: string) =>
    `(SELECT ${columns} FROM crawl_page WHERE state = ${pageState.active} AND ${visits.sql})`
  return [
    {
      sql: `UPDATE crawl SET next_at = ? + delay_ms WHERE delay_ms > 0 AND id IN ${found('crawl_id')}`,
      params: [now, ...visits.params],
    },
    {
      sql: `UPDATE crawl_host SET next_at = max(next_at, ? + crawl_delay_ms)
        WHERE (crawl_id, host) IN ${found('crawl_id, host')} AND crawl_delay_ms > 0`,
      params: [now, ...visits.params],
    },
    {
      sql: `UPDATE shared_host SET turn_ended_at = max(turn_ended_at, ?)
        WHERE host IN ${found('host')} AND (turn_crawl_id, host) IN ${found('crawl_id, host')}`,
      params: [now, ...visits.params, ...visits.params],
    },
  ]
}

/** Hosts without pages of any crawl whose last pause is over. */
export const unusedHosts: Expired = {
  slice: 200,
  rows: (now) => [
    { table: 'shared_host', key: 'host', sql: 'crawls = 0 AND turn_ended_at + turn_delay_ms <= ?', params: [now] },
  ],
}
