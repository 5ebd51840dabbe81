import type { Clock } from '../../contracts/ports.ts'
import type { Deliveries, Delivery, QueuedEvent } from '../../contracts/webhook.ts'
import { createFairSemaphore, type FairSemaphore } from '../../util/fair/semaphore.ts'
import type { Post } from '../net/http/post.ts'
import { attempt, type Attempt } from './attempt.ts'

export type Sent = { delivery: Delivery; triedAt: number; attempted: Attempt }
/** Sends an event once, when its receiver has room for it. Undefined when it is gone, or the program ends. */
export type Send = (event: QueuedEvent, teamId: string, limitMs?: number) => Promise<Sent | undefined>

export type SenderOptions = {
  deliveries: Pick<Deliveries, 'read'>
  post: Post
  clock: Clock
  /** Key of the team's signatures; without one nothing is signed. */
  secretOf(teamId: string): Promise<string | undefined>
  /** How long a receiver may take to answer. */
  timeoutMs?: number
}

/** Requests to one host at a time, of all teams together. */
const perHost = 8

export function createSender(options: SenderOptions, ending: AbortSignal): Send {
  const { deliveries, clock, post, secretOf, timeoutMs = 10_000 } = options
  const hosts = createHostLimit(perHost)
  const once: Send = async ({ id, url }, teamId, limitMs = timeoutMs) => {
    const leave = await hosts.enter(url, teamId, ending)
    try {
      const delivery = await deliveries.read(id)
      const triedAt = clock.now()
      const secret = await secretOf(teamId)
      const limits = { post, teamId, secret, timeoutMs: Math.min(timeoutMs, limitMs) }
      return delivery && { delivery, triedAt, attempted: await attempt(limits, delivery, ending) }
    } finally {
      leave()
    }
  }
  return (event, teamId, limitMs) =>
    once(event, teamId, limitMs).catch((cause: unknown) => {
      if (ending.aborted) return undefined
      throw cause
    })
}

/** Lets so many in at a time for each host, teams in turn: many use the same service to receive. */
function createHostLimit(atOnce: number) {
  const hosts = new Map<string, { turns: FairSemaphore; callers: number }>()
  return {
    async enter(url: string, teamId: string, signal: AbortSignal): Promise<() => void> {
      const name = URL.parse(url)?.host ?? url
      const host = hosts.get(name) ?? { turns: createFairSemaphore({ usual: atOnce, reserved: 0 }), callers: 0 }
      hosts.set(name, host)
      host.callers += 1
      const forget = () => {
        host.callers -= 1
        if (host.callers === 0) hosts.delete(name)
      }
      const leave = await host.turns.acquire(teamId, signal).catch((reason: unknown) => {
        forget()
        throw reason
      })
      return () => {
        leave()
        forget()
      }
    },
  }
}
