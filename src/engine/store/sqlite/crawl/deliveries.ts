import type { ClaimedDelivery, Deliveries, Delivery } from '../../../../contracts/crawl.ts'
import type { Clock } from '../../../../contracts/ports.ts'
import { dayMs } from '../db/calendar.ts'
import { type Db, packed, type Param, type Row, type Statement, text } from '../db/db.ts'
import type { Expired } from '../db/sweep.ts'

const keptMs = 7 * dayMs
const slice = 200

/**
 * Webhook events until they are sent or given up. At most one of a crawl is under way in all processes, so that they
 * arrive in the order they were made; while it is held, `next_at` is the end of its lease.
 */
export function createDeliveries({ db, clock }: { db: Db; clock: Clock }): Deliveries {
  const holders = new Map<string, string>()
  const endHold = (id: string): string | null => {
    const owner = holders.get(id) ?? null
    holders.delete(id)
    return owner
  }
  return {
    async claim(owner, count, leaseMs) {
      const now = clock.now()
      const [, taken] = await db.transaction([takeBack(now), take(owner, count, now, now + leaseMs)])
      const claimed = (taken?.rows ?? []).map(claimedOf).toSorted((a, b) => a.createdAt - b.createdAt)
      for (const { id } of claimed) holders.set(id, owner)
      return claimed
    },
    async sent(id) {
      endHold(id)
      await db.run(`${end} WHERE id = ?`, ['sent', clock.now(), null, ...emptied, id])
    },
    async missed(id, why, retryAt) {
      const owner = endHold(id)
      // Whose lease has ended has no say any more: another may be sending it now.
      const stillHeld = "id = ? AND state = 'due' AND owner = ?"
      await (retryAt === undefined
        ? db.run(`${end} WHERE ${stillHeld}`, ['given up', clock.now(), why, ...emptied, id, owner])
        : db.run(`UPDATE delivery SET owner = NULL, next_at = ?, why = ? WHERE ${stillHeld}`, [
            retryAt,
            why,
            id,
            owner,
          ]))
    },
    async nextDueAt() {
      const [row] = await db.all("SELECT MIN(next_at) AS next_at FROM delivery WHERE state = 'due'")
      return typeof row?.next_at === 'number' ? row.next_at : undefined
    },
    givenUp: async (crawlId) =>
      (
        await db.all(
          "SELECT id, type, ended_at, why FROM delivery WHERE crawl_id = ? AND state = 'given up' ORDER BY ended_at, id",
          [crawlId],
        )
      ).map((row) => ({ id: text(row.id), type: text(row.type), at: Number(row.ended_at), why: text(row.why) })),
  }
}

/** What has ended is only kept to tell of it, without what it said and the headers, which may hold secrets. */
const end = 'UPDATE delivery SET state = ?, ended_at = ?, why = ?, headers = ?, body_zst = ?, owner = NULL'
const emptied: readonly Param[] = ['{}', packed('')]

/** Adds a delivery that is due at once; with an id that is known already it changes nothing. */
export const insertDelivery = (delivery: Delivery, now: number): Statement => ({
  sql: `INSERT INTO delivery (${columns}) VALUES (${marks}) ON CONFLICT (id) DO NOTHING`,
  params: valuesOf(delivery, now),
})

/** The same, only where a condition on other rows of the transaction holds. */
export const insertDeliveryIf = (
  delivery: Delivery,
  now: number,
  condition: { sql: string; params: readonly Param[] },
): Statement => ({
  sql: `INSERT INTO delivery (${columns}) SELECT ${marks} WHERE ${condition.sql} ON CONFLICT (id) DO NOTHING`,
  params: [...valuesOf(delivery, now), ...condition.params],
})

const columns = 'id, crawl_id, type, url, headers, body_zst, created_at, state, next_at'
const marks = "?, ?, ?, ?, ?, ?, ?, 'due', ?"
const valuesOf = ({ id, crawlId, type, url, headers, body, createdAt }: Delivery, now: number): Param[] => [
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
 * What a process that died was sending goes before all that waits behind it. The plus keeps the planner from the index
 * of all that is due, to that of the few that are held.
 */
const takeBack = (now: number): Statement => ({
  sql: `UPDATE delivery SET owner = NULL, next_at = created_at
    WHERE state = 'due' AND owner > '' AND +next_at <= ?`,
  params: [now],
})

/** The first of each crawl that has none under way. The crawls are found by leaps through an index, not by reading all rows. */
const take = (owner: string, count: number, now: number, leaseEnd: number): Statement => ({
  sql: `WITH RECURSIVE line (crawl_id) AS (
      SELECT MIN(crawl_id) FROM delivery WHERE state = 'due'
      UNION ALL
      SELECT (SELECT MIN(crawl_id) FROM delivery WHERE state = 'due' AND crawl_id > line.crawl_id)
        FROM line WHERE line.crawl_id IS NOT NULL
    )
    UPDATE delivery SET owner = ?, next_at = ?, tries = tries + 1 WHERE id IN (
      SELECT head.id FROM line JOIN delivery AS head ON head.id = (
        SELECT id FROM delivery WHERE state = 'due' AND crawl_id = line.crawl_id AND next_at <= ?
          ORDER BY next_at, id LIMIT 1
      )
      WHERE line.crawl_id NOT IN (SELECT crawl_id FROM delivery WHERE state = 'due' AND owner > '')
      ORDER BY head.next_at, head.id LIMIT ?
    )
    RETURNING id, crawl_id, type, url, headers, body_zst, created_at, tries`,
  params: [owner, leaseEnd, now, count],
})

const claimedOf = (row: Row): ClaimedDelivery => ({
  id: text(row.id),
  crawlId: text(row.crawl_id),
  type: text(row.type),
  url: text(row.url),
  headers: JSON.parse(text(row.headers)) as Record<string, string>,
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
