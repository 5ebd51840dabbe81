import type { Clock } from '../../../contracts/ports.ts'
import type { SessionFacts, SessionRecords } from '../../../contracts/session.ts'
import type { Log } from '../../../kernel/log.ts'
import { sessionCredits } from '../../billing/price.ts'

export type Renewal = {
  /** Resolves when sessions of processes that are gone have been ended, looking for them now and then. Never rejects. */
  reaped(): Promise<void>
  /** Tells the database from now on, as long as there are sessions, that they live. */
  start(): void
  stop(): void
}
export type RenewalOptions = { alive(): readonly SessionFacts[]; clock: Clock; log: Log }

const beatMs = 20_000
/** A process that said nothing for so long is gone. */
const silentMs = 3 * beatMs + 10_000

/** Sessions die with their process, which cannot say so any more: another one ends them, as of when they were last renewed. */
export function keepRenewed(records: SessionRecords, { alive, clock, log }: RenewalOptions): Renewal {
  let timer: NodeJS.Timeout | undefined
  let reaping = { at: -Infinity, done: Promise.resolve() }
  const failed = (cause: unknown) => log.warn('session.renewal', { cause })

  async function reap(): Promise<void> {
    for (const { id, createdAt, renewedAt } of await records.lost(clock.now() - silentMs)) {
      const credits = sessionCredits(renewedAt - createdAt)
      await records.end(id, { endedAt: renewedAt, why: 'process', credits })
    }
  }

  async function beat(): Promise<void> {
    const live = alive()
    if (live.length > 0) await records.renew(live.map(({ id, lastActivityAt }) => ({ id, lastActivityAt })))
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
