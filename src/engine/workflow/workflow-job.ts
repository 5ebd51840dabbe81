import type { Delivery } from '../../contracts/job-ports.ts'
import type { NewWorkflow, Workflow, WorkflowKind } from '../../contracts/workflow.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import type { WorkflowState } from '../../schema/workflow-schemas.ts'

/** Webhook event of a workflow; undefined if the caller is not subscribed to it. */
type EventOf = (workflow: NewWorkflow | Workflow) => Delivery | undefined

/** Stores a workflow and wakes the runner; returns before any work is done. */
export async function startWorkflow(
  started: Pick<NewWorkflow, 'kind' | 'target' | 'request'>,
  { ports, jobId, team }: Ctx,
  event?: EventOf,
): Promise<{ id: string }> {
  const createdAt = ports.clock.now()
  const workflow = {
    ...started,
    id: jobId,
    teamId: team.id,
    keyName: team.key,
    createdAt,
    expiresAt: createdAt + ports.account.jobRetentionMs,
  }
  await ports.workflows.start(workflow, event?.(workflow))
  ports.workflowRunner.wake()
  return { id: jobId }
}

/** Fails with SCRAPE_ZDR_VIOLATION_ERROR if zero retention is requested: a workflow stores its steps and result. */
export function refuseZeroRetention({ zeroDataRetention }: { zeroDataRetention: boolean }): void {
  if (zeroDataRetention)
    fail('SCRAPE_ZDR_VIOLATION_ERROR', {
      message: 'The steps and the result of this job are stored, so zeroDataRetention is not possible.',
      details: { options: ['zeroDataRetention'] },
    })
}

/** A workflow of one of the kinds, by its id. */
type Named = { id: string; kinds: readonly WorkflowKind[] }

/**
 * Returns the status and result of a workflow, and resumes it if no worker holds it. Fails with JOB_NOT_FOUND
 * (including after it has expired) or JOB_OF_OTHER_TEAM.
 */
export async function workflowState(named: Named, ctx: Ctx): Promise<WorkflowState> {
  const workflow = await authorizeWorkflow(named, ctx)
  if (workflow.status === 'processing') ctx.ports.workflowRunner.wake()
  const { status, progress, result, createdAt, completedAt, expiresAt, credits, error, warnings } = workflow
  return {
    status,
    completed: 0,
    total: 0,
    ...progress,
    ...result,
    creditsUsed: credits,
    createdAt: iso(createdAt),
    ...(completedAt !== null && { completedAt: iso(completedAt) }),
    expiresAt: iso(expiresAt),
    ...(error && { error: `${error.code}: ${error.message}` }),
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
  }
}

/** Ends a workflow early; its cost so far stays charged. Fails with JOB_IS_OVER, or like `workflowState`. */
export async function cancelWorkflow(named: Named, ctx: Ctx, event?: EventOf): Promise<{ status: 'cancelled' }> {
  const workflow = await authorizeWorkflow(named, ctx)
  const { id } = workflow
  if (!(await ctx.ports.workflows.cancel(id, event?.(workflow)))) fail('JOB_IS_OVER', { details: { id } })
  ctx.ports.workflowRunner.wake()
  return { status: 'cancelled' }
}

async function authorizeWorkflow({ id, kinds }: Named, { ports, team }: Ctx): Promise<Workflow> {
  const workflow = await ports.workflows.find(id)
  if (!workflow || !kinds.includes(workflow.kind)) return fail('JOB_NOT_FOUND', { details: { id } })
  if (workflow.teamId !== team.id) return fail('JOB_OF_OTHER_TEAM', { details: { id } })
  return workflow
}

const iso = (ms: number) => new Date(ms).toISOString()
