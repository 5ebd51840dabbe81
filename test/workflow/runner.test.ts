import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { failure } from '../../src/kernel/error.ts'
import { workflowWorld } from './kit.ts'

test('a workflow runs to its end', async () => {
  const { start, runner, ended } = await workflowWorld(async ({ step, report, warn, request }) => {
    const value = await step('one', async () => ({ value: 20, credits: 1 }))
    await report({ done: 1 })
    warn('careful')
    return { value, request }
  })
  const id = await start()
  ;(await runner()).wake()
  expect(await ended(id)).toMatchObject({
    status: 'completed',
    result: { value: 20, request: { urls: ['https://site.test/'] } },
    progress: { done: 1 },
    warnings: ['careful'],
    credits: 1,
  })
})

test('a failed workflow gives its reason, or an error id for an unknown one', async () => {
  const thrown: unknown[] = [failure('MODEL_UNAVAILABLE'), new TypeError('secret')]
  const { start, runner, ended } = await workflowWorld(async () => {
    throw thrown.shift()
  })
  const ids = [await start(), await start()]
  ;(await runner()).wake()
  const failed = await Promise.all(ids.map(ended))
  expect(failed.map((each) => each?.error?.code).toSorted()).toEqual(['MODEL_UNAVAILABLE', 'UNKNOWN_ERROR'])
  expect(failed.map((each) => each?.status)).toEqual(['failed', 'failed'])
  expect(JSON.stringify(failed.map((each) => each?.error))).not.toContain('secret')
})

test('the work of a closing process is continued by the next from its last step, and no step is paid twice', async () => {
  const done: string[] = []
  const hold = Promise.withResolvers<void>()
  const { start, runner, ended, creditsUsed } = await workflowWorld(async ({ step, signal }) => {
    for (const name of ['a', 'b', 'c'])
      await step(name, async () => {
        if (name === 'c' && done.length === 2) await Promise.race([hold.promise, sleep(60_000, undefined, { signal })])
        done.push(name)
        return { value: name, credits: 1 }
      })
    return {}
  })
  const id = await start()
  const first = await runner()
  first.wake()
  await vi.waitFor(() => expect(done).toEqual(['a', 'b']), 20_000)
  await first.close()
  hold.resolve()
  ;(await runner()).wake()
  expect(await ended(id)).toMatchObject({ status: 'completed' })
  expect(done).toEqual(['a', 'b', 'c'])
  expect(await creditsUsed()).toBe(3)
})

test('a cancelled workflow gets the signal in whichever process it runs', async () => {
  const aborted = Promise.withResolvers<void>()
  const { start, runner, workflows, found } = await workflowWorld(async ({ signal }) => {
    signal.addEventListener('abort', () => aborted.resolve())
    await aborted.promise
    return { late: true }
  })
  const id = await start()
  ;(await runner()).wake()
  await vi.waitFor(async () => expect(await workflows.workers()).toHaveLength(1), 20_000)
  expect(await workflows.cancel(id)).toBe(true)
  await aborted.promise
  expect(await found(id)).toMatchObject({ status: 'cancelled' })
})

test('two processes share the work, and each workflow runs once', async () => {
  const runs: string[] = []
  const { start, runner, workflows } = await workflowWorld(async ({ id }) => {
    runs.push(id)
    await sleep(5)
    return {}
  })
  const ids = await Promise.all(Array.from({ length: 40 }, start))
  for (const each of [await runner(), await runner()]) each.wake()
  await vi.waitFor(async () => expect(await workflows.running()).toEqual([]), 30_000)
  expect(runs.toSorted()).toEqual(ids.toSorted())
})
