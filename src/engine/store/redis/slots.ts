import type { Quotas, Ticket } from '../quotas.ts'
import type { Counts } from './counts.ts'

type Limits = Parameters<Quotas['join']>[1]
type Taken = { ticket: Ticket; limits: Limits; place: 'redis' | 'database' }
/** Asks Redis, and does otherwise where it is gone. */
export type Ask = <T>(question: (counts: Counts) => Promise<T>, otherwise: () => Promise<T> | T) => Promise<T>
type Slots = Pick<Quotas, 'join' | 'leave' | 'advance' | 'heldBy' | 'load'>

/** The tickets of this process, as far as more than Redis has to know of them. */
function createTickets(base: Pick<Slots, 'join'>) {
  /** Those that wait, and those in the database. */
  const taken = new Map<string, Taken>()
  /** What Redis still has to be told is given up. */
  const owed = new Map<string, Ticket>()

  function joinBase(ticket: Ticket, limits: Limits): ReturnType<Quotas['join']> {
    // Redis may have let it in before it went away.
    owed.set(ticket.id, ticket)
    taken.set(ticket.id, { ticket, limits, place: 'database' })
    return base.join(ticket, limits)
  }

  return {
    taken,
    owed,
    joinBase,
    isInBase: () => [...taken.values()].some(({ place }) => place === 'database'),
    /** Those who wait for a slot in Redis wait in the database instead; whoever is let in is read there next. */
    async moveWaiting(workerId: string): Promise<string[]> {
      const stranded = [...taken.values()].filter(
        ({ ticket, place }) => place === 'redis' && ticket.workerId === workerId,
      )
      for (const { ticket, limits } of stranded)
        await joinBase(ticket, { ...limits, maxWaiting: Number.MAX_SAFE_INTEGER })
      return []
    },
  }
}

/** Slots in Redis, or in the database for those who come while it is gone. */
export function createRedisSlots(ask: Ask, isUp: () => boolean, base: Slots): Slots & { payOwed(): Promise<void> } {
  const { taken, owed, joinBase, isInBase, moveWaiting } = createTickets(base)
  return {
    async join(ticket, limits) {
      taken.set(ticket.id, { ticket, limits, place: 'redis' })
      const joined = await ask(
        (counts) => counts.join(ticket, limits),
        () => joinBase(ticket, limits),
      )
      const isInRedis = taken.get(ticket.id)?.place === 'redis'
      if (joined.state === 'full' || (isInRedis && joined.state === 'held')) taken.delete(ticket.id)
      return joined
    },
    async leave(ticket, most) {
      const place = taken.get(ticket.id)?.place
      taken.delete(ticket.id)
      if (place === 'database') return base.leave(ticket, most)
      return ask(
        (counts) => counts.leave(ticket, most),
        () => (owed.set(ticket.id, ticket), []),
      )
    },
    async advance(teamId, most) {
      const inRedis = await ask((counts) => counts.advance(teamId, most), nobody)
      return isInBase() ? [...inRedis, ...(await base.advance(teamId, most))] : inRedis
    },
    async heldBy(workerId) {
      const held = await ask(
        (counts) => counts.heldBy(workerId),
        () => moveWaiting(workerId),
      )
      return isInBase() ? [...held, ...(await base.heldBy(workerId))] : held
    },
    async load(teamId) {
      const inRedis = await ask(
        (counts) => counts.load(teamId),
        () => ({ active: 0, waiting: 0 }),
      )
      if (isUp() && !isInBase()) return inRedis
      const { active, waiting } = await base.load(teamId)
      return { active: inRedis.active + active, waiting: inRedis.waiting + waiting }
    },
    async payOwed() {
      for (const [id, ticket] of owed)
        // Nobody is let in by it: that is done by whoever looks next.
        await ask(
          async (counts) => {
            await counts.leave(ticket, 0)
            owed.delete(id)
          },
          () => undefined,
        )
    },
  }
}

const nobody = (): string[] => []
