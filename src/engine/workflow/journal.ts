import type { Delivery } from '../../contracts/webhook.ts'
import type { ClaimedWorkflow, WorkflowEnd, Workflows } from '../../contracts/workflow.ts'
import { isOutage } from '../store/outage.ts'

export type JournalPort = Pick<Workflows, 'step' | 'endStep' | 'report' | 'finish'>
export type StepWork<T> = () => Promise<{ value: T; credits: number }>

/** The journal of a claimed workflow, for one run after another. */
export type Journal = {
  step<T>(name: string, work: StepWork<T>, signal: AbortSignal): Promise<T>
  report(progress: object): Promise<void>
  finish(end: WorkflowEnd, deliveries: readonly Delivery[] | undefined): Promise<void>
  /** True for errors of the store, in the journal or in the work: the workflow itself has not failed. */
  isRefusal(thrown: unknown): boolean
}

export function openJournal(workflows: JournalPort, claimed: ClaimedWorkflow): Journal {
  const refusals = new Set<unknown>()
  const ask = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (thrown) {
      refusals.add(thrown)
      throw thrown
    }
  }
  /** Finished steps that could not be stored, so that the next run neither repeats nor bills them again. */
  const unwritten = new Map<string, { value: unknown; credits: number }>()
  return {
    async step<T>(name: string, work: StepWork<T>, signal: AbortSignal) {
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
    report: async (progress) => refuseIfLost(await ask(workflows.report(claimed, progress))),
    finish: async (end, deliveries) => void (await ask(workflows.finish(claimed, end, deliveries))),
    isRefusal: (thrown) => isOutage(thrown) || refusals.has(thrown),
  }
}

function refuseIfLost(isWritten: boolean): void {
  if (!isWritten) throw new Error('The workflow was cancelled, or another process has taken it over.')
}
