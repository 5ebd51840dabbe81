import { setTimeout as sleep } from 'node:timers/promises'
import type { FirstAnswer, FirstRun, Idempotency } from '../../contracts/account-ports.ts'
import { fail } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import type { ClaimedCall, KeyedCalls, Quotas } from '../store/store.ts'
import { createLease, type Lease } from './slot-lease.ts'
import type { sealedBy } from './seal-answer.ts'

export type IdempotencyOptions = { calls: () => Promise<KeyedCalls>; quotas: () => Promise<Quotas>; log: Log }

const firstPauseMs = 25
const longestPauseMs = 500

/** Runs each call with an idempotency key once, across all processes on one database. */
export function createIdempotency(options: IdempotencyOptions): Idempotency & { close(): Promise<void> } {
  const { calls, quotas, log } = options
  const lease = createLease({ quotas, log, lost: () => log.warn('calls with idempotency keys may be repeated') })
  return {
    async once({ key, asks, teamId, jobId, signal }, first) {
      const sealing = await import('./seal-answer.ts')
      const sealed = sealing.sealedBy(key)
      const call: ClaimedCall = {
        teamId,
        keyDigest: sealed.keyDigest,
        asksDigest: sealed.asksDigest(asks),
        jobId,
        claimId: crypto.randomUUID(),
        workerId: lease.workerId,
      }
      const end = await lease.use()
      try {
        const claim = await claimed(call, { calls, lease, signal })
        if (claim.state === 'claimed')
          return await runFirst(options, { call, sealed }, () => first.run(claim.jobId), first)
        if (claim.answer === null) return unkept()
        return (await sealed.open(claim.answer)) as FirstAnswer
      } finally {
        end()
      }
    },
    close: () => lease.close(),
  }
}

type ClaimOptions = Pick<IdempotencyOptions, 'calls'> & { lease: Lease; signal: AbortSignal }

/** Waits while another call with the key runs. */
async function claimed(call: ClaimedCall, { calls, lease, signal }: ClaimOptions) {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const claim = await (await calls()).claim(call)
    if (claim.state === 'other call') return fail('IDEMPOTENCY_KEY_REUSED')
    if (claim.state !== 'running') return claim
    const hasMoved = pauseMs === longestPauseMs && (await lease.releaseDead())
    if (!hasMoved) await sleep(pauseMs, undefined, { signal })
  }
}

const unkept = (): never =>
  fail('IDEMPOTENCY_KEY_REUSED', {
    message: 'This idempotency key was already used, and the response of that call was not stored.',
    hint: 'Send a new x-idempotency-key to run it again.',
  })

async function runFirst(
  { calls, log }: IdempotencyOptions,
  { call, sealed }: { call: ClaimedCall; sealed: ReturnType<typeof sealedBy> },
  run: () => ReturnType<FirstRun['run']>,
  { isCharged }: Pick<FirstRun, 'isCharged'>,
): Promise<FirstAnswer> {
  const note = (cause: unknown) => log.warn('the answer to an idempotency key could not be stored', { cause })
  const ran = await run().catch(async (thrown: unknown) => {
    const store = await calls()
    await (isCharged(thrown) ? store.finish(call, null) : store.forget(call)).catch(note)
    throw thrown
  })
  const kept = ran.kept && (await sealed.seal(ran.kept))
  await (await calls()).finish(call, kept ?? null).catch(note)
  return ran.answer
}
