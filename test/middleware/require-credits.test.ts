import { expect, test } from 'vitest'
import { requireCredits } from '../../src/middleware/team-limits.ts'
import { failureOf, fakeCtx, fakeWorld } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'

const priced = toy({ price: () => 1 })

function setting(limit: number | undefined, used: number) {
  const world = fakeWorld()
  world.state.used = used
  world.state.limits = { ...world.state.limits, monthlyCredits: limit }
  return { world, run: under(requireCredits(world.ports)) }
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

test('a call below the limit runs', async () => {
  expect(await setting(100, 99).run(priced, { a: 1 }, fakeCtx())).toEqual({ got: { a: 1 } })
})

test('the use of the calling team since the start of the month counts', async () => {
  const { run, world } = setting(100, 100)
  await failureOf(run(priced, {}, fakeCtx()))
  expect(world.queries).toEqual([{ teamId: 'acme', from: Date.UTC(2026, 2, 1) }])
})

test('the minimum cost of a call is reserved until it has ended', async () => {
  const events: unknown[] = []
  const ports = fakeWorld().ports
  const account = {
    limitsOf: async () => ({ ...(await ports.account.limitsOf('acme')), monthlyCredits: 10 }),
    holdCredits: async (hold: object) => {
      events.push(hold)
      return () => void events.push('ended')
    },
  }
  const run = under(requireCredits({ ...ports, account }), async () => {
    events.push('ran')
    throw new Error('down')
  })
  const dear = toy({ price: () => 9, reserve: ({ times }: { times: number }) => times * 2 })
  await failureOf(run(dear, { times: 3 }, fakeCtx()))
  expect(events).toEqual([{ jobId: 'job-1', teamId: 'acme', credits: 6, monthlyCredits: 10 }, 'ran', 'ended'])
})
