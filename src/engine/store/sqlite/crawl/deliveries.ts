import type { ClaimedDelivery, Deliveries, Delivery } from '../../../../contracts/crawl.ts'
import { dayMs } from '../db/calendar.ts'
import { jsonRecord, text } from '../db/columns.ts'
import { type Condition, type Db, packed, type Param, type Row, type Statement } from '../db/db.ts'
import type { Expired } from '../db/sweep.ts'
import type { Clock } from '../../../../contracts/ports.ts'

const keptMs = 7 * dayMs
const slice = 200

/**
 * Webhook events until they are sent or abandoned. At most one of a crawl is leased at a time, in all processes, so that
 * they arrive in order. While one is leased, `next_at` is the end of its lease.
 */
export function createDeliveries({ db, clock }: { db: Db; clock: Clock }): Deliveries {
  const workers = new Map<string, string>()
  const endLease = (id: string): string | null => {
    const workerId = workers.get(id) ?? null
    workers.delete(id)
    return workerId
  }
  return {
    async claim(workerId, count, leaseMs) {
      const now = clock.now()
      const [, leased] = await db.transaction([endExpiredLeases(now), lease(workerId, count, now, now + leaseMs)])
      const claimed = (leased?.rows ?? []).map(claimedOf).toSorted((a, b) => a.createdAt - b.createdAt)
      for (const { id } of claimed) workers.set(id, workerId)
      return claimed
    },
    async sent(id) {
      endLease(id)
      await db.run(`${close} WHERE id = ?`, ['sent', clock.now(), null, ...emptied, id])
    },
    async failed(id, why, retryAt) {
      const workerId = endLease(id)
      // Once the lease has ended another worker may be sending it.
      const isLeased = "id = ? AND state = 'due' AND worker_id = ?"
      await (retryAt === undefined
        ? db.run(`${close} WHERE ${isLeased}`, ['abandoned', clock.now(), why, ...emptied, id, workerId])
        : db.run(`UPDATE delivery SET worker_id = NULL, next_at = ?, why = ? WHERE ${isLeased}`, [
            retryAt,
            why,
            id,
            workerId,
          ]))
    },
    async nextDueAt() {
      const [row] = await db.all("SELECT MIN(next_at) AS next_at FROM delivery WHERE state = 'due'")
      return typeof row?.next_at === 'number' ? row.next_at : undefined
    },
    abandoned: async (crawlId) =>
      (
        await db.all(
          "SELECT id, type, ended_at, why FROM delivery WHERE crawl_id = ? AND state = 'abandoned' ORDER BY ended_at, id",
          [crawlId],
        )
      ).map((row) => ({ id: text(row.id), type: text(row.type), at: Number(row.ended_at), why: text(row.why) })),
  }
}

/** A delivery that has ended keeps neither body nor headers: they may hold secrets. */
const close = 'UPDATE delivery SET state = ?, ended_at = ?, why = ?, headers = ?, body_zst = ?, worker_id = NULL'
const emptied: readonly Param[] = ['{}', packed('')]

/** Adds a delivery that is due at once; with an id that is known already it changes nothing. */
export const insertDelivery = (delivery: Delivery, now: number): Statement => ({
  sql: `INSERT INTO delivery (${columns}) VALUES (${values}) ON CONFLICT (id) DO NOTHING`,
  params: paramsOf(delivery, now),
})

/** The same, only if a condition on other rows of the transaction holds. */
export const insertDeliveryIf = (delivery: Delivery, now: number, condition: Condition): Statement => ({
  sql: `INSERT INTO delivery (${columns}) SELECT ${values} WHERE ${condition.sql} ON CONFLICT (id) DO NOTHING`,
  params: [...paramsOf(delivery, now), ...condition.params],
})

const columns = 'id, crawl_id, type, url, headers, body_zst, created_at, state, next_at'
const values = "?, ?, ?, ?, ?, ?, ?, 'due', ?"
const paramsOf = ({ id, crawlId, type, url, headers, body, createdAt }: Delivery, now: number): Param[] => [
  id,
  crawlId,
  type,
  url,
  JSON.stringify(headers),
  packed(body),
  createdAt,
  now,
]

/**
 * What a worker that died was sending goes first again. The plus keeps the planner away from the index of all that is
 * due, in favour of the index of the few that are leased.
 */
const endExpiredLeases = (now: number): Statement => ({
  sql: `UPDATE delivery SET worker_id = NULL, next_at = created_at
    WHERE state = 'due' AND worker_id > '' AND +next_at <= ?`,
  params: [now],
})

/** The first of each crawl that has none leased. The crawls are found by skipping through an index, not by reading all rows. */
const lease = (workerId: string, count: number, now: number, leaseEnd: number): Statement => ({
  sql: `WITH RECURSIVE queue (crawl_id) AS (
      SELECT MIN(crawl_id) FROM delivery WHERE state = 'due'
      UNION ALL
      SELECT (SELECT MIN(crawl_id) FROM delivery WHERE state = 'due' AND crawl_id > queue.crawl_id)
        FROM queue WHERE queue.crawl_id IS NOT NULL
    )
    UPDATE delivery SET worker_id = ?, next_at = ?, tries = tries + 1 WHERE id IN (
      SELECT head.id FROM queue JOIN delivery AS head ON head.id = (
        SELECT id FROM delivery WHERE state = 'due' AND crawl_id = queue.crawl_id AND next_at <= ?
          ORDER BY next_at, id LIMIT 1
      )
      WHERE queue.crawl_id NOT IN (SELECT crawl_id FROM delivery WHERE state = 'due' AND worker_id > '')
      ORDER BY head.next_at, head.id LIMIT ?
    )
    RETURNING id, crawl_id, type, url, headers, body_zst, created_at, tries`,
  params: [workerId, leaseEnd, now, count],
})

const claimedOf = (row: Row): ClaimedDelivery => ({
  id: text(row.id),
  crawlId: text(row.crawl_id),
  type: text(row.type),
  url: text(row.url),
  headers: jsonRecord(row.headers),
  body: text(row.body_zst),
  createdAt: Number(row.created_at),
  tries: Number(row.tries),
})

export const expiredDeliveries: Expired = {
  slice,
  statements: (now) => [
    {
      sql: 'DELETE FROM delivery WHERE id IN (SELECT id FROM delivery WHERE created_at <= ? LIMIT ?)',
      params: [now - keptMs, slice],
    },
  ],
}
