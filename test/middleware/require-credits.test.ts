import { expect, test } from 'vitest'
import { requireCredits } from '../../src/middleware/require-credits.ts'
import { failureOf, fakeCtx, fakeWorld } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'

const priced = toy({ price: () => 1 })

function setting(limit: number | undefined, used: number) {
  const world = fakeWorld()
  world.state.used = used
  return { world, run: under(requireCredits(world.ports.usage, world.clock, limit)) }
}

test.each([
  [100, 100],
  [100, 250],
  [0, 0],
])('with a limit of %i and %i used, a priced call is refused', async (limit, used) => {
  const { run } = setting(limit, used)
  expect(await failureOf(run(priced, {}, fakeCtx()))).toMatchObject({
    code: 'INSUFFICIENT_CREDITS',
    status: 402,
    message: expect.stringMatching(/^Insufficient credits to perform this request/),
    details: { monthlyCredits: limit, used },
  })
})

test('below the limit it runs', async () => {
  expect(await setting(100, 99).run(priced, { a: 1 }, fakeCtx())).toEqual({ got: { a: 1 } })
})

test('what counts is used by the team of the call since the month began', async () => {
  const { run, world } = setting(100, 0)
  await run(priced, {}, fakeCtx())
  expect(world.asked).toEqual([{ teamId: 'acme', from: Date.UTC(2026, 2, 1) }])
})

test.each([
  ['without a limit', undefined, priced],
  ['for a call that is free', 0, toy()],
])('%s nothing is looked up', async (_, limit, operation) => {
  const { run, world } = setting(limit, 1_000_000)
  expect(await run(operation, {}, fakeCtx())).toEqual({ got: {} })
  expect(world.asked).toEqual([])
})
