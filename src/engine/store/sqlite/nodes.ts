import { nodeRoles, type Nodes } from '../../../contracts/cluster/node.ts'
import type { Clock } from '../../../contracts/ports.ts'
import { nullableText, oneOf, text } from './db/columns.ts'
import type { Db } from './db/db.ts'

/** The servers that share this database. */
export function createNodes({ db, clock }: { db: Db; clock: Clock }): Nodes {
  return {
    async renew({ id, role, url, startedAt }, leaseMs) {
      const now = clock.now()
      await db.transaction([
        {
          sql: `INSERT INTO node (id, role, url, started_at, lease_until) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
          params: [id, role, url, startedAt, now + leaseMs],
        },
        { sql: 'DELETE FROM node WHERE lease_until <= ?', params: [now] },
      ])
    },
    async leave(id) {
      await db.run('DELETE FROM node WHERE id = ?', [id])
    },
    async alive() {
      const rows = await db.all(
        `SELECT id, role, url, started_at,
            (SELECT COUNT(*) FROM browser_session WHERE node_id = node.id AND ended_at IS NULL) AS sessions
          FROM node WHERE lease_until > ? ORDER BY started_at, id`,
        [clock.now()],
      )
      return rows.map((row) => ({
        id: text(row.id),
        role: oneOf(nodeRoles, row.role),
        url: nullableText(row.url),
        startedAt: Number(row.started_at),
        sessions: Number(row.sessions),
      }))
    },
  }
}
