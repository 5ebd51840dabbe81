import type { Deliveries } from '../../../../contracts/webhook.ts'
import type { Clock } from '../../../../contracts/ports.ts'
import { text } from '../db/columns.ts'
import type { Db } from '../db/db.ts'

type Queues = Pick<Deliveries, 'claim' | 'leave' | 'renew' | 'release' | 'workers' | 'nextDueAt'>

/** Crawls and workflows have events to send. */
const teamOfQueue = `coalesce((SELECT team_id FROM crawl WHERE id = crawl_id),
  (SELECT team_id FROM workflow WHERE id = crawl_id)) AS team_id`

/** The queues of each team that a worker holds, then those that are free and due, numbered. */
const placesOfTeams = `SELECT crawl_id, is_held,
    row_number() OVER (PARTITION BY team_id ORDER BY is_held DESC, due_at, crawl_id) AS place
  FROM (SELECT crawl_id, ${teamOfQueue}, max(next_at, paused_until) AS due_at,
      worker_id IS NOT DISTINCT FROM ? AND lease_until > ? AS is_held
    FROM delivery_queue
    WHERE (worker_id = ? AND lease_until > ?)
      OR (next_at <= ? AND paused_until <= ? AND (worker_id IS NULL OR lease_until <= ?))) AS queues`

/**
 * A row for each crawl or workflow that has events to send. A trigger writes it with the first of them; whoever leaves
 * the queue deletes it with the last.
 */
export function createDeliveryQueues({ db, clock }: { db: Db; clock: Clock }): Queues {
  return {
    async claim(workerId, perTeam, leaseMs) {
      const now = clock.now()
      const [claimed] = await db.transaction([
        {
          sql: `UPDATE delivery_queue SET worker_id = ?, lease_until = ? WHERE crawl_id IN (
              SELECT crawl_id FROM (${placesOfTeams}) AS places WHERE place <= ? AND NOT is_held)
            RETURNING crawl_id, paused_until, ${teamOfQueue}`,
          params: [workerId, now + leaseMs, workerId, now, workerId, now, now, now, now, perTeam],
        },
      ])
      return (claimed?.rows ?? []).map((row) => ({
        crawlId: text(row.crawl_id),
        teamId: row.team_id === null ? '' : text(row.team_id),
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
        'SELECT min(CASE WHEN worker_id IS NULL THEN max(next_at, paused_until) ELSE lease_until END) AS next_at FROM delivery_queue',
      )
      return typeof row?.next_at === 'number' ? row.next_at : undefined
    },
  }
}
