import type { Slot } from '../../../contracts/account.ts'
import type { Log } from '../../../kernel/log.ts'
import { abortReason } from '../../../util/deadline.ts'
import type { Quotas, TeamLoad, Ticket } from '../../store/store.ts'
import type { Lease } from './lease.ts'
import { queueFull, type SlotLimits } from './local-slots.ts'

type Waiter = { ticket: Ticket; enter(): void }
type SharedOptions = {
  quotas: () => Promise<Quotas>
  /** As it is now: it may have been changed since somebody came. */
  limitOf(teamId: string): Promise<number>
  lease: Lease
  log: Log
}

/** How soon a slot that another process gives up is noticed. */
const pollMs = 25
/** How soon the slots of a process that was killed are noticed. */
const sweepMs = 1000

/** The slots of each team, shared by all processes on one database: whoever came first, in any of them, is next. */
export function createSharedSlots(options: SharedOptions) {
  const { quotas, limitOf, lease } = options
  const waiting = new Map<string, Waiter>()
  const letIn = (ids: readonly string[]) => ids.forEach((id) => waiting.get(id)?.enter())
  const watch = createWatch({ ...options, waiting, letIn })

  const { leaveSoon, settled } = createLeaving(options, letIn)

  async function join(ticket: Ticket, limits: SlotLimits, signal: AbortSignal): Promise<boolean> {
    const turn = waitIn(waiting, ticket, signal)
    // Whoever fails before the turn is awaited has a reason of its own.
    turn.catch(() => {})
    try {
      const joined = await (await quotas()).join(ticket, limits)
      letIn(joined.letIn)
      if (joined.state === 'full') queueFull(limits)
      if (joined.state === 'waiting') watch.start()
      await turn
      return joined.state === 'waiting'
    } catch (cause) {
      waiting.delete(ticket.id)
      leaveSoon(ticket)
      throw cause
    }
  }

  return {
    /** As those of one process. */
    async take(teamId: string, limits: SlotLimits, signal: AbortSignal): Promise<Slot> {
      signal.throwIfAborted()
      const end = await lease.use()
      const ticket = { id: crypto.randomUUID(), teamId, workerId: lease.workerId }
      const hasWaited = await join(ticket, limits, signal).catch((cause: unknown) => {
        end()
        throw cause
      })
      const release = () => {
        end()
        leaveSoon(ticket)
      }
      return { hasWaited, release }
    },
    load: async (teamId: string): Promise<TeamLoad> => (await quotas()).load(teamId),
    /** Everything that was given up is free. */
    settled,
    /** Those who wait queue up again. */
    async rejoin(): Promise<void> {
      const store = await quotas()
      for (const { ticket } of waiting.values()) {
        const limits = { maxConcurrency: await limitOf(ticket.teamId), maxWaiting: Number.MAX_SAFE_INTEGER }
        letIn((await store.join(ticket, limits)).letIn)
      }
    },
  }
}

/** Slots are given up in the background: no answer waits for that. */
function createLeaving({ quotas, limitOf, log }: SharedOptions, letIn: (ids: readonly string[]) => void) {
  const leaving = new Set<Promise<void>>()
  const leave = async (ticket: Ticket) => letIn(await (await quotas()).leave(ticket, await limitOf(ticket.teamId)))
  return {
    leaveSoon(ticket: Ticket): void {
      const left = leave(ticket)
        .catch((cause: unknown) => log.warn('slot could not be given back', { cause }))
        .finally(() => leaving.delete(left))
      leaving.add(left)
    },
    settled: async () => void (await Promise.all(leaving)),
  }
}

/** Resolves when the ticket is let in, rejects with the reason of the signal. */
function waitIn(waiting: Map<string, Waiter>, ticket: Ticket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      waiting.delete(ticket.id)
      reject(abortReason(signal))
    }
    const enter = () => {
      waiting.delete(ticket.id)
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    waiting.set(ticket.id, { ticket, enter })
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

type WatchOptions = SharedOptions & {
  waiting: ReadonlyMap<string, Waiter>
  letIn(ids: readonly string[]): void
}

/** Looks, as long as somebody waits, whether another process has let them in, or has died with what it had. */
function createWatch({ quotas, limitOf, lease, log, waiting, letIn }: WatchOptions) {
  let timer: NodeJS.Timeout | undefined
  let sweptAt = performance.now()

  async function look(): Promise<void> {
    const store = await quotas()
    letIn(await store.heldBy(lease.workerId))
    if (performance.now() - sweptAt < sweepMs) return
    sweptAt = performance.now()
    await lease.releaseDead()
    const teams = new Set(Array.from(waiting.values(), ({ ticket }) => ticket.teamId))
    for (const teamId of teams) letIn(await store.advance(teamId, await limitOf(teamId)))
  }
  const lookAgain = () => {
    timer = setTimeout(() => {
      look()
        .catch((cause: unknown) => log.warn('slots could not be read', { cause }))
        .finally(() => {
          timer = undefined
          if (waiting.size > 0) lookAgain()
        })
    }, pollMs).unref()
  }
  return {
    start(): void {
      if (timer === undefined) lookAgain()
    },
  }
}
