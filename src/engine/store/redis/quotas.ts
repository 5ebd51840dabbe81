import type { Clock } from '../../../contracts/ports.ts'
import type { Quotas } from '../quotas.ts'
import { redisCounts } from './counts.ts'
import type { RedisLink } from './link.ts'
import { type Ask, createRedisSlots } from './slots.ts'

/**
 * Slots and rates counted in Redis, credits in the database. Where Redis is gone, the database counts those who come from then
 * on, and those who wait go on there. Who holds a slot in Redis meanwhile is not counted, so that a team may have up to twice its
 * slots until they are given up, and its calls of that minute count anew.
 */
export function createRedisQuotas(link: RedisLink, base: Quotas, clock: Clock): Quotas {
  const ask: Ask = (question, otherwise) => link.ask((client) => question(redisCounts(client, clock)), otherwise)
  const { payOwed, ...slots } = createRedisSlots(ask, link.isUp, base)
  return {
    ...slots,
    countCall: (call) =>
      ask(
        (counts) => counts.countCall(call),
        () => base.countCall(call),
      ),
    holdCredits: (hold) => base.holdCredits(hold),
    releaseCredits: (jobId) => base.releaseCredits(jobId),
    async renew(workerId, leaseMs) {
      const inBase = await base.renew(workerId, leaseMs)
      const inRedis = await ask(
        (counts) => counts.renew(workerId, leaseMs),
        () => true,
      )
      await payOwed()
      return inBase && inRedis
    },
    async workers() {
      const inRedis = await ask(
        (counts) => counts.workers(),
        () => [],
      )
      return [...new Set([...inRedis, ...(await base.workers())])].toSorted()
    },
    async release(workerId) {
      await ask(
        (counts) => counts.release(workerId),
        () => undefined,
      )
      await base.release(workerId)
    },
  }
}
