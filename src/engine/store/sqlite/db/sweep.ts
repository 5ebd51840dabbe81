import type { Log } from '../../../../kernel/log.ts'
import type { Db, Statement } from './db.ts'
import type { Clock } from '../../../../contracts/ports.ts'

const everyMs = 60_000

/** Rows that outlived their use; each statement deletes at most `slice` of them. `after`: what is then to be done elsewhere. */
export type Expired = {
  slice: number
  statements(now: number): readonly Statement[]
  after?: (() => Promise<void>) | undefined
}
/** `closing` ends a round early. */
export type SweepTools = { db: Db; clock: Clock; log: Log; closing: AbortSignal }

/**
 * Deletes old rows in slices, at most one round a minute, so that no caller waits for a long delete.
 * `nudge` starts a round if one is due and returns at once; a failed round is logged and comes again.
 */
export function createSweep(
  tools: SweepTools,
  ...expired: readonly Expired[]
): { nudge(): void; idle(): Promise<void> } {
  let lastAt = -Infinity
  let round = Promise.resolve()
  return {
    nudge() {
      const now = tools.clock.now()
      if (now - lastAt < everyMs) return
      lastAt = now
      round = round
        .then(() => sweepAll(tools, expired, now))
        .catch((cause: unknown) => tools.log.warn('old rows could not be deleted', { cause }))
    },
    idle: () => round,
  }
}

async function sweepAll({ db, closing }: SweepTools, expired: readonly Expired[], now: number): Promise<void> {
  for (const { slice, statements, after } of expired) {
    for (const { sql, params } of statements(now)) {
      while (!closing.aborted && (await db.run(sql, params)) === slice);
    }
    await after?.()
  }
  while (!closing.aborted && (await db.compact()));
}
