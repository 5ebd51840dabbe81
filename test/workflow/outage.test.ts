import { expect, test, vi } from 'vitest'
import type { Workflows } from '../../src/contracts/workflow.ts'
import type { WorkflowRun } from '../../src/engine/workflow/run-workflow.ts'
import { failure } from '../../src/kernel/error.ts'
import { workflowWorld } from './kit.ts'

const away = () => failure('DATABASE_UNAVAILABLE')
const leaseMs = 30_000
type Call = 'claim' | 'renew' | 'step' | 'endStep' | 'report' | 'finish'
/** Moment at which the store fails: before the call takes effect, or after it, when only the answer is lost. */
type Fault = { call: Call; times: number; error: Error; isCarriedOut?: boolean }

/** A store that refuses some calls for a while, and a started workflow on it. */
async function world(work: (run: WorkflowRun) => Promise<object>, ...faults: Fault[]) {
  const made = await workflowWorld(work)
  const { workflows } = made
  const refusals = { count: 0 }
  const faulty =
    <A extends unknown[], R>(call: Call, carryOut: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const fault = faults.find((each) => each.call === call && each.times > 0)
      if (!fault) return carryOut(...args)
      fault.times -= 1
      refusals.count += 1
      if (fault.isCarriedOut) await carryOut(...args)
      throw fault.error
    }
  const port: Workflows = {
    ...workflows,
    claim: faulty('claim', workflows.claim),
    renew: faulty('renew', workflows.renew),
    step: faulty('step', workflows.step),
    endStep: faulty('endStep', workflows.endStep),
    report: faulty('report', workflows.report),
    finish: faulty('finish', workflows.finish),
  }
  const runner = await made.runner(port, { leaseMs, retryMs: 10 })
  const id = await made.start()
  runner.wake()
  return { ...made, refusals, close: runner.close, found: () => made.found(id), ended: () => made.ended(id) }
}

/** Three steps of one credit, with a report after each; counts how often each was done. */
function threeSteps() {
  const done: string[] = []
  const work = async ({ step, report, warn }: WorkflowRun) => {
    warn('careful')
    const values: string[] = []
    for (const name of ['a', 'b', 'c']) {
      values.push(
        await step(name, async () => {
          done.push(name)
          return { value: name, credits: 1 }
        }),
      )
      await report({ done: values.length })
    }
    return { values }
  }
  return { done, work }
}

test.each(
  (['step', 'endStep', 'report', 'finish'] as const).flatMap((call) => [
    { call, why: 'was away', error: away() },
    { call, why: 'was full', error: failure('STORAGE_FULL') },
    { call, why: 'refused a statement', error: new Error('The database refused a statement: full.') },
  ]),
)(
  'a workflow continues after its store $why at $call for a while, and does and pays for each step once',
  async (fault) => {
    const { done, work } = threeSteps()
    const { ended, creditsUsed, refusals } = await world(work, { ...fault, times: 4 })
    expect(await ended()).toMatchObject({
      status: 'completed',
      result: { values: ['a', 'b', 'c'] },
      warnings: ['careful'],
      credits: 3,
    })
    expect(refusals.count).toBe(4)
    expect(done).toEqual(['a', 'b', 'c'])
    expect(await creditsUsed()).toBe(3)
  },
)

test.each(['endStep', 'report', 'finish'] as const)(
  'a workflow ends once and is paid for once even if its %s was carried out and only the answer was lost',
  async (call) => {
    const { work } = threeSteps()
    const { ended, creditsUsed } = await world(work, { call, times: 1, error: away(), isCarriedOut: true })
    expect(await ended()).toMatchObject({ status: 'completed', result: { values: ['a', 'b', 'c'] }, credits: 3 })
    expect(await creditsUsed()).toBe(3)
  },
)

test('a workflow whose own work finds the store unreachable is paused, and its concurrent steps are stopped', async () => {
  const signals: AbortSignal[] = []
  let isAway = true
  const { ended } = await world(async ({ step, signal }) => {
    signals.push(signal)
    if (isAway) void step('beside', () => new Promise(() => {})).catch(() => {})
    return step('page', async () => {
      if (!isAway) return { value: { read: true }, credits: 1 }
      isAway = false
      throw away()
    })
  })
  expect(await ended()).toMatchObject({ status: 'completed', result: { read: true }, credits: 1 })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
})

test('a workflow fails if the store refuses the same step repeatedly while it is reachable', async () => {
  const { done, work } = threeSteps()
  const error = new Error('The database refused a statement: not UTF-8.')
  const { ended } = await world(work, { call: 'endStep', times: Infinity, error })
  expect(await ended()).toMatchObject({ status: 'failed', error: { code: 'UNKNOWN_ERROR' }, credits: 0 })
  expect(done).toEqual(['a'])
})

test('a workflow claimed without the runner knowing is claimed again once its lease expires', async () => {
  const { work } = threeSteps()
  const fault: Fault = { call: 'claim', times: 1, error: away(), isCarriedOut: true }
  const { workflows, ended, found, clock } = await world(work, fault)
  await vi.waitFor(async () => expect(await workflows.workers()).toHaveLength(1), 20_000)
  expect(await found()).toMatchObject({ status: 'processing', progress: null })
  clock.advance(leaseMs)
  expect(await ended()).toMatchObject({ status: 'completed', result: { values: ['a', 'b', 'c'] }, credits: 3 })
})

test('a workflow that is cancelled while its store is away stays cancelled', async () => {
  const { work } = threeSteps()
  const fault = { call: 'endStep' as const, times: Infinity, error: away() }
  const { workflows, found, refusals, creditsUsed, close } = await world(work, fault)
  await vi.waitFor(() => expect(refusals.count).toBeGreaterThan(1), 20_000)
  expect(await workflows.cancel((await found())?.id ?? '')).toBe(true)
  fault.times = 0
  await close()
  expect(await found()).toMatchObject({ status: 'cancelled', credits: 0 })
  expect(await creditsUsed()).toBe(0)
})
