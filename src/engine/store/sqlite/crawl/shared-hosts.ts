import type { ClaimedPage } from '../../../../contracts/crawl.ts'
import type { Condition, Statement } from '../db/db.ts'
import type { Expired } from '../db/sweep.ts'
import { pageState } from './page-state.ts'

/**
 * Crawls of all teams share the places of a host, and the pauses that those of them keep which have a delay there. What they
 * have under way is counted by triggers (`shared_host`).
 */

/** Longer than any pause of a host or a page: what would have to wait longer was written before the clock was set back. */
export const maxWaitMs = 120_000

/** Hosts of crawls as `own`, with all that `placesOf` asks. Takes two parameters: pages of a host at once, and the time. */
export const hostsInTurn = `crawl_host AS own JOIN crawl ON crawl.id = own.crawl_id
  JOIN shared_host AS shared ON shared.host = own.host
  CROSS JOIN (SELECT CAST(? AS BIGINT) AS most, CAST(? AS BIGINT) AS now) AS asked`

const delay = 'max(own.crawl_delay_ms, crawl.delay_ms)'

/**
 * Of crawls that keep a delay one at a time visits a host. Between the visits of two of them lies the shorter of their
 * delays, so that none of them can make the others wait for longer than they would by themselves.
 */
const isItsTurn = `own.active = 0
  AND (shared.turn_ended_at + min(shared.turn_delay_ms, ${delay}) <= asked.now OR shared.turn_ended_at > asked.now + ${maxWaitMs})
  AND NOT EXISTS (SELECT 1 FROM crawl_host AS other
    WHERE other.crawl_id = shared.turn_crawl_id AND other.host = own.host AND other.active > 0)`

/**
 * How many pages of a host a crawl may begin to visit. Where others have pages there, one that has its share or more leaves the last
 * place to those that have less: they find it free, and take in the end as many as it has.
 */
export const placesOf = `CASE
  WHEN ${delay} > 0 AND NOT (${isItsTurn}) THEN 0
  ELSE min(asked.most - shared.active, CASE
    WHEN ${delay} > 0 THEN 1
    WHEN shared.crawls > 1
      THEN max((asked.most + shared.crawls - 1) / shared.crawls - own.active, asked.most - 1 - shared.active)
    ELSE asked.most END) END`

/** The delay of a crawl and the crawl delay of a host count from the end of a visit. */
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

/** For visits of which nobody knows how far they came: as if they had ended now. */
export function pauseHostsOf(visits: Condition, now: number): Statement[] {
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

const slice = 200

/** Hosts that no crawl has pages of, once the last pause is over. */
export const unusedHosts: Expired = {
  slice,
  statements: (now) => [
    {
      sql: `DELETE FROM shared_host WHERE host IN
        (SELECT host FROM shared_host WHERE crawls = 0 AND turn_ended_at + turn_delay_ms <= ? LIMIT ?)`,
      params: [now, slice],
    },
  ],
}
