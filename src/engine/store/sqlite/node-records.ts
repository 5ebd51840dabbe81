import { type LiveNode, type NodeFacts, nodeRoles, type Nodes } from '../../../contracts/cluster-nodes.ts'
import type { Clock } from '../../../contracts/ports.ts'
import { processOf } from '../worker-id.ts'
import { nullableJson, nullableNumber, nullableText, oneOf, text, type Db, type Row } from './db/db.ts'

/** Time for which a server that ended without signing off remains visible. */
const keptMs = 10 * 60_000

/** Clock of the database, which is the same for all servers. */
const databaseNow = "CAST(unixepoch('subsec') * 1000 AS BIGINT)"
const columns = `id, role, url, started_at,
  (SELECT COUNT(*) FROM browser_session WHERE node_id = node.id AND ended_at IS NULL) AS sessions`
const order = 'ORDER BY started_at, id'

/** Servers that share this database. */
export function createNodes({ db, clock }: { db: Db; clock: Clock }): Nodes {
  return {
    async renew({ id, role, url, startedAt, facts }, leaseMs) {
      const now = clock.now()
      await db.transaction([
        {
          sql: `INSERT INTO node (id, role, url, started_at, lease_until, facts, told_at, heard_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ${databaseNow})
            ON CONFLICT (id) DO UPDATE
            SET lease_until = excluded.lease_until, told_at = excluded.told_at, heard_at = excluded.heard_at`,
          params: [id, role, url, startedAt, now + leaseMs, JSON.stringify(facts), now],
        },
        { sql: 'DELETE FROM node WHERE lease_until <= ?', params: [now - keptMs] },
      ])
    },
    async leave(id) {
      await db.run('DELETE FROM node WHERE id = ?', [id])
    },
    async alive() {
      return (await db.all(`SELECT ${columns} FROM node WHERE lease_until > ? ${order}`, [clock.now()])).map(nodeOf)
    },
    async entered() {
      const now = clock.now()
      const [nodes = [], workers = []] = await db.snapshot([
        { sql: `SELECT ${columns}, lease_until, facts, told_at, heard_at, ${databaseNow} AS now FROM node ${order}` },
        { sql: 'SELECT worker_id, COUNT(*) AS pages FROM crawl_page WHERE state = 1 GROUP BY worker_id' },
      ])
      const pages = Map.groupBy(workers, ({ worker_id: id }) => processOf(text(id)))
      return nodes.map((row) => {
        const facts = nullableJson(row['facts']) as NodeFacts | null
        const heardAt = nullableNumber(row['heard_at'])
        const [toldAt, leaseUntil] = [Number(row['told_at']), Number(row['lease_until'])]
        const silentMs = heardAt === null ? null : Math.max(0, Number(row['now']) - heardAt)
        return {
          ...nodeOf(row),
          facts,
          silentMs,
          clockAheadMs: heardAt === null ? null : toldAt - heardAt,
          isAlive: silentMs === null ? leaseUntil > now : silentMs < leaseUntil - toldAt,
          pages: (pages.get(facts?.process ?? '') ?? []).reduce((sum, worker) => sum + Number(worker['pages']), 0),
        }
      })
    },
  }
}

const nodeOf = (row: Row): LiveNode => ({
  id: text(row['id']),
  role: oneOf(nodeRoles, row['role']),
  url: nullableText(row['url'] ?? null),
  startedAt: Number(row['started_at']),
  sessions: Number(row['sessions']),
})
