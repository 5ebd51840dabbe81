import type { Policy } from '../core/caller.ts'
import type { Ctx } from '../core/ctx.ts'
import { fail } from '../core/error.ts'
import type { Clock } from '../core/ports.ts'

export type Limits = { maxConcurrency: number; maxWaiting: number }
export type Load = { active: number; waiting: number }

/** The slots of each team in this process. A waiting call is let in first come, first served. */
export function createSlots({ maxConcurrency, maxWaiting }: Limits) {
  const teams = new Map<string, { active: number; waiting: Set<() => void> }>()
  const slotsOf = (teamId: string) => {
    const slots = teams.get(teamId) ?? { active: 0, waiting: new Set<() => void>() }
    teams.set(teamId, slots)
    return slots
  }

  function release(teamId: string): void {
    const slots = slotsOf(teamId)
    slots.active -= 1
    const [first] = slots.waiting
    if (first) first()
    else if (slots.active === 0) teams.delete(teamId)
  }

  function turn(teamId: string, signal: AbortSignal): Promise<void> {
    const { waiting } = slotsOf(teamId)
    if (waiting.size >= maxWaiting) fail('QUEUE_FULL', { details: { maxWaiting, maxConcurrency } })
    return new Promise((resolve, reject) => {
      const give = () => {
        waiting.delete(give)
        signal.removeEventListener('abort', leave)
        slotsOf(teamId).active += 1
        resolve()
      }
      const leave = () => {
        waiting.delete(give)
        reject(signal.reason as Error)
      }
      waiting.add(give)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Resolves with whether the call had to wait; rejects with the signal's reason. */
  async function take(teamId: string, signal: AbortSignal): Promise<'at once' | 'after a wait'> {
    signal.throwIfAborted()
    const slots = slotsOf(teamId)
    if (slots.active >= maxConcurrency) return turn(teamId, signal).then(() => 'after a wait')
    slots.active += 1
    return 'at once'
  }

  const load = (teamId: string): Load => ({
    active: teams.get(teamId)?.active ?? 0,
    waiting: teams.get(teamId)?.waiting.size ?? 0,
  })
  return { take, release, load }
}
export type Slots = ReturnType<typeof createSlots>

/** Operations with a time limit share the team's slots; waiting counts against that limit. */
export const limited =
  (slots: Slots, clock: Clock): Policy =>
  (next) =>
  async (operation, input, ctx) => {
    const limitMs = operation.limitMs?.(input)
    if (limitMs === undefined) return next(operation, input, ctx)
    const waited = await slots
      .take(ctx.team.id, deadlineOf(ctx, clock, limitMs))
      .catch((reason: unknown) => refused(reason, ctx, limitMs))
    const queuedMs = waited === 'at once' ? 0 : Math.max(1, clock.now() - ctx.startedAt)
    try {
      return await next(operation, input, { ...ctx, queuedMs })
    } finally {
      slots.release(ctx.team.id)
    }
  }

/** The limit counts from when the call came in. */
function deadlineOf(ctx: Ctx, clock: Clock, limitMs: number): AbortSignal {
  const leftMs = Math.max(0, limitMs - (clock.now() - ctx.startedAt))
  return AbortSignal.any([ctx.signal, AbortSignal.timeout(leftMs)])
}

function refused(reason: unknown, ctx: Ctx, limitMs: number): never {
  if (ctx.signal.aborted) fail('REQUEST_CANCELLED', { cause: reason })
  if (reason instanceof DOMException && reason.name === 'TimeoutError')
    fail('SCRAPE_TIMEOUT', {
      message: `No free slot within the timeout of ${limitMs} ms.`,
      details: { timeoutMs: limitMs },
    })
  throw reason
}
