import {
  dayMs,
  nullableJson,
  nullableText,
  text,
  type Condition,
  packed,
  type Param,
  type Row,
  type Statement,
  createSweep,
  type Expired,
  type SweepTools,
} from './db/db.ts'
import { divided, keepText, restored, textId } from './kept-text.ts'
import { type Charge, chargeOnce } from './charges.ts'
import type { ActivityRow, Job, Jobs } from '../../../contracts/job-ports.ts'

const activityKeptMs = 7 * dayMs
/** Thirteen months; older charges are kept only in the daily sums. */
const ledgerKeptMs = 400 * dayMs

/** @param retentionMs time for which a finished job can be read by its id, from when it is recorded */
export function createJobs(tools: SweepTools, retentionMs: number): Jobs & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expired)
  return {
    async record(job) {
      await db.transaction(recordOf(job, clock.now() + retentionMs))
      sweep.nudge()
    },
    async find(id) {
      const [row] = await db.all(
        `SELECT job.*, json_zst FROM job LEFT JOIN kept_text ON kept_text.id = text_id
          WHERE job.id = ? AND expires_at > ?`,
        [id, clock.now()],
      )
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
  const result = job.result && divided(job.result)
  return [
    ...(result?.text ? [keepText(result.text, isNew(job))] : []),
    insertOnce(
      'job',
      {
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
        result_zst: result && packed(result.json),
        replay_zst: job.replay && packed(JSON.stringify(job.replay)),
      },
      { text_id: { sql: textId, params: [result?.text?.digest ?? null] } },
    ),
    ...(job.isPart ? [] : [insertOnce('activity', activityRow(job))]),
    ...chargeOnce(chargeOf(job)),
    { sql: 'DELETE FROM credit_hold WHERE job_id = ?', params: [job.id] },
  ]
}

const activityRow = ({ teamId, createdAt, id, endpoint, target, status }: Job) => ({
  team_id: teamId,
  created_at: createdAt,
  id,
  endpoint,
  target,
  status,
})

const isNew = ({ id }: Job): Condition => ({ sql: 'NOT EXISTS (SELECT 1 FROM job WHERE id = ?)', params: [id] })

const chargeOf = ({ id, teamId, keyName, endpoint, createdAt, credits }: Job): Charge => ({
  jobId: id,
  teamId,
  keyName,
  endpoint,
  createdAt,
  credits,
})

/** Inserts a row unless it exists. `computed`: columns with SQL as their value. */
function insertOnce(
  table: string,
  columns: Record<string, Param>,
  computed: Record<string, Condition> = {},
): Statement {
  const names = [...Object.keys(columns), ...Object.keys(computed)]
  const values = [...Object.keys(columns).map(() => '?'), ...Object.values(computed).map(({ sql }) => sql)]
  return {
    sql: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')}) ON CONFLICT DO NOTHING`,
    params: [...Object.values(columns), ...Object.values(computed).flatMap(({ params }) => params)],
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
  result: row.result_zst === null ? null : (restored(row, 'result_zst') as object),
  replay: nullableJson(row.replay_zst),
  credits: Number(row.credits),
})

const expired: Expired = {
  slice: 200,
  rows: (now) => [
    { table: 'job', key: 'id', sql: 'expires_at <= ?', params: [now] },
    { table: 'activity', key: 'team_id, created_at, id', sql: 'created_at <= ?', params: [now - activityKeptMs] },
    { table: 'ledger', key: 'job_id', sql: 'created_at <= ?', params: [now - ledgerKeptMs] },
  ],
}
