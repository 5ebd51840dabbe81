import type { ClaimedWorkflow, WorkflowKind, WorkflowRunner, Workflows } from '../../contracts/workflow.ts'
import type { Log } from '../../kernel/log.ts'
import { createNotifier } from '../../util/async.ts'
import { hasDied, newWorkerId } from '../store/worker-id.ts'
import { runWorkflow, type WorkflowDefinition } from './run-workflow.ts'

export type WorkflowRunnerOptions = {
  definitions: Readonly<Record<WorkflowKind, () => Promise<WorkflowDefinition>>>
  log: Log
  /** Called when a webhook event may have been written. */
  eventWritten(): void
  /** How many run in this process at once. */
  atOnce?: number
  leaseMs?: number
  /** Pause after a store error before the workflow runs again. */
  retryMs?: number
}

const roundMs = 1000

/**
 * Works on all workflows that are not over, together with the other processes on the same data. Starts with `wake` and
 * stops when nothing is left to do. What a process that died was doing is continued from its last step.
 */
export function createWorkflowRunner(
  workflows: Workflows,
  options: WorkflowRunnerOptions,
): WorkflowRunner & { close(): Promise<void> } {
  const { log, eventWritten, atOnce = 8, leaseMs = 30_000 } = options
  const workerId = newWorkerId()
  const changes = createNotifier()
  const state = { isWanted: false, isClosed: false }
  const underWay = createUnderWay(workflows, options, () => {
    eventWritten()
    changes.notify()
  })
  let rounds: Promise<void> | undefined

  async function round(): Promise<void> {
    for (const other of await workflows.workers()) if (hasDied(other)) await workflows.release(other)
    underWay.keepOnly(await workflows.renew(workerId, underWay.ids(), leaseMs))
    const count = atOnce - underWay.size()
    if (count > 0) for (const each of await workflows.claim({ workerId, count, leaseMs })) underWay.begin(each)
  }

  async function work(): Promise<void> {
    while (!state.isClosed) {
      state.isWanted = false
      await round().catch((cause: unknown) => log.error('workflows could not be read', { cause }))
      const isIdle = underWay.size() === 0 && !state.isWanted
      if (isIdle && !(await isAnyLeft(workflows))) return
      await changes.wait(roundMs)
    }
  }

  function wake(): void {
    state.isWanted = true
    changes.notify()
    if (state.isClosed) return
    rounds ??= work().finally(() => {
      rounds = undefined
      // `wake` may have been called after the last check.
      if (state.isWanted) wake()
    })
  }

  return {
    wake,
    async close() {
      state.isClosed = true
      changes.notify()
      await rounds
      await underWay.close()
      await workflows
        .release(workerId)
        .catch((cause: unknown) => log.warn('workflows could not be returned', { cause }))
    },
  }
}

/** Another process may be working on one, and may die. */
const isAnyLeft = async (workflows: Workflows): Promise<boolean> =>
  (await workflows.running().catch((): readonly unknown[] => ['The next round will tell.'])).length > 0

/** The workflows that this process runs. */
function createUnderWay(
  workflows: Workflows,
  options: Pick<WorkflowRunnerOptions, 'definitions' | 'log' | 'eventWritten' | 'retryMs'>,
  ended: () => void,
) {
  const { definitions, log, retryMs = 10_000 } = options
  const underWay = new Map<string, { ended: Promise<void>; abort: AbortController }>()
  return {
    size: () => underWay.size,
    ids: () => [...underWay.keys()],
    begin(claimed: ClaimedWorkflow): void {
      // That it was started is an event as well.
      options.eventWritten()
      const abort = new AbortController()
      const running = definitions[claimed.kind]()
        .then((definition) => runWorkflow(workflows, definition, claimed, { signal: abort.signal, log, retryMs }))
        .catch((cause: unknown) => log.error('workflow cannot be run', { workflowId: claimed.id, cause }))
        .finally(() => {
          underWay.delete(claimed.id)
          ended()
        })
      underWay.set(claimed.id, { ended: running, abort })
    },
    keepOnly(held: readonly string[]): void {
      for (const [id, { abort }] of underWay)
        if (!held.includes(id))
          abort.abort(new Error('The workflow was cancelled, or another process has taken it over.'))
    },
    async close(): Promise<void> {
      for (const { abort } of underWay.values()) abort.abort(new Error('The program ends.'))
      await Promise.all([...underWay.values()].map((each) => each.ended))
    },
  }
}
