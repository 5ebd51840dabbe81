import { dayMs } from './db/calendar.ts'
import { nullableJson, nullableText, text } from './db/columns.ts'
import { packed, type Param, type Row, type Statement } from './db/db.ts'
import { createSweep, type Expired, type SweepTools } from './db/sweep.ts'
import { chargeOnce } from './ledger.ts'
import type { ActivityRow, Job, Jobs } from '../../../contracts/jobs.ts'

const activityKeptMs = 7 * dayMs
/** Thirteen months of single entries; older ones remain in the daily sums. */
const ledgerKeptMs = 400 * dayMs
const slice = 200

/** @param retentionMs how long a finished job can be read by its id, from the moment it is recorded. */
export function createJobs(tools: SweepTools, retentionMs: number): Jobs & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expired)
  return {
    async record(job) {
      await db.transaction(recordOf(job, clock.now() + retentionMs))
      sweep.nudge()
    },
    async find(id) {
      const [row] = await db.all('SELECT * FROM job WHERE id = ? AND expires_at > ?', [id, clock.now()])
      return row && jobOf(row)
    },
    activity: async (query) => {
      const { sql, params } = activityOf(query)
      return (await db.all(sql, params)).map(activityRowOf)
    },
    idle: sweep.idle,
  }
}

function recordOf(job: Job, expiresAt: number): Statement[] {
  return [
    insertOnce('job', {
      id: job.id,
      team_id: job.teamId,
      key_name: job.keyName,
      endpoint: job.endpoint,
      target: job.target,
      created_at: job.createdAt,
      expires_at: expiresAt,
      status: job.status,
      error_code: job.errorCode,
      credits: job.credits,
      result_zst: packedJson(job.result),
      replay_zst: packedJson(job.replay),
    }),
    insertOnce('activity', {
      team_id: job.teamId,
      created_at: job.createdAt,
      id: job.id,
      endpoint: job.endpoint,
      target: job.target,
      status: job.status,
    }),
    ...chargeOnce({ ...job, jobId: job.id }),
    { sql: 'DELETE FROM credit_hold WHERE job_id = ?', params: [job.id] },
  ]
}

const packedJson = (value: object | null) => value && packed(JSON.stringify(value))

function insertOnce(table: string, columns: Record<string, Param>): Statement {
  const names = Object.keys(columns)
  const marks = names.map(() => '?')
  return {
    sql: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks.join(', ')}) ON CONFLICT DO NOTHING`,
    params: Object.values(columns),
  }
}

function activityOf(query: Parameters<Jobs['activity']>[0]): Statement {
  const { teamId, endpoint, status, since, limit, before } = query
  const conditions: { sql: string; params: Param[] }[] = [
    { sql: 'a.team_id = ?', params: [teamId] },
    ...(endpoint === undefined ? [] : [{ sql: 'a.endpoint = ?', params: [endpoint] }]),
    ...(status === undefined ? [] : [{ sql: 'a.status = ?', params: [status] }]),
    { sql: 'a.created_at >= ?', params: [since] },
    ...(before === undefined ? [] : [{ sql: '(a.created_at, a.id) < (?, ?)', params: [before.createdAt, before.id] }]),
  ]
  return {
    sql: `SELECT a.id, a.endpoint, a.created_at, a.target, a.status,
        (SELECT error_code FROM job WHERE job.id = a.id) AS error_code
      FROM activity a WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}
      ORDER BY a.created_at DESC, a.id DESC LIMIT ?`,
    params: [...conditions.flatMap(({ params }) => params), limit],
  }
}

const activityRowOf = (row: Row): ActivityRow => ({
  id: text(row.id),
  endpoint: text(row.endpoint),
  createdAt: Number(row.created_at),
  target: nullableText(row.target),
  status: row.status === 'completed' ? 'completed' : 'failed',
  errorCode: nullableText(row.error_code),
})

const jobOf = (row: Row): Job => ({
  ...activityRowOf(row),
  teamId: text(row.team_id),
  keyName: nullableText(row.key_name),
  result: nullableJson(row.result_zst),
  replay: nullableJson(row.replay_zst),
  credits: Number(row.credits),
})

const expired: Expired = {
  slice,
  statements: (now) => [
    {
      sql: 'DELETE FROM job WHERE id IN (SELECT id FROM job WHERE expires_at <= ? LIMIT ?)',
      params: [now, slice],
    },
    {
      sql: `DELETE FROM activity WHERE (team_id, created_at, id) IN
        (SELECT team_id, created_at, id FROM activity WHERE created_at <= ? LIMIT ?)`,
      params: [now - activityKeptMs, slice],
    },
    {
      sql: 'DELETE FROM ledger WHERE job_id IN (SELECT job_id FROM ledger WHERE created_at <= ? LIMIT ?)',
      params: [now - ledgerKeptMs, slice],
    },
  ],
}
