import { describe, expect, test } from 'vitest'
import type { OpenCrawls } from './crawl-world.ts'
import { deliveryWorld, leaseMs } from './delivery-world.ts'
import { aCrawl, aDelivery } from './fixtures.ts'

/** Returns one delivery for each of this number of crawls. */
const oneEach = (count: number) => Array.from({ length: count }, (_, nth) => aDelivery({ crawlId: `crawl-${nth}` }))

/** The contract of every store of webhook deliveries. */
export function describeDeliveryQueues(open: OpenCrawls): void {
  const world = () => deliveryWorld(open)

  describe('a queue', () => {
    test('is held by one worker until that worker leaves it', async () => {
      const { add, claimedIds, deliveries, other } = await world()
      await add(aDelivery({ crawlId: 'crawl-a' }), aDelivery({ crawlId: 'crawl-b' }))
      expect(await claimedIds('me')).toEqual(['crawl-a', 'crawl-b'])
      expect(await claimedIds('other', 10, other)).toEqual([])
      await other.leave('crawl-a', 'other')
      expect(await claimedIds('other', 10, other)).toEqual([])
      await deliveries.leave('crawl-a', 'me')
      expect(await claimedIds('other', 10, other)).toEqual(['crawl-a'])
      expect((await deliveries.workers()).toSorted()).toEqual(['me', 'other'])
    })

    test('is claimed in the order of the longest wait, up to the limit of a team per worker', async () => {
      const { add, claimedIds, clock, deliveries } = await world()
      const all = oneEach(7)
      for (const each of all.toReversed()) {
        await add({ ...each, createdAt: clock.now() })
        clock.advance(1)
      }
      const ids = all.map(({ crawlId }) => crawlId).toReversed()
      expect((await claimedIds('me', 3)).toSorted()).toEqual(ids.slice(0, 3).toSorted())
      expect(await claimedIds('me', 3)).toEqual([])
      expect((await claimedIds('me', 5)).toSorted()).toEqual(ids.slice(3, 5).toSorted())
      for (const id of ids.slice(0, 4)) await deliveries.sent(all.find(({ crawlId }) => crawlId === id)!.id)
      for (const id of ids.slice(0, 4)) await deliveries.leave(id, 'me')
      expect((await claimedIds('me', 3)).toSorted()).toEqual(ids.slice(5).toSorted())
    })

    test('of one team does not count towards the limit of another', async () => {
      const { store, deliveries, claimedIds } = await world()
      for (const [id, teamId] of Object.entries({ a: 'red', b: 'red', c: 'red', d: 'blue' }))
        await store.crawls.start(aCrawl({ id, teamId }), [], aDelivery({ crawlId: id }))
      expect(
        (await deliveries.claim('me', 1, leaseMs)).toSorted((a, b) => a.crawlId.localeCompare(b.crawlId)),
      ).toMatchObject([
        { crawlId: 'a', teamId: 'red' },
        { crawlId: 'd', teamId: 'blue' },
      ])
      expect(await claimedIds('me', 2)).toEqual(['b'])
    })

    test('is never given to two workers that claim concurrently', async () => {
      const { add, claimedIds } = await world()
      const all = oneEach(100)
      await add(...all)
      const taken = await Promise.all(Array.from({ length: 40 }, (_, nth) => claimedIds(`worker-${nth}`, 3)))
      expect(taken.flat().toSorted()).toEqual(all.map(({ crawlId }) => crawlId).toSorted())
    })

    test('left with a pause is not due before its end, even with new events', async () => {
      const { add, claimedIds, deliveries, clock } = await world()
      await add(aDelivery())
      await claimedIds('me')
      await deliveries.leave('crawl-1', 'me', clock.now() + 5000)
      await add(aDelivery())
      clock.advance(4999)
      expect(await claimedIds('me')).toEqual([])
      expect(await deliveries.nextDueAt()).toBe(clock.now() + 1)
      clock.advance(1)
      expect(await deliveries.claim('me', 10, leaseMs)).toEqual([
        { crawlId: 'crawl-1', teamId: 'team', wasPaused: true },
      ])
      await deliveries.leave('crawl-1', 'me')
      expect(await deliveries.claim('me', 10, leaseMs)).toEqual([
        { crawlId: 'crawl-1', teamId: 'team', wasPaused: false },
      ])
    })

    test('left without a pause is due with its first event, or a new one', async () => {
      const { add, claimedIds, deliveries, clock, fail } = await world()
      const missed = aDelivery()
      await add(missed)
      await claimedIds('me')
      await fail(missed.id, 60_000)
      await deliveries.leave('crawl-1', 'me')
      expect(await deliveries.nextDueAt()).toBe(clock.now() + 60_000)
      expect(await claimedIds('me')).toEqual([])
      await add(aDelivery())
      expect(await claimedIds('me')).toEqual(['crawl-1'])
    })

    test('is taken over when its lease ends, which its worker renews', async () => {
      const { add, claimedIds, clock, deliveries, other } = await world()
      await add(aDelivery(), aDelivery({ crawlId: 'crawl-2' }))
      expect(await claimedIds('slow')).toEqual(['crawl-1', 'crawl-2'])
      clock.advance(leaseMs - 1)
      expect(await claimedIds('me', 10, other)).toEqual([])
      await deliveries.renew('slow', ['crawl-2'], leaseMs)
      await deliveries.renew('stranger', ['crawl-1'], leaseMs)
      clock.advance(1)
      expect(await claimedIds('me', 10, other)).toEqual(['crawl-1'])
    })

    test('is free immediately when its worker is released', async () => {
      const { add, claimedIds, deliveries, other } = await world()
      await add(...oneEach(2))
      await claimedIds('dead', 1)
      await other.release('dead')
      expect(await deliveries.workers()).toEqual([])
      expect(await claimedIds('me')).toHaveLength(2)
    })

    test('is not changed by a worker that has lost it', async () => {
      const { add, claimedIds, clock, deliveries, other, fail } = await world()
      const delivery = aDelivery()
      await add(delivery)
      await claimedIds('slow')
      clock.advance(leaseMs)
      await claimedIds('me', 10, other)
      await fail(delivery.id, 0, 'slow')
      await fail(delivery.id, undefined, 'slow')
      await deliveries.leave('crawl-1', 'slow', clock.now() + 1)
      expect(await deliveries.abandoned('crawl-1')).toEqual([])
      expect((await deliveries.look('crawl-1', 1)).due).toMatchObject([{ id: delivery.id, tries: 0 }])
      expect(await claimedIds('third')).toEqual([])
      // A delivery counts as received, whichever process reports it.
      await deliveries.sent(delivery.id)
      await other.leave('crawl-1', 'me')
      expect(await deliveries.nextDueAt()).toBeUndefined()
    })

    test('is due, if held, at the end of its lease', async () => {
      const { add, claimedIds, clock, deliveries } = await world()
      expect(await deliveries.nextDueAt()).toBeUndefined()
      await add(aDelivery())
      expect(await deliveries.nextDueAt()).toBe(clock.now())
      await claimedIds('me')
      expect(await deliveries.nextDueAt()).toBe(clock.now() + leaseMs)
    })

    test('survives a restart', async () => {
      const { add, claimedIds, clock, restart } = await world()
      await add(...oneEach(2))
      const [held] = await claimedIds('killed', 1)
      const { deliveries: later } = await restart()
      expect(await later.claim('me', 10, leaseMs)).toHaveLength(1)
      clock.advance(leaseMs)
      expect((await later.claim('me', 10, leaseMs)).map(({ crawlId }) => crawlId)).toContain(held)
    })
  })
}
