import type { Delivery } from '../../contracts/webhook.ts'
import type { ClaimedWorkflow, WorkflowEnd, Workflows } from '../../contracts/workflow.ts'
import { toAppError } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'

/** What a workflow's own code gets. It may run several times for one workflow, in several processes, one after the other. */
export type WorkflowRun = Pick<ClaimedWorkflow, 'id' | 'teamId' | 'keyName' | 'request' | 'createdAt'> & {
  /** Aborts when the workflow is cancelled, its lease is lost or the process closes. */
  signal: AbortSignal
  /**
   * Does a piece of work once. Its value, which must survive JSON, is written down with what it cost; when the workflow
   * is run again the value comes from there. The name says what is done: one name, one piece of work.
   */
  step<T>(name: string, work: () => Promise<{ value: T; credits: number }>): Promise<T>
  /** What callers who ask for the status are shown. */
  report(progress: object): Promise<void>
  /** A note for the answer's `warning`; each once. */
  warn(note: string): void
}

/** Everything outside of steps must be repeatable: the same steps in the same order for the same request. */
export type WorkflowDefinition = {
  run(workflow: WorkflowRun): Promise<object>
  /** The webhook events that tell of the end. */
  events?(workflow: ClaimedWorkflow, end: WorkflowEnd): readonly Delivery[]
}

/** A workflow whose process died this often is not tried again: it may be what kills it. */
const maxAttempts = 12

/** Runs a claimed workflow to its end, and writes that down unless the signal fired. Never rejects. */
export async function runWorkflow(
  workflows: Pick<Workflows, 'step' | 'endStep' | 'report' | 'finish'>,
  { run: work, events }: WorkflowDefinition,
  claimed: ClaimedWorkflow,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<void> {
  const warnings = new Set<string>()
  const end = async (): Promise<WorkflowEnd> => {
    if (claimed.attempt > maxAttempts) throw new Error('The process died too often while it worked on this.')
    const result = await work(createRun(workflows, claimed, signal, warnings))
    return { status: 'completed', result, error: null, warnings: [...warnings] }
  }
  try {
    const ended = await end().catch((thrown: unknown) => failed(thrown, warnings, signal, { log, id: claimed.id }))
    await workflows.finish(claimed, ended, events?.(claimed, ended))
  } catch (cause) {
    if (!signal.aborted) log.error('workflow stopped', { workflowId: claimed.id, cause })
  }
}

function failed(
  thrown: unknown,
  warnings: ReadonlySet<string>,
  signal: AbortSignal,
  { log, id }: { log: Log; id: string },
): WorkflowEnd {
  signal.throwIfAborted()
  const error = toAppError(thrown)
  if (error.cause !== undefined) log.warn('workflow failed', { workflowId: id, cause: error.cause })
  return {
    status: 'failed',
    result: null,
    error: { code: error.code, message: error.message },
    warnings: [...warnings],
  }
}

function createRun(
  workflows: Pick<Workflows, 'step' | 'endStep' | 'report'>,
  claimed: ClaimedWorkflow,
  signal: AbortSignal,
  warnings: Set<string>,
): WorkflowRun {
  const { id, teamId, keyName, request, createdAt } = claimed
  return {
    id,
    teamId,
    keyName,
    request,
    createdAt,
    signal,
    async step<T>(name: string, work: () => Promise<{ value: T; credits: number }>) {
      signal.throwIfAborted()
      const known = await workflows.step(id, name)
      if (known) return known.value as T
      const { value, credits } = await work()
      signal.throwIfAborted()
      refuseIfLost(await workflows.endStep(claimed, { name, value, credits }))
      return value
    },
    report: async (progress) => refuseIfLost(await workflows.report(claimed, progress)),
    warn: (note) => void warnings.add(note),
  }
}

function refuseIfLost(isWritten: boolean): void {
  if (!isWritten) throw new Error('The workflow was cancelled, or another process has taken it over.')
}
