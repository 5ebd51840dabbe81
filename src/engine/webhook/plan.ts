import { eventTurns, type QueuedEvent } from '../../contracts/webhook.ts'

/** What is known of a queue at one moment. */
export type QueueView = {
  now: number
  /** Due and not being sent, in order. */
  due: readonly QueuedEvent[]
  /** Failed and not due, of the earliest turn. */
  missed: QueuedEvent | undefined
  sending: readonly QueuedEvent[]
  hasFailedLately(event: QueuedEvent): boolean
}
export type QueuePlan = {
  /** Those that may be sent now, in order. */
  start: readonly QueuedEvent[]
  /** When those that have to wait for a failed one need not any more. */
  heldUntil?: number
}

/** How long an event that failed holds up those of later turns; then it is tried once more, for as long again at most. */
export const holdMs = 5000

/**
 * An event goes out once none of an earlier turn is being sent, or due. One of an earlier turn that failed is tried
 * again first, ahead of its time: if the receiver was away it hears of it before the others after all.
 */
export function planOf({ now, due, missed, sending, hasFailedLately }: QueueView): QueuePlan {
  const start: QueuedEvent[] = []
  let front = Math.min(...sending.map(({ turn }) => turn), eventTurns.passed)
  for (const event of due) {
    if (event.turn === eventTurns.passed) start.push(event)
    if (event.turn === eventTurns.passed || event.turn > front) continue
    if (missed && missed.turn < event.turn) {
      const heldUntil = (missed.firstTriedAt ?? now) + holdMs
      if (heldUntil > now) return { start, heldUntil }
      if (!hasFailedLately(missed)) return { start: [...start, missed] }
    }
    front = event.turn
    start.push(event)
  }
  return { start }
}
