import { describe, expect, test } from 'vitest'
import type { ClaimedCall } from '../../src/engine/store/store.ts'
import { opened, type OpenStore } from './store-under-test.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const dayMs = 86_400_000
const aCall = (over: Partial<ClaimedCall> = {}): ClaimedCall => ({
  teamId: 'acme',
  keyDigest: bytes('key'),
  asksDigest: bytes('asks'),
  jobId: 'job',
  claimId: crypto.randomUUID(),
  workerId: 'me',
  ...over,
})

/** The contract of every store of calls with idempotency keys. */
export function describeKeyedCalls(open: OpenStore<'keyedCalls' | 'quotas'>): void {
  async function world() {
    const { store, clock, another, restart } = await opened(open)
    const other = await another()
    await store.quotas.renew('me', dayMs * 2)
    await store.quotas.renew('them', 1000)
    return { mine: store.keyedCalls, theirs: other.keyedCalls, quotas: store.quotas, clock, restart }
  }

  describe('a call with an idempotency key', () => {
    test('is claimed by one of many concurrent callers', async () => {
      const { mine, theirs } = await world()
      const claims = await Promise.all([mine, theirs, mine, theirs].map((calls) => calls.claim(aCall())))
      expect(claims.map(({ state }) => state).toSorted()).toEqual(['claimed', 'running', 'running', 'running'])
    })

    test('differs by its input and by its team', async () => {
      const { mine } = await world()
      await mine.claim(aCall())
      expect(await mine.claim(aCall({ asksDigest: bytes('else') }))).toEqual({ state: 'other call' })
      expect(await mine.claim(aCall({ teamId: 'other' }))).toEqual({ state: 'claimed', jobId: 'job' })
      expect(await mine.claim(aCall({ keyDigest: bytes('another') }))).toEqual({ state: 'claimed', jobId: 'job' })
    })

    test('has its answer repeated to all for a day, even after a restart', async () => {
      const { mine, theirs, clock, restart } = await world()
      const call = aCall()
      await mine.claim(call)
      await mine.finish(call, bytes('answer'))
      expect(await theirs.claim(aCall())).toEqual({ state: 'answered', answer: bytes('answer') })
      clock.advance(dayMs - 1)
      const { keyedCalls } = await restart()
      expect(await keyedCalls.claim(aCall())).toMatchObject({ state: 'answered' })
      clock.advance(1)
      expect(await keyedCalls.claim(aCall({ jobId: 'new' }))).toEqual({ state: 'claimed', jobId: 'new' })
    })

    test('is over even if its answer is not kept', async () => {
      const { mine } = await world()
      const call = aCall()
      await mine.claim(call)
      await mine.finish(call, null)
      expect(await mine.claim(aCall())).toEqual({ state: 'answered', answer: null })
    })

    test('that failed leaves the key unused', async () => {
      const { mine } = await world()
      const call = aCall()
      await mine.claim(call)
      await mine.forget(call)
      expect(await mine.claim(aCall({ asksDigest: bytes('else'), jobId: 'new' }))).toEqual({
        state: 'claimed',
        jobId: 'new',
      })
    })

    test('continues as the same job when its worker is gone, and that worker can no longer end it', async () => {
      const { mine, theirs, clock } = await world()
      const lost = aCall({ workerId: 'them' })
      await theirs.claim(lost)
      expect(await mine.claim(aCall({ jobId: 'new' }))).toEqual({ state: 'running' })
      clock.advance(1000)
      expect(await mine.claim(aCall({ jobId: 'new', asksDigest: bytes('else') }))).toEqual({ state: 'other call' })
      const taken = aCall({ jobId: 'new' })
      expect(await mine.claim(taken)).toEqual({ state: 'claimed', jobId: 'job' })
      await theirs.finish(lost, bytes('late'))
      await theirs.forget(lost)
      expect(await mine.claim(aCall())).toEqual({ state: 'running' })
      await mine.finish(taken, bytes('answer'))
      expect(await mine.claim(aCall())).toEqual({ state: 'answered', answer: bytes('answer') })
    })
  })
}
