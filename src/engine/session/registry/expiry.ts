import type { Clock } from '../../../contracts/ports.ts'
import type { EndReason } from '../../../contracts/session-port.ts'

const extensionMs = 10 * 60_000
/** The longest `ttl`. */
const mostLifeMs = 60 * 60_000

/** A later end of a session, but none beyond what it could have been opened for. */
export const extended = (endsAt: number, createdAt: number): number =>
  Math.max(endsAt, Math.min(endsAt + extensionMs, createdAt + mostLifeMs))

export type Lifetime = {
  /** Hard end, ms since the epoch. */
  endsAt: number
  activityTtlMs: number
  /** Now, while a call runs. */
  lastActivityAt: number
  /** Until then it goes on though nothing is done in it. */
  keptUntil?: number | undefined
}
type Expiry = { at: number; why: Extract<EndReason, 'ttl' | 'activityTtl'> }

/** When a session ends by itself as things are, and why. */
export function endOf({ endsAt, activityTtlMs, lastActivityAt, keptUntil = 0 }: Lifetime): Expiry {
  const quietAt = Math.max(lastActivityAt + activityTtlMs, keptUntil)
  return endsAt <= quietAt ? { at: endsAt, why: 'ttl' } : { at: quietAt, why: 'activityTtl' }
}

/** Calls back once when a session's time is over; does not keep the process alive. Returns a function that stops the watch. */
export function watchExpiry(clock: Clock, lifetime: () => Lifetime, expired: (why: Expiry['why']) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    const { at, why } = endOf(lifetime())
    const leftMs = at - clock.now()
    if (leftMs <= 0) expired(why)
    else timer = setTimeout(check, Math.max(1, leftMs)).unref()
  }
  check()
  return () => clearTimeout(timer)
}
