import type { Clock } from '../../contracts/ports.ts'
import type { Deliveries, Delivery, QueuedEvent } from '../../contracts/webhook.ts'
import { createSemaphore, type Semaphore } from '../../util/semaphore.ts'
import type { Post } from '../net/http/post.ts'
import { attempt, type Attempt } from './attempt.ts'

export type Sent = { delivery: Delivery; triedAt: number; attempted: Attempt }
/** Sends an event once, when its receiver has room for it. Undefined when it is gone, or the program ends. */
export type Send = (event: QueuedEvent, limitMs?: number) => Promise<Sent | undefined>

export type SenderOptions = {
  deliveries: Pick<Deliveries, 'read'>
  post: Post
  clock: Clock
  /** Key of the signature; without one nothing is signed. */
  secret: string | undefined
  /** How long a receiver may take to answer. */
  timeoutMs?: number
}

/** Requests to one host at a time, of all crawls together. */
const perHost = 8

export function createSender(options: SenderOptions, ending: AbortSignal): Send {
  const { deliveries, clock, post, secret, timeoutMs = 10_000 } = options
  const hosts = createHostLimit(perHost)
  const once: Send = async ({ id, url }, limitMs = timeoutMs) => {
    const leave = await hosts.enter(url, ending)
    try {
      const delivery = await deliveries.read(id)
      const triedAt = clock.now()
      const limits = { post, secret, timeoutMs: Math.min(timeoutMs, limitMs) }
      return delivery && { delivery, triedAt, attempted: await attempt(limits, delivery, ending) }
    } finally {
      leave()
    }
  }
  return (event, limitMs) =>
    once(event, limitMs).catch((cause: unknown) => {
      if (ending.aborted) return undefined
      throw cause
    })
}

/** Lets so many in at a time for each host; what it answers lets the next in. */
function createHostLimit(atOnce: number) {
  const hosts = new Map<string, Semaphore>()
  return {
    async enter(url: string, signal: AbortSignal): Promise<() => void> {
      const host = URL.parse(url)?.host ?? url
      const turns = hosts.get(host) ?? createSemaphore(atOnce)
      hosts.set(host, turns)
      await turns.acquire(signal)
      return () => {
        turns.release()
        const { active, waiting } = turns.load()
        if (active + waiting === 0) hosts.delete(host)
      }
    },
  }
}
