import { describe, expect, it } from 'vitest'
import { fail } from '../../src/kernel/error.ts'
import { defineOperation } from '../../src/kernel/operation.ts'
import { createRemoteInvoke } from '../../src/surfaces/remote.ts'
import { forAll } from '../helpers/for-all.ts'
import { ask, serveToys, toyFacts, type Toys } from './toys.ts'

const started = new Set<string>()
const begin = defineOperation({
  ...toyFacts,
  effect: 'create',
  name: 'toy_begin',
  route: 'POST /v2/begin',
  errors: ['JOB_IS_OVER'],
  job: { endpoint: 'agent', target: () => null, keep: () => undefined },
  run: async (_, { idempotencyKey: key = 'none' }) => {
    if (started.has(key)) fail('JOB_IS_OVER')
    if (key !== 'none') started.add(key)
    return { key }
  },
})
const once = defineOperation({
  ...toyFacts,
  effect: 'create',
  name: 'toy_once',
  route: 'POST /v2/once',
  run: async (_, { idempotencyKey: key = 'none' }) => ({ key }),
})

const far = forAll(() => serveToys({ operations: [begin, once] }))
const near = forAll(() => {
  const caller = createRemoteInvoke({ baseUrl: far.server.url, apiKey: 'good' })
  return serveToys({ operations: [begin, once], invoke: caller })
})

const post = async (toys: Toys, path: string, key?: string) => {
  const headers = key === undefined ? {} : { 'x-idempotency-key': key }
  const { status, json } = await ask(toys.server.url + path, { method: 'POST', headers })
  return [status, json['key'] ?? json['code']]
}

describe.each([
  ['in process', () => far],
  ['passed through', () => near],
])('the header x-idempotency-key on %s', (_, toys) => {
  it('reaches calls that start a job, in any spelling', async () => {
    const key = crypto.randomUUID()
    expect(await post(toys(), '/v2/begin', key.toUpperCase())).toEqual([200, key])
    expect(await post(toys(), '/v2/begin', key)).toEqual([409, 'JOB_IS_OVER'])
  })

  it.each(['1', '', 'zz5f0f3e-9c1d-4d39-a7a9-2f3a8a0f1d11'])('must be a UUID: %j', async (key) => {
    expect(await post(toys(), '/v2/begin', key)).toEqual([400, 'BAD_REQUEST'])
  })
})
