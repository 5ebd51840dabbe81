import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FirstAnswer, KeyedCall } from '../../src/contracts/account-ports.ts'
import { createIdempotency, sealedBy } from '../../src/engine/account/call-once.ts'
import { failure } from '../../src/kernel/error.ts'
import { logBook } from '../contracts/fixtures.ts'
import { failureOf } from '../helpers/fakes.ts'
import { forTest } from '../helpers/for-all.ts'
import { tempDir, tempStore } from '../store/kit.ts'

const answerOf = (text: string): FirstAnswer => ({ output: { text }, warnings: [`about ${text}`] })
const aCall = (over: Partial<KeyedCall> = {}): KeyedCall => ({
  teamId: 'acme',
  key: '0e1a8c1c-0b1e-4c52-8d2c-5a5a4f8f3f11',
  jobId: crypto.randomUUID(),
  asks: { operation: 'scrape', input: { url: 'http://one.test/', formats: [{ type: 'markdown' }] } },
  signal: new AbortController().signal,
  ...over,
})

/** Runs of two processes on one folder, and the jobs that were started. */
async function setting() {
  const dir = await tempDir()
  const started: string[] = []
  const open = async () => {
    const { store } = await tempStore({ dir, clock: { now: Date.now } })
    const idempotency = forTest(
      createIdempotency({
        calls: async () => store.keyedCalls,
        quotas: async () => store.quotas,
        log: logBook().log,
      }),
    )
    return { store, idempotency }
  }
  const first = (over: { hold?: Promise<unknown>; kept?: 'nothing'; fails?: Error; charged?: true } = {}) => ({
    async run(jobId: string) {
      started.push(jobId)
      await over.hold
      if (over.fails) throw over.fails
      const answer = answerOf('the words of a page')
      return { answer, kept: over.kept === 'nothing' ? undefined : answer }
    },
    isCharged: () => over.charged === true,
  })
  return { dir, started, first, one: await open(), two: await open() }
}

test('concurrent calls in two processes are one job, and both get its answer', async () => {
  const { started, first, one, two } = await setting()
  const { promise: hold, resolve: go } = Promise.withResolvers<void>()
  const calls = [one, two, one, two].map(({ idempotency }) => idempotency.once(aCall(), first({ hold })))
  await expect.poll(() => started).toHaveLength(1)
  go()
  const expected = answerOf('the words of a page')
  expect(await Promise.all(calls)).toEqual([expected, expected, expected, expected])
  expect(started).toHaveLength(1)
})

test('after a failure the key can be used again, even by a waiting call, unless the failed call was charged', async () => {
  const { started, first, one, two } = await setting()
  const { promise: hold, resolve: go } = Promise.withResolvers<void>()
  const fails = failure('SCRAPE_SITE_ERROR')
  const failed = failureOf(one.idempotency.once(aCall(), first({ hold, fails })))
  await expect.poll(() => started).toHaveLength(1)
  const waiting = two.idempotency.once(aCall(), first())
  go()
  expect(await failed).toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  expect(await waiting).toEqual(answerOf('the words of a page'))
  expect(new Set(started).size).toBe(2)

  const charged = { key: crypto.randomUUID() }
  await failureOf(one.idempotency.once(aCall(charged), first({ fails, charged: true })))
  expect(await failureOf(one.idempotency.once(aCall(charged), first()))).toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: expect.stringContaining('was not stored'),
  })
})

test('a call that waits for another ends with its signal', async () => {
  const { started, first, one } = await setting()
  const { promise: hold, resolve: go } = Promise.withResolvers<void>()
  const running = one.idempotency.once(aCall(), first({ hold }))
  await expect.poll(() => started).toHaveLength(1)
  const gone = AbortSignal.abort(new Error('gone'))
  await expect(one.idempotency.once(aCall({ signal: gone }), first())).rejects.toThrow()
  go()
  await running
  expect(started).toHaveLength(1)
})

test('a call whose process was killed runs again as the same job', async () => {
  const { started, first, one, two } = await setting()
  const died = ['a-machine', '1', '2', crypto.randomUUID()].join(' ')
  await one.store.quotas.renew(died, 60_000)
  const { key, asks, teamId } = aCall()
  const sealed = sealedBy(key)
  const claim = { teamId, keyDigest: sealed.keyDigest, asksDigest: sealed.asksDigest(asks) }
  await one.store.keyedCalls.claim({ ...claim, jobId: 'started before', claimId: 'c', workerId: died })
  const again = two.idempotency.once(aCall(), first())
  await one.store.quotas.release(died)
  expect(await again).toEqual(answerOf('the words of a page'))
  expect(started).toEqual(['started before'])
})

test('a stored answer can only be read with its key, and a private call stores no answer', async () => {
  const { dir, first, one } = await setting()
  await one.idempotency.once(aCall(), first())
  const secret = { key: crypto.randomUUID() }
  await one.idempotency.once(aCall(secret), first({ kept: 'nothing' }))
  expect(await failureOf(one.idempotency.once(aCall(secret), first()))).toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: expect.stringContaining('was not stored'),
  })
  const files = await Promise.all((await readdir(dir)).map((name) => readFile(join(dir, name), 'latin1')))
  for (const word of ['the words of a page', 'one.test', aCall().key]) expect(files.join('')).not.toContain(word)
})
