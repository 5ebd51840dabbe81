import { endReasons, sessionKinds, type SessionRecord, type SessionRecords } from '../../../contracts/session-port.ts'
import {
  createSweep,
  dayMs,
  type Db,
  type Expired,
  nullableJson,
  nullableNumber,
  nullableText,
  oneOf,
  type Row,
  type Statement,
  type SweepTools,
  text,
} from './db/db.ts'
import { chargeOnce } from './charges.ts'
import { type LiveNode, type NodeFacts, nodeRoles, type Nodes } from '../../../contracts/cluster-nodes.ts'
import type { Clock } from '../../../contracts/ports.ts'
import { processOf } from '../worker-id.ts'

/** Time for which an ended session can still be looked up. */
const keptMs = 7 * dayMs
const maxListed = 100

/** Records of browser sessions, shared by all processes on one database. */
export function createSessionRecords(tools: SweepTools): SessionRecords & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expired)
  const find = async (id: string): Promise<SessionRecord | undefined> => {
    const [row] = await db.all('SELECT * FROM browser_session WHERE id = ?', [id])
    return row && recordOf(row)
  }
  return {
    async create(record) {
      const { id, kind, teamId, keyName, createdAt, expiresAt, streamWebView, nodeId } = record
      const times = [createdAt, clock.now(), createdAt, expiresAt]
      const columns = [id, kind, teamId, keyName, ...times, streamWebView ? 1 : 0, nodeId]
      const added = await db.run(
        `INSERT INTO browser_session
          (id, kind, team_id, key_name, created_at, renewed_at, last_activity_at, expires_at, is_viewed, node_id, credits)
          SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0 WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE job_id = ?)
          ON CONFLICT DO NOTHING`,
        [...columns, chargeId(id)],
      )
      sweep.nudge()
      return added === 1
    },
    find,
    async list({ teamId, status }) {
      const rows = await db.all(
        `SELECT * FROM browser_session WHERE team_id = ? ${conditionOf[status ?? 'any']}
          ORDER BY created_at DESC, id DESC LIMIT ?`,
        [teamId, maxListed],
      )
      return rows.map(recordOf)
    },
    async renew(live) {
      const now = clock.now()
      if (live.length > 0) await db.transaction(live.map((each) => renewalOf(each, now)))
    },
    async end(id, ending) {
      const record = await find(id)
      if (!record || record.endedAt !== null) return false
      const outcomes = await db.transaction(endOf(record, ending))
      return outcomes.at(-1)?.changes === 1
    },
    async lost(since) {
      const rows = await db.all(
        `SELECT id, created_at, renewed_at FROM browser_session WHERE ended_at IS NULL AND (renewed_at < ?
            OR node_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM node WHERE node.id = node_id AND lease_until > ?))
          ORDER BY renewed_at`,
        [since, clock.now()],
      )
      return rows.map((row) => ({
        id: text(row.id),
        createdAt: Number(row.created_at),
        renewedAt: Number(row.renewed_at),
      }))
    },
    idle: sweep.idle,
  }
}

const conditionOf = { any: '', active: 'AND ended_at IS NULL', destroyed: 'AND ended_at IS NOT NULL' } as const

/** Returns the id under which a session is charged. The charge outlives the record, so session ids are never reused. */
const chargeId = (id: string) => `session:${id}`

type Renewal = Parameters<SessionRecords['renew']>[0][number]

/** Renews a session. Its times never decrease, in whatever order two renewals arrive. */
const renewalOf = ({ id, lastActivityAt, expiresAt = 0 }: Renewal, now: number): Statement => ({
  sql: `UPDATE browser_session SET renewed_at = max(renewed_at, ?), last_activity_at = max(last_activity_at, ?),
    expires_at = max(expires_at, ?) WHERE id = ? AND ended_at IS NULL`,
  params: [now, lastActivityAt, expiresAt, id],
})

/** Ends and charges a session. The end is written last, because the charge requires that the session has not ended. */
function endOf(
  { id, kind, teamId, keyName }: SessionRecord,
  { endedAt, why, credits }: Parameters<SessionRecords['end']>[1],
): Statement[] {
  const lives = { sql: 'EXISTS (SELECT 1 FROM browser_session WHERE id = ? AND ended_at IS NULL)', params: [id] }
  return [
    ...chargeOnce({ jobId: chargeId(id), teamId, keyName, endpoint: kind, createdAt: endedAt, credits }, lives),
    {
      sql: 'UPDATE browser_session SET ended_at = ?, why = ?, credits = ? WHERE id = ? AND ended_at IS NULL',
      params: [endedAt, why, credits, id],
    },
  ]
}

const recordOf = (row: Row): SessionRecord => ({
  id: text(row.id),
  kind: oneOf(sessionKinds, row.kind),
  teamId: text(row.team_id),
  keyName: nullableText(row.key_name),
  createdAt: Number(row.created_at),
  lastActivityAt: Number(row.last_activity_at),
  expiresAt: Number(row.expires_at),
  streamWebView: row.is_viewed === 1,
  endedAt: nullableNumber(row.ended_at),
  nodeId: nullableText(row.node_id),
  why: row.why === null ? null : oneOf(endReasons, row.why),
  credits: Number(row.credits),
})

const expired: Expired = {
  slice: 200,
  rows: (now) => [{ table: 'browser_session', key: 'id', sql: 'ended_at <= ?', params: [now - keptMs] }],
}

/** Time for which a server that ended without signing off remains visible. */
const nodeKeptMs = 10 * 60_000

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
          sql: `INSERT INTO node (id, role, url, started_at, lease_until, facts, server_time, database_time)
            VALUES (?, ?, ?, ?, ?, ?, ?, ${databaseNow})
            ON CONFLICT (id) DO UPDATE
            SET lease_until = excluded.lease_until, server_time = excluded.server_time, database_time = excluded.database_time`,
          params: [id, role, url, startedAt, now + leaseMs, JSON.stringify(facts), now],
        },
        { sql: 'DELETE FROM node WHERE lease_until <= ?', params: [now - nodeKeptMs] },
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
        {
          sql: `SELECT ${columns}, lease_until, facts, server_time, database_time, ${databaseNow} AS now FROM node ${order}`,
        },
        { sql: 'SELECT worker_id, COUNT(*) AS pages FROM crawl_page WHERE state = 1 GROUP BY worker_id' },
      ])
      const pages = Map.groupBy(workers, ({ worker_id: id }) => processOf(text(id)))
      return nodes.map((row) => {
        const facts = nullableJson(row['facts']) as NodeFacts | null
        const databaseTime = nullableNumber(row['database_time'])
        const [serverTime, leaseUntil] = [Number(row['server_time']), Number(row['lease_until'])]
        const silentMs = databaseTime === null ? null : Math.max(0, Number(row['now']) - databaseTime)
        return {
          ...nodeOf(row),
          facts,
          silentMs,
          clockAheadMs: databaseTime === null ? null : serverTime - databaseTime,
          isAlive: silentMs === null ? leaseUntil > now : silentMs < leaseUntil - serverTime,
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
