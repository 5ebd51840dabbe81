import type { Ctx } from '../kernel/ctx.ts'
import { fail } from '../kernel/error.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { createSemaphore, type Semaphore } from '../util/semaphore.ts'
import type { Clock } from '../contracts/ports.ts'

export type Limits = { maxConcurrency: number; maxWaiting: number }
export type Load = { active: number; waiting: number }

/** The slots of each team in this process. */
export function createSlots({ maxConcurrency, maxWaiting }: Limits) {
  const teams = new Map<string, Semaphore>()
  const load = (teamId: string): Load => teams.get(teamId)?.load() ?? { active: 0, waiting: 0 }

  /** As Semaphore.take; fails with QUEUE_FULL when too many wait already. */
  async function take(teamId: string, signal: AbortSignal): Promise<'at once' | 'after a wait'> {
    const turns = teams.get(teamId) ?? createSemaphore(maxConcurrency)
    teams.set(teamId, turns)
    const { active, waiting } = turns.load()
    if (active >= maxConcurrency && waiting >= maxWaiting)
      fail('QUEUE_FULL', { details: { maxWaiting, maxConcurrency } })
    return turns.acquire(signal)
  }

  /** For work that belongs to no call: it waits behind whoever waits already, however many those are. */
  async function enter(teamId: string, signal: AbortSignal): Promise<() => void> {
    const turns = teams.get(teamId) ?? createSemaphore(maxConcurrency)
    teams.set(teamId, turns)
    await turns.acquire(signal)
    return () => release(teamId)
  }

  function release(teamId: string): void {
    teams.get(teamId)?.release()
    if (load(teamId).active === 0) teams.delete(teamId)
  }

  return { take, enter, release, load }
}
export type Slots = ReturnType<typeof createSlots>

/** Operations with a time limit take one of the team's slots; waiting for it counts towards that limit. */
export const limitConcurrency =
  (slots: Slots, clock: Clock): Middleware =>
  (operation, next) => {
    if (!operation.limitMs) return next
    const { limitMs: limitOf } = operation
    return async (input, ctx) => {
      const limitMs = limitOf(input)
      const waited = await slots
        .take(ctx.team.id, deadlineOf(ctx, clock, limitMs))
        .catch((reason: unknown) => refused(reason, ctx, limitMs))
      const queuedMs = waited === 'at once' ? 0 : Math.max(1, clock.now() - ctx.startedAt)
      try {
        return await next(input, { ...ctx, queuedMs })
      } finally {
        slots.release(ctx.team.id)
      }
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
