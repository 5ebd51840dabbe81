import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { FirstAnswer, FirstRun, Idempotency } from '../../contracts/account-ports.ts'
import { fail } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import type { ClaimedCall, KeyedCalls, Quotas } from '../store/store.ts'
import { createLease, type Lease } from './slot-lease.ts'
import { isRecord } from '../../util/json.ts'

export type IdempotencyOptions = { calls: () => Promise<KeyedCalls>; quotas: () => Promise<Quotas>; log: Log }

const firstPauseMs = 25
const longestPauseMs = 500

/** Runs each call with an idempotency key once, across all processes on one database. */
export function createIdempotency(options: IdempotencyOptions): Idempotency & { close(): Promise<void> } {
  const { calls, quotas, log } = options
  const lease = createLease({ quotas, log, lost: () => log.warn('calls with idempotency keys may be repeated') })
  return {
    async once({ key, asks, teamId, jobId, signal }, first) {
      const sealed = sealedBy(key)
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
        const claim = await claimKey(call, { calls, lease, signal })
        if (claim.state === 'claimed')
          return await runFirst(options, { call, sealed }, () => first.run(claim.jobId), first)
        if (claim.answer === null) return notStored()
        return (await sealed.open(claim.answer)) as FirstAnswer
      } finally {
        end()
      }
    },
    close: () => lease.close(),
  }
}

type ClaimOptions = Pick<IdempotencyOptions, 'calls'> & { lease: Lease; signal: AbortSignal }

/** Claims the key; waits while another call with the same key runs. */
async function claimKey(call: ClaimedCall, { calls, lease, signal }: ClaimOptions) {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const claim = await (await calls()).claim(call)
    if (claim.state === 'other call') return fail('IDEMPOTENCY_KEY_REUSED')
    if (claim.state !== 'running') return claim
    const hasReleased = pauseMs === longestPauseMs && (await lease.releaseDead())
    if (!hasReleased) await sleep(pauseMs, undefined, { signal })
  }
}

const notStored = (): never =>
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
  const logFailure = (cause: unknown) =>
    log.warn('the response of a call with an idempotency key could not be stored', { cause })
  const outcome = await run().catch(async (thrown: unknown) => {
    const store = await calls()
    await (isCharged(thrown) ? store.finish(call, null) : store.forget(call)).catch(logFailure)
    throw thrown
  })
  const answer = outcome.kept ? await sealed.seal(outcome.kept) : null
  await (await calls()).finish(call, answer).catch(logFailure)
  return outcome.answer
}

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts stored responses with the idempotency key of the call: responses contain page text and session secrets,
 * which only the caller may read. The store gets only a digest of the key.
 */
export function sealedBy(key: string) {
  const keyFor = (use: string) => createHmac('sha256', key).update(use)
  return {
    keyDigest: createHash('sha256').update(`key ${key}`).digest(),
    asksDigest: (asks: object) => keyFor('asks').update(canonical(asks)).digest(),
    async seal(value: object): Promise<Uint8Array> {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, keyFor('answer').digest(), iv)
      const body = cipher.update(await compress(JSON.stringify(value)))
      return Buffer.concat([iv, body, cipher.final(), cipher.getAuthTag()])
    },
    async open(sealed: Uint8Array): Promise<unknown> {
      const decipher = createDecipheriv(algorithm, keyFor('answer').digest(), sealed.subarray(0, ivBytes))
      decipher.setAuthTag(sealed.subarray(-tagBytes))
      const body = decipher.update(sealed.subarray(ivBytes, -tagBytes))
      return JSON.parse((await decompress(Buffer.concat([body, decipher.final()]))).toString('utf8'))
    },
  }
}

/** Returns the same JSON for any order of fields. */
const canonical = (value: object) =>
  JSON.stringify(value, (_, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))) : each,
  )
