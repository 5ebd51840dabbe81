import type { SessionInfo, SessionRecords } from '../../../contracts/session-port.ts'
import type { Log } from '../../../kernel/log.ts'
import { sessionCredits } from '../../billing/price.ts'
import type { Clock } from '../../../contracts/ports.ts'

export type Renewal = {
  /** Resolves when the sessions of dead processes have been ended; looks for them at most once per heartbeat. Never rejects. */
  reaped(): Promise<void>
  /** Writes heartbeats as long as there are sessions. */
  start(): void
  stop(): void
}
export type RenewalOptions = { alive(): readonly SessionInfo[]; clock: Clock; log: Log }

const beatMs = 20_000
/** A process without a heartbeat for this long is dead. */
const silentMs = 3 * beatMs + 10_000

/** Ends the sessions of dead processes and servers, as of their last heartbeat. */
export async function endLost(records: SessionRecords, clock: Clock): Promise<void> {
  for (const { id, createdAt, renewedAt } of await records.lost(clock.now() - silentMs)) {
    const credits = sessionCredits(renewedAt - createdAt)
    await records.end(id, { endedAt: renewedAt, why: 'process', credits })
  }
}

/** Heartbeats of this process's sessions. Those of a process that died are ended by another, as of their last heartbeat. */
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
