import type { SessionInfo, SessionRecords, EndReason } from '../../../contracts/session-port.ts'
import type { Log } from '../../../kernel/log.ts'
import { sessionCredits } from '../../billing/price.ts'
import type { Clock } from '../../../contracts/ports.ts'

const extensionMs = 10 * 60_000
/** Maximum `ttl` in ms. */
const mostLifeMs = 60 * 60_000

/** Returns a later end of a session, limited to the maximum `ttl` since its creation. */
export const extended = (endsAt: number, createdAt: number): number =>
  Math.max(endsAt, Math.min(endsAt + extensionMs, createdAt + mostLifeMs))

export type Lifetime = {
  /** Hard end, in ms since the epoch. */
  endsAt: number
  activityTtlMs: number
  /** The current time while a call runs. */
  lastActivityAt: number
  /** Time until which an idle session continues, in ms since the epoch. */
  keptUntil?: number | undefined
}
type Expiry = { at: number; why: Extract<EndReason, 'ttl' | 'activityTtl'> }

/** Returns when a session will end unless extended, and why. */
export function endOf({ endsAt, activityTtlMs, lastActivityAt, keptUntil = 0 }: Lifetime): Expiry {
  const quietAt = Math.max(lastActivityAt + activityTtlMs, keptUntil)
  return endsAt <= quietAt ? { at: endsAt, why: 'ttl' } : { at: quietAt, why: 'activityTtl' }
}

/**
 * Calls back once when a session's time is over; does not keep the process alive. Returns a function that stops the
 * timer.
 */
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

export type Renewal = {
  /**
   * Resolves when the sessions of dead processes have been ended; searches for them at most once per heartbeat. Never
   * rejects.
   */
  reaped(): Promise<void>
  /** Sends heartbeats as long as there are sessions. */
  start(): void
  stop(): void
}
export type RenewalOptions = { alive(): readonly SessionInfo[]; clock: Clock; log: Log }

const beatMs = 20_000
/** Time in ms without a heartbeat after which a process counts as dead. */
const silentMs = 3 * beatMs + 10_000

/** Ends the sessions of dead processes and servers, as of their last heartbeat. */
export async function endLost(records: SessionRecords, clock: Clock): Promise<void> {
  for (const { id, createdAt, renewedAt } of await records.lost(clock.now() - silentMs)) {
    const credits = sessionCredits(renewedAt - createdAt)
    await records.end(id, { endedAt: renewedAt, why: 'process', credits })
  }
}

/**
 * Sends heartbeats for this process's sessions. Sessions of a dead process are ended by another one, as of their last
 * heartbeat.
 */
export function keepRenewed(records: SessionRecords, { alive, clock, log }: RenewalOptions): Renewal {
  let timer: NodeJS.Timeout | undefined
  let reaping = { at: -Infinity, done: Promise.resolve() }
  const failed = (cause: unknown) => log.warn('session.renewal', { cause })

  const reap = () => endLost(records, clock)

  async function beat(): Promise<void> {
    const live = alive()
    if (live.length > 0)
      await records.renew(live.map(({ id, lastActivityAt, expiresAt }) => ({ id, lastActivityAt, expiresAt })))
    else stop()
    await reap()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    reaped() {
      if (clock.now() - reaping.at >= beatMs) reaping = { at: clock.now(), done: reap().catch(failed) }
      return reaping.done
    },
    start: () => {
      timer ??= setInterval(() => void beat().catch(failed), beatMs).unref()
    },
    stop,
  }
}
