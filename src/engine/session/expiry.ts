import type { Clock } from '../../core/ports.ts'
import type { EndReason } from '../../core/session.ts'

export type Lifetime = {
  /** When it ends whatever happens, ms since the epoch. */
  endsAt: number
  activityTtlMs: number
  /** When something last happened; now, while something happens. */
  lastActivityAt(): number
}

/** Tells once when a session's time is over; the timer alone does not hold the process open. Returns what ends the watch. */
export function watchExpiry(
  clock: Clock,
  { endsAt, activityTtlMs, lastActivityAt }: Lifetime,
  expired: (why: Extract<EndReason, 'ttl' | 'activityTtl'>) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const now = clock.now()
    const quietAt = lastActivityAt() + activityTtlMs
    if (now >= endsAt) expired('ttl')
    else if (now >= quietAt) expired('activityTtl')
    else timer = setTimeout(look, Math.max(1, Math.min(endsAt, quietAt) - now)).unref()
  }
  look()
  return () => clearTimeout(timer)
}
