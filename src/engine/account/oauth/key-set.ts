import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../../contracts/ports.ts'
import { failure } from '../../../kernel/error.ts'
import type { PublishedKeys } from './discovery.ts'

/** Age after which keys are fetched again, so withdrawn keys are refused. */
const freshMs = 10 * 60_000
/** Maximum age of keys that cannot be fetched again. */
const keptMs = 60 * 60_000
/** Minimum time between attempts, so tokens with invented key ids cause no flood of requests. */
const gapMs = 10_000

type Kept = PublishedKeys & { find: JWTVerifyGetKey; at: number }

/**
 * Keys of the authorization server, fetched when a token first needs them and again for an unknown key id. Fails with
 * AUTHORIZATION_UNAVAILABLE if there are no valid keys.
 */
export function createKeySet(fetchKeys: () => Promise<PublishedKeys>, clock: Clock): { find: JWTVerifyGetKey } {
  let kept: Kept | undefined
  let triedAt = -Infinity
  let fault: unknown
  let running: Promise<void> | undefined

  async function read(): Promise<void> {
    triedAt = clock.now()
    try {
      const published = await fetchKeys()
      kept = { ...published, find: createLocalJWKSet(published.keys), at: clock.now() }
    } catch (cause) {
      fault = cause
    } finally {
      running = undefined
    }
  }

  async function readAgain(): Promise<void> {
    if (running === undefined && clock.now() - triedAt < gapMs) return
    running ??= read()
    await running
  }

  const age = () => (kept === undefined ? Infinity : clock.now() - kept.at)
  return {
    async find(header, token) {
      if (age() >= freshMs) await readAgain()
      if (kept === undefined || age() >= keptMs) throw failure('AUTHORIZATION_UNAVAILABLE', { cause: fault })
      const asked = kept
      try {
        return await asked.find(header, token)
      } catch (thrown) {
        if (!(thrown instanceof errors.JWKSNoMatchingKey)) throw thrown
        await readAgain()
        if (kept === asked) throw thrown
        return kept.find(header, token)
      }
    },
  }
}
