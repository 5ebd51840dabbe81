import type { SessionInfo, SessionRecords, EndReason } from '../../../contracts/session-port.ts'
import type { Log } from '../../../kernel/log.ts'
import { sessionCredits } from '../../billing/price.ts'
import type { Clock } from '../../../contracts/ports.ts'

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

export function endOf({ endsAt, activityTtlMs, lastActivityAt, keptUntil = 0 }: Lifetime): Expiry {
  const idleAt = Math.max(lastActivityAt + activityTtlMs, keptUntil)
  return endsAt <= idleAt ? { at: endsAt, why: 'ttl' } : { at: idleAt, why: 'activityTtl' }
}

/** Calls back once when a session's time is over. Returns a function that stops the timer. */
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

type RenewalOptions = {
  alive(): readonly SessionInfo[]
  /** Called every `checkMs` while there are sessions. */
  check(): Promise<void>
  clock: Clock
  log: Log
}

const beatMs = 20_000
/** Interval of `check`, by which the sessions of a removed team end within five seconds. */
const checkMs = 2000
/** Time in ms without a heartbeat after which a process counts as dead. */
const silentMs = 3 * beatMs + 10_000

/** Ends the sessions of dead processes and servers, as of their last heartbeat. */
export async function endLost(records: SessionRecords, clock: Clock): Promise<void> {
  for (const { id, createdAt, renewedAt } of await records.lost(clock.now() - silentMs)) {
    const credits = sessionCredits(renewedAt - createdAt)
    await records.end(id, { endedAt: renewedAt, why: 'process', credits })
  }
}

export type Renewal = ReturnType<typeof keepRenewed>

/** Sends heartbeats, and ends sessions of dead processes as of their last one. */
export function keepRenewed(records: SessionRecords, { alive, check, clock, log }: RenewalOptions) {
  let timers: NodeJS.Timeout[] = []
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
    timers.forEach(clearInterval)
    timers = []
  }

  return {
    /** Resolves when sessions of dead processes are ended, at most once per heartbeat. Never rejects. */
    reaped() {
      if (clock.now() - reaping.at >= beatMs) reaping = { at: clock.now(), done: reap().catch(failed) }
      return reaping.done
    },
    start: () => {
      if (timers.length === 0)
        timers = [
          setInterval(() => void beat().catch(failed), beatMs).unref(),
          setInterval(() => void check().catch(failed), checkMs).unref(),
        ]
    },
    stop,
  }
}
