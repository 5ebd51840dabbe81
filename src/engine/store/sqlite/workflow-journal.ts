import type { ClaimedWorkflow, Workflow, Workflows } from '../../../contracts/workflow.ts'
import { text } from './db/columns.ts'
import { type Condition, packed, type Statement } from './db/db.ts'
import type { SweepTools } from './db/sweep.ts'
import { chargeOnce } from './ledger.ts'

export type Lease = Pick<ClaimedWorkflow, 'id' | 'attempt'>

/** Holds for the worker that made the latest claim, as long as nobody took its lease away. */
export const leased = "status = 'processing' AND worker_id IS NOT NULL AND attempt = ?"
export const holds = ({ id, attempt }: Lease): Condition => ({
  sql: `EXISTS (SELECT 1 FROM workflow WHERE id = ? AND ${leased})`,
  params: [id, attempt],
})

export const isUnderWay = (id: string): Condition => ({
  sql: "EXISTS (SELECT 1 FROM workflow WHERE id = ? AND status = 'processing')",
  params: [id],
})

/** What the steps of workflows ended with. */
export function createJournal(
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

/** The journal, the sum of the workflow and the ledger agree, whenever the process dies. */
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

export const forgetJournal = (id: string): Statement => ({
  sql: `DELETE FROM workflow_step WHERE workflow_id IN (SELECT id FROM workflow WHERE id = ? AND status <> 'processing')`,
  params: [id],
})
