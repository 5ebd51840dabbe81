import {
  type ClaimedWorkflow,
  type NewWorkflow,
  type Workflow,
  type WorkflowEnd,
  workflowKinds,
  type Workflows,
  workflowStatuses,
} from '../../../contracts/workflow.ts'
import {
  abandonedMs,
  jsonObject,
  jsonTexts,
  nullableJson,
  nullableNumber,
  nullableText,
  oneOf,
  text,
  type Condition,
  packed,
  type Row,
  type Statement,
  createSweep,
  type Expired,
  type SweepTools,
} from './db/db.ts'
import { insertDeliveryIf } from './crawl/deliveries.ts'
import { chargeOnce } from './charges.ts'
import { disabledTeams } from './accounts.ts'

export function createWorkflows(tools: SweepTools): Workflows & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expiredWorkflows)
  const find: Workflows['find'] = async (id) => {
    const [row] = await db.all("SELECT * FROM workflow WHERE id = ? AND (expires_at > ? OR status = 'processing')", [
      id,
      clock.now(),
    ])
    return row && workflowOf(row)
  }
  return {
    async start(workflow, delivery) {
      if (await find(workflow.id)) return
      await db.transaction([
        insertWorkflow(workflow),
        ...(delivery ? [insertDeliveryIf(delivery, clock.now(), isRunning(workflow.id))] : []),
      ])
      sweep.nudge()
    },
    find,
    async running(teamId) {
      const rows = await db.all(
        `SELECT * FROM workflow WHERE status = 'processing' ${teamId === undefined ? '' : 'AND team_id = ?'}
          ORDER BY created_at, id`,
        teamId === undefined ? [] : [teamId],
      )
      return rows.map(workflowOf)
    },
    ...createLeases(tools),
    ...createJournal(tools, find),
    async report({ id, attempt }, progress) {
      const changes = await db.run(`UPDATE workflow SET progress_zst = ? WHERE id = ? AND ${leased}`, [
        packed(JSON.stringify(progress)),
        id,
        attempt,
      ])
      return changes === 1
    },
    ...createEnds(tools),
    idle: sweep.idle,
  }
}

function createEnds({ db, clock }: Pick<SweepTools, 'db' | 'clock'>): Pick<Workflows, 'finish' | 'cancel'> {
  return {
    async finish(lease, end, deliveries = []) {
      const now = clock.now()
      const outcomes = await db.transaction([
        ...deliveries.map((delivery) => insertDeliveryIf(delivery, now, holds(lease))),
        endOf(lease, end, now),
        forgetJournal(lease.id),
      ])
      return outcomes.at(-2)?.changes === 1
    },
    async cancel(id, delivery) {
      const now = clock.now()
      const outcomes = await db.transaction([
        ...(delivery ? [insertDeliveryIf(delivery, now, isRunning(id))] : []),
        cancellationOf(id, now),
        forgetJournal(id),
      ])
      return outcomes.at(-2)?.changes === 1
    },
  }
}

function createLeases({
  db,
  clock,
}: Pick<SweepTools, 'db' | 'clock'>): Pick<Workflows, 'claim' | 'renew' | 'workers' | 'release'> {
  return {
    async claim({ workerId, count, leaseMs }) {
      const now = clock.now()
      const [claimed] = await db.transaction([
        {
          sql: `UPDATE workflow SET worker_id = ?, lease_until = ?, attempt = attempt + 1 WHERE id IN (
              SELECT id FROM workflow WHERE status = 'processing' AND (worker_id IS NULL OR lease_until <= ?)
                AND team_id NOT IN (${disabledTeams}) ORDER BY created_at, id LIMIT ?
            ) RETURNING *`,
          params: [workerId, now + leaseMs, now, count],
        },
      ])
      return (claimed?.rows ?? [])
        .map((row) => ({ ...workflowOf(row), attempt: Number(row.attempt) }))
        .toSorted((one, other) => one.createdAt - other.createdAt)
    },
    async renew(workerId, ids, leaseMs) {
      if (ids.length === 0) return []
      const [renewed] = await db.transaction([
        {
          sql: `UPDATE workflow SET lease_until = ? WHERE status = 'processing' AND worker_id = ?
            AND id IN (SELECT value FROM json_each(?)) AND team_id NOT IN (${disabledTeams}) RETURNING id`,
          params: [clock.now() + leaseMs, workerId, JSON.stringify(ids)],
        },
      ])
      return (renewed?.rows ?? []).map(({ id }) => text(id))
    },
    workers: async () =>
      (
        await db.all(
          "SELECT DISTINCT worker_id FROM workflow WHERE status = 'processing' AND worker_id IS NOT NULL ORDER BY 1",
        )
      ).map((row) => text(row.worker_id)),
    async release(workerId) {
      await db.run("UPDATE workflow SET worker_id = NULL WHERE status = 'processing' AND worker_id = ?", [workerId])
    },
  }
}

/**
 * Inserts a workflow, unless its team was removed while the call was running. A check is inserted only if its condition
 * is true.
 */
export const insertWorkflow = (
  workflow: NewWorkflow,
  check?: { monitorId: string; condition: Condition },
): Statement => ({
  sql: `INSERT INTO workflow (id, kind, team_id, key_name, target, created_at, expires_at, status,
      request_zst, warnings, monitor_id)
    SELECT ?, ?, ?, ?, ?, ?, ?, 'processing', ?, '[]', ? WHERE ${check?.condition.sql ?? 'true'}
      AND NOT EXISTS (SELECT 1 FROM team WHERE id = ? AND terms LIKE '%"isOver":true%') ON CONFLICT DO NOTHING`,
  params: [
    [workflow.id, workflow.kind, workflow.teamId, workflow.keyName, workflow.target, workflow.createdAt],
    [workflow.expiresAt, packed(JSON.stringify(workflow.request)), check?.monitorId ?? null],
    check?.condition.params ?? [],
    workflow.teamId,
  ].flat(),
})

/** Ends a workflow; the retention of its result starts then. */
const endOf = ({ id, attempt }: Lease, { status, result, error, warnings }: WorkflowEnd, now: number): Statement => ({
  sql: `UPDATE workflow SET status = ?, completed_at = ?, expires_at = ? + expires_at - created_at, result_zst = ?,
      error_code = ?, error = ?, warnings = ?, worker_id = NULL WHERE id = ? AND ${leased}`,
  params: [
    [status, now, now, result && packed(JSON.stringify(result))],
    [error?.code ?? null, error?.message ?? null, JSON.stringify(warnings), id, attempt],
  ].flat(),
})

const cancellationOf = (id: string, now: number): Statement => ({
  sql: `UPDATE workflow SET status = 'cancelled', completed_at = ?, expires_at = ? + expires_at - created_at,
    worker_id = NULL WHERE id = ? AND status = 'processing'`,
  params: [now, now, id],
})

export const workflowOf = (row: Row): Workflow => ({
  id: text(row.id),
  kind: oneOf(workflowKinds, row.kind),
  teamId: text(row.team_id),
  keyName: nullableText(row.key_name),
  target: nullableText(row.target),
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  completedAt: nullableNumber(row.completed_at),
  status: oneOf(workflowStatuses, row.status),
  request: jsonObject(row.request_zst),
  progress: nullableJson(row.progress_zst),
  result: nullableJson(row.result_zst),
  error: row.error_code === null ? null : { code: text(row.error_code), message: text(row.error) },
  warnings: jsonTexts(row.warnings),
  credits: Number(row.credits),
})

export const expiredWorkflows: Expired = {
  slice: 20,
  rows: (now) => [
    { table: 'workflow', key: 'id', sql: "expires_at <= ? AND status <> 'processing'", params: [now] },
    { table: 'workflow', key: 'id', sql: 'expires_at <= ?', params: [now - abandonedMs] },
  ],
}

type Lease = Pick<ClaimedWorkflow, 'id' | 'attempt'>

/** True for the worker with the latest claim, as long as its lease was not taken away. */
const leased = "status = 'processing' AND worker_id IS NOT NULL AND attempt = ?"
const holds = ({ id, attempt }: Lease): Condition => ({
  sql: `EXISTS (SELECT 1 FROM workflow WHERE id = ? AND ${leased})`,
  params: [id, attempt],
})

const isRunning = (id: string): Condition => ({
  sql: "EXISTS (SELECT 1 FROM workflow WHERE id = ? AND status = 'processing')",
  params: [id],
})

/** Results of workflow steps. */
function createJournal(
  { db, clock }: Pick<SweepTools, 'db' | 'clock'>,
  find: Workflows['find'],
): Pick<Workflows, 'step' | 'endStep'> {
  return {
    async step(id, name) {
      const [row] = await db.all('SELECT value_zst FROM workflow_step WHERE workflow_id = ? AND name = ?', [id, name])
      return row && { value: (JSON.parse(text(row.value_zst)) as { value: unknown }).value }
    },
    async endStep(lease, step) {
      const workflow = await find(lease.id)
      if (!workflow) return false
      const outcomes = await db.transaction(stepStatements(workflow, lease, step, clock.now()))
      return outcomes[0]?.changes === 1
    },
  }
}

/**
 * Returns the statements of one step, for one transaction: journal, credits and ledger must not differ after a crash.
 */
function stepStatements(
  { kind, teamId, keyName }: Workflow,
  lease: Lease,
  { name, value, credits }: { name: string; value: unknown; credits: number },
  now: number,
): Statement[] {
  const { id, attempt } = lease
  const isHeld = holds(lease)
  const chargeId = `${id} ${name}`
  const journal: Statement = {
    sql: `INSERT INTO workflow_step (workflow_id, name, value_zst) SELECT ?, ?, ? WHERE ${isHeld.sql}
      ON CONFLICT (workflow_id, name) DO UPDATE SET value_zst = excluded.value_zst`,
    params: [id, name, packed(JSON.stringify({ value })), ...isHeld.params],
  }
  if (credits === 0) return [journal]
  return [
    journal,
    {
      sql: `UPDATE workflow SET credits = credits + ? WHERE id = ? AND ${leased}
        AND NOT EXISTS (SELECT 1 FROM ledger WHERE job_id = ?)`,
      params: [credits, id, attempt, chargeId],
    },
    ...chargeOnce({ jobId: chargeId, teamId, keyName, endpoint: kind, createdAt: now, credits }, isHeld),
  ]
}

const forgetJournal = (id: string): Statement => ({
  sql: `DELETE FROM workflow_step WHERE workflow_id IN (SELECT id FROM workflow WHERE id = ? AND status <> 'processing')`,
  params: [id],
})
