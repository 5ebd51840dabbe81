import type { Deliveries } from '../../../../contracts/webhook.ts'
import type { Clock } from '../../../../contracts/ports.ts'
import { text } from '../db/columns.ts'
import type { Db } from '../db/db.ts'

type Queues = Pick<Deliveries, 'claim' | 'leave' | 'renew' | 'release' | 'workers' | 'nextDueAt'>

/**
 * A row for each crawl that has events to send. A trigger writes it with the first of them; whoever leaves the queue
 * deletes it with the last.
 */
export function createDeliveryQueues({ db, clock }: { db: Db; clock: Clock }): Queues {
  return {
    async claim(workerId, count, leaseMs) {
      const now = clock.now()
      const [claimed] = await db.transaction([
        {
          sql: `UPDATE delivery_queue SET worker_id = ?, lease_until = ? WHERE crawl_id IN (
              SELECT crawl_id FROM delivery_queue
              WHERE next_at <= ? AND paused_until <= ? AND (worker_id IS NULL OR lease_until <= ?)
              ORDER BY max(next_at, paused_until), crawl_id LIMIT ?)
            RETURNING crawl_id, paused_until`,
          params: [workerId, now + leaseMs, now, now, now, count],
        },
      ])
      return (claimed?.rows ?? []).map((row) => ({
        crawlId: text(row.crawl_id),
        wasPaused: Number(row.paused_until) > 0,
      }))
    },
    async leave(crawlId, workerId, pausedUntil = 0) {
      const firstDue = "(SELECT min(next_at) FROM delivery WHERE crawl_id = ? AND state = 'due')"
      await db.transaction([
        {
          sql: `DELETE FROM delivery_queue WHERE crawl_id = ? AND worker_id = ? AND ${firstDue} IS NULL`,
          params: [crawlId, workerId, crawlId],
        },
        {
          sql: `UPDATE delivery_queue SET worker_id = NULL, lease_until = NULL, paused_until = ?, next_at = ${firstDue}
            WHERE crawl_id = ? AND worker_id = ?`,
          params: [pausedUntil, crawlId, crawlId, workerId],
        },
      ])
    },
    async renew(workerId, crawlIds, leaseMs) {
      await db.run(
        `UPDATE delivery_queue SET lease_until = ?
          WHERE worker_id = ? AND crawl_id IN (SELECT value FROM json_each(?))`,
        [clock.now() + leaseMs, workerId, JSON.stringify(crawlIds)],
      )
    },
    async release(workerId) {
      await db.run('UPDATE delivery_queue SET worker_id = NULL, lease_until = NULL WHERE worker_id = ?', [workerId])
    },
    workers: async () =>
      (await db.all('SELECT DISTINCT worker_id FROM delivery_queue WHERE worker_id IS NOT NULL')).map((row) =>
        text(row.worker_id),
      ),
    async nextDueAt() {
      const [row] = await db.all(
        'SELECT min(iif(worker_id IS NULL, max(next_at, paused_until), lease_until)) AS next_at FROM delivery_queue',
      )
      return typeof row?.next_at === 'number' ? row.next_at : undefined
    },
  }
}
