import { expect, test } from 'vitest'
import { readConfig } from '../../src/app/read-config.ts'
import { noTelemetry } from '../../src/app/telemetry/telemetry.ts'
import type { ModelCharge } from '../../src/contracts/account-ports.ts'
import type { Ports } from '../../src/contracts/ports.ts'
import { failureOf, fakeCtx, fakeWorld, noon } from '../helpers/fakes.ts'
import { gives, startModelServer } from '../helpers/model-server.ts'
import { request } from './kit.ts'
import { modelPort } from '../../src/app/wiring/open-model.ts'
import { forAll } from '../helpers/for-all.ts'

const server = forAll(() => startModelServer(() => gives({ a: 1 })))

/** The port that the settings open, and the usage that it records. */
function opened(env: Record<string, string>, addModel?: () => Promise<void>) {
  const world = fakeWorld()
  const written: { charge: ModelCharge; at: number }[] = []
  const write: Ports['usage']['addModel'] = async (charge, at) => void written.push({ charge, at })
  const usage = { ...world.ports.usage, addModel: addModel ?? write }
  const { log, logged } = fakeCtx()
  const parts = { ports: { clock: world.clock, usage }, telemetry: noTelemetry, log }
  return { ...modelPort(readConfig({}, env), parts), written, logged }
}
const model = { GOSSAMER_MODEL: 'large' }

test('no model is set until a setting names one, and none is called', async () => {
  const { port } = opened({ OPENAI_API_KEY: 'sk-theirs', GOSSAMER_MODEL_URL: server.url('openai') })
  expect(port.isSet()).toBe(false)
  expect(await failureOf(port.text(request()))).toMatchObject({ code: 'MODEL_UNAVAILABLE', status: 503 })
  expect(server.calls).toEqual([])
})

test('a model at a private address is called with its key, and its cost is recorded', async () => {
  const { port, close, written } = opened({
    ...model,
    GOSSAMER_MODEL_URL: server.url('openai'),
    GOSSAMER_MODEL_KEY: 'sk-ours',
    GOSSAMER_MODEL_CONTEXT_TOKENS: '8000',
  })
  expect([port.isSet(), port.contextTokens('best')]).toEqual([true, 8000])
  expect(await port.object({ ...request(), schema: { type: 'object' } })).toMatchObject({ value: { a: 1 } })
  await close()
  expect(server.calls.at(-1)).toMatchObject({ model: 'large', key: 'sk-ours' })
  const tokens = { calls: 1, inputTokens: 11, outputTokens: 7 }
  const charge = { teamId: 'acme', keyName: 'laptop', task: 'json', model: 'large-2026', ...tokens }
  expect(written).toEqual([{ charge, at: noon }])
})

test('an answer is returned even if its cost cannot be recorded, which is logged', async () => {
  const { port, close, logged } = opened({ ...model, GOSSAMER_MODEL_URL: server.url('openai') }, () =>
    Promise.reject(new Error('the disk is full')),
  )
  expect(await port.text(request())).toMatchObject({ text: '{"a":1}' })
  await close()
  expect(logged).toMatchObject([{ event: 'model usage could not be recorded' }])
})

test('no answer takes longer than the setting allows', async () => {
  server.play(() => ({ trouble: 'hangs' }))
  const env = { ...model, GOSSAMER_MODEL_URL: server.url('openai'), GOSSAMER_MODEL_TIMEOUT_SECONDS: '0.1' }
  const { port, close } = opened(env)
  expect(await failureOf(port.text(request({ timeoutMs: 600_000 })))).toMatchObject({ code: 'MODEL_TIMEOUT' })
  await close()
})
