import { setTimeout as sleep } from 'node:timers/promises'
import type { Delivery } from '../../contracts/job-ports.ts'
import type { ClaimedWorkflow, WorkflowEnd, WorkflowKind, WorkflowRunner, Workflows } from '../../contracts/workflow.ts'
import { toAppError } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { isOutage } from '../store/store.ts'
import type { Clock, Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { createRounds } from '../../util/rounds.ts'
import { hasDied, newWorkerId } from '../store/worker-id.ts'

type JournalPort = Pick<Workflows, 'step' | 'endStep' | 'report' | 'finish'>
type StepWork<T> = () => Promise<{ value: T; credits: number }>

type Journal = ReturnType<typeof openJournal>

/** Opens the journal of a claimed workflow; its runs use the journal one after another. */
function openJournal(workflows: JournalPort, claimed: ClaimedWorkflow) {
  const refusals = new Set<unknown>()
  const ask = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (thrown) {
      refusals.add(thrown)
      throw thrown
    }
  }
  /** Finished steps that could not be stored: the next run stores them instead of doing them again. */
  const unwritten = new Map<string, { value: unknown; credits: number }>()
  return {
    async step<T>(name: string, work: StepWork<T>, signal: AbortSignal): Promise<T> {
      signal.throwIfAborted()
      const known = await ask(workflows.step(claimed.id, name))
      if (known) return known.value as T
      const done = unwritten.get(name) ?? (await work())
      signal.throwIfAborted()
      unwritten.set(name, done)
      refuseIfLost(await ask(workflows.endStep(claimed, { name, ...done })))
      unwritten.delete(name)
      return done.value as T
    },
    report: async (progress: object) => refuseIfLost(await ask(workflows.report(claimed, progress))),
    finish: async (end: WorkflowEnd, deliveries: readonly Delivery[] | undefined) =>
      void (await ask(workflows.finish(claimed, end, deliveries))),
    /** True for errors of the store, in the journal or in the work: the workflow itself has not failed. */
    isRefusal: (thrown: unknown) => isOutage(thrown) || refusals.has(thrown),
  }
}

function refuseIfLost(isWritten: boolean): void {
  if (!isWritten) throw new Error('The workflow was cancelled, or another process has taken it over.')
}

/** API for a workflow's own code, which may run several times, in several processes, one after the other. */
export type WorkflowRun = Pick<ClaimedWorkflow, 'id' | 'teamId' | 'keyName' | 'request' | 'createdAt'> & {
  /** Aborts when the workflow is cancelled, its lease is lost or the process closes. */
  signal: AbortSignal
  /**
   * Does a unit of work once. Its value, which must survive JSON, is stored with its cost and returned when the
   * workflow runs again. The name identifies the work: one name per unit.
   */
  step<T>(name: string, work: StepWork<T>): Promise<T>
  /** Progress returned to callers that request the status. */
  report(progress: object): Promise<void>
  /** Adds a note to the response's `warning`, once per text. */
  warn(note: string): void
}

/** Code outside of steps must be repeatable: the same steps in the same order for the same request. */
export type WorkflowDefinition = {
  run(workflow: WorkflowRun): Promise<object>
  /** Webhook events sent at the end. */
  events?(workflow: ClaimedWorkflow, end: WorkflowEnd): readonly Delivery[]
}

/**
 * Maximum number of runs that ended with the process or with a store error other than an outage: the workflow itself
 * may be the cause.
 */
const maxAttempts = 12

type RunTools = {
  signal: AbortSignal
  log: Log
  /** Pause after a store error before the workflow runs again, ms. */
  retryMs: number
}

/**
 * Runs a claimed workflow to its end and records the outcome, unless the signal aborts first. A store error does not
 * end the workflow: after a pause it runs again from its last step, under the same lease. Never rejects.
 */
async function runWorkflow(
  workflows: JournalPort,
  definition: WorkflowDefinition,
  claimed: ClaimedWorkflow,
  { signal, log, retryMs }: RunTools,
): Promise<void> {
  const journal = openJournal(workflows, claimed)
  for (let { attempt } = claimed; !signal.aborted;) {
    const over = new AbortController()
    try {
      const run = { journal, attempt, log, signal: AbortSignal.any([signal, over.signal]) }
      return await runOnce(definition, claimed, run)
    } catch (cause) {
      if (signal.aborted) return
      log.error('workflow stopped', { workflowId: claimed.id, cause })
      if (!isOutage(cause)) attempt += 1
    } finally {
      // Other steps of this run would otherwise continue, and the next run would repeat them.
      over.abort(new Error('This run of the workflow is over.'))
    }
    await sleep(retryMs, undefined, { signal }).catch(() => {})
  }
}

type RunOnce = { journal: Journal; attempt: number; signal: AbortSignal; log: Log }

/** Rejects when the signal aborts, and with errors of the store. */
async function runOnce(
  { run: work, events }: WorkflowDefinition,
  claimed: ClaimedWorkflow,
  { journal, attempt, signal, log }: RunOnce,
): Promise<void> {
  const warnings = new Set<string>()
  const end = async (): Promise<Omit<WorkflowEnd, 'warnings'>> => {
    if (attempt > maxAttempts) throw new Error('The workflow was started too often without reaching its end.')
    return { status: 'completed', result: await work(createRun(claimed, journal, signal, warnings)), error: null }
  }
  const outcome = await end().catch((thrown: unknown) => {
    signal.throwIfAborted()
    if (journal.isRefusal(thrown)) throw thrown
    return failed(thrown, log, claimed.id)
  })
  const ended = { ...outcome, warnings: [...warnings] }
  await journal.finish(ended, events?.(claimed, ended))
}

function failed(thrown: unknown, log: Log, id: string): Omit<WorkflowEnd, 'warnings'> {
  const error = toAppError(thrown)
  if (error.cause !== undefined) log.warn('workflow failed', { workflowId: id, cause: error.cause })
  return { status: 'failed', result: null, error: { code: error.code, message: error.message } }
}

function createRun(
  { id, teamId, keyName, request, createdAt }: ClaimedWorkflow,
  journal: Journal,
  signal: AbortSignal,
  warnings: Set<string>,
): WorkflowRun {
  return {
    id,
    teamId,
    keyName,
    request,
    createdAt,
    signal,
    step: (name, work) => journal.step(name, work, signal),
    report: (progress) => journal.report(progress),
    warn: (note) => void warnings.add(note),
  }
}

/** Team and key that a workflow works for, and the signal that ends it. */
export type WorkflowCaller = Pick<WorkflowRun, 'teamId' | 'keyName' | 'signal'>
type EngineCall = Pick<Ctx, 'team' | 'jobId' | 'startedAt' | 'signal' | 'queuedMs' | 'progress' | 'warn'>

/** Context for a scrape, map or search within a step, as its own call. Its warnings are collected in `notes`. */
export const callOf = (
  clock: Clock,
  { teamId, keyName, signal }: WorkflowCaller,
  notes: string[] = [],
): EngineCall => ({
  team: { id: teamId, key: keyName, permissions: [] },
  jobId: crypto.randomUUID(),
  startedAt: clock.now(),
  signal,
  queuedMs: 0,
  progress: () => {},
  warn: (note) => void notes.push(note),
})

type Work<Item, Value> = {
  name(item: Item): string
  do(item: Item): Promise<{ value: Value; credits: number }>
}

/** Maximum number of concurrent steps of a workflow, even if the team's limit is higher. */
const maxConcurrentSteps = 4

/** Runs a step for each item, concurrently within the limits of workflow and team, and reports how many are done. */
export async function stepEach<Item, Value>(
  { account }: Pick<Ports, 'account'>,
  workflow: Pick<WorkflowRun, 'teamId' | 'step' | 'report'>,
  items: readonly Item[],
  work: Work<Item, Value>,
): Promise<Value[]> {
  const { maxConcurrency } = await account.limitsOf(workflow.teamId)
  const total = items.length
  const values: Value[] = []
  let completed = 0
  await workflow.report({ completed, total })
  const rest = items.entries()
  const doNextItems = async () => {
    for (const [index, item] of rest) {
      values[index] = await workflow.step(work.name(item), () => work.do(item))
      completed += 1
      await workflow.report({ completed, total })
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrentSteps, maxConcurrency, total) }, doNextItems))
  return values
}

export type WorkflowRunnerOptions = {
  definitions: Readonly<Record<WorkflowKind, () => Promise<WorkflowDefinition>>>
  log: Log
  /** Called when a webhook event may have been written. */
  eventWritten(): void
  /** Concurrent workflows in this process. */
  atOnce?: number
  leaseMs?: number
  /** Pause after a store error before the workflow runs again. */
  retryMs?: number
}

const roundMs = 1000

/**
 * Runs unfinished workflows, together with the other processes on the same data. Starts with `wake` and stops when
 * nothing is left to do. Work of a process that died continues from its last step.
 */
export function createWorkflowRunner(
  workflows: Workflows,
  options: WorkflowRunnerOptions,
): WorkflowRunner & { close(): Promise<void> } {
  const { log, eventWritten, atOnce = 8, leaseMs = 30_000 } = options
  const workerId = newWorkerId()
  const running = createRunning(workflows, options, () => {
    eventWritten()
    rounds.wake()
  })
  const rounds = createRounds({
    async round() {
      for (const other of await workflows.workers()) if (hasDied(other)) await workflows.release(other)
      running.keepOnly(await workflows.renew(workerId, running.ids(), leaseMs))
      const count = atOnce - running.size()
      if (count > 0) for (const each of await workflows.claim({ workerId, count, leaseMs })) running.begin(each)
      return running.size() > 0 || (await isAnyLeft(workflows)) ? roundMs : undefined
    },
    failed(cause) {
      log.error('workflows could not be read', { cause })
      return roundMs
    },
  })

  return {
    wake: rounds.wake,
    async close() {
      await rounds.close()
      await running.close()
      await workflows
        .release(workerId)
        .catch((cause: unknown) => log.warn('workflows could not be returned', { cause }))
    },
  }
}

/** True if a workflow runs in any process, because that process may die. Also true if the store fails. */
const isAnyLeft = async (workflows: Workflows): Promise<boolean> =>
  (await workflows.running().catch((): readonly unknown[] => ['unknown'])).length > 0

/** Workflows that this process runs. */
function createRunning(
  workflows: Workflows,
  options: Pick<WorkflowRunnerOptions, 'definitions' | 'log' | 'eventWritten' | 'retryMs'>,
  onEnd: () => void,
) {
  const { definitions, log, retryMs = 10_000 } = options
  const running = new Map<string, { ended: Promise<void>; abort: AbortController }>()
  return {
    size: () => running.size,
    ids: () => [...running.keys()],
    begin(claimed: ClaimedWorkflow): void {
      // The start is an event as well.
      options.eventWritten()
      const abort = new AbortController()
      const ended = definitions[claimed.kind]()
        .then((definition) => runWorkflow(workflows, definition, claimed, { signal: abort.signal, log, retryMs }))
        .catch((cause: unknown) => log.error('workflow cannot be run', { workflowId: claimed.id, cause }))
        .finally(() => {
          running.delete(claimed.id)
          onEnd()
        })
      running.set(claimed.id, { ended, abort })
    },
    keepOnly(held: readonly string[]): void {
      for (const [id, { abort }] of running)
        if (!held.includes(id))
          abort.abort(new Error('The workflow was cancelled, or another process has taken it over.'))
    },
    async close(): Promise<void> {
      for (const { abort } of running.values()) abort.abort(new Error('The program ends.'))
      await Promise.all([...running.values()].map((each) => each.ended))
    },
  }
}
