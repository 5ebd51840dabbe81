import { expect, test } from 'vitest'
import { requireStorage } from '../../src/middleware/team-limits.ts'
import { failureOf, fakeCtx, fakeWorld } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'

const job = toy({ follow: { operation: toy(), answers: 'pages' } })

test('no job starts while there is no space for its results', async () => {
  const { ports, state } = fakeWorld()
  const run = under(requireStorage(ports.storage))
  expect(await run(job, {}, fakeCtx())).toEqual({ got: {} })
  state.isFull = true
  expect(await failureOf(run(job, {}, fakeCtx()))).toMatchObject({ code: 'STORAGE_FULL', status: 507 })
})

test('an operation that is not a job still runs', async () => {
  const { ports, state } = fakeWorld()
  state.isFull = true
  expect(await under(requireStorage(ports.storage))(toy(), {}, fakeCtx())).toEqual({ got: {} })
})
