import { describe, expect, test } from 'vitest'
import type { OpenCrawls } from './crawl-world.ts'
import { deliveryWorld, leaseMs } from './delivery-world.ts'
import { aDelivery } from './fixtures.ts'

/** The contract of every store of webhook deliveries. */
export function describeDeliveries(open: OpenCrawls): void {
  const world = () => deliveryWorld(open)

  describe('a delivery', () => {
    test('is read unchanged', async () => {
      const { deliveries, add, dueIds } = await world()
      const delivery = aDelivery({ headers: { 'X-A': '1' }, body: '{"text":"naïve 🕸"}' })
      await add(delivery)
      expect(await dueIds()).toEqual([delivery.id])
      expect(await deliveries.read(delivery.id)).toEqual(delivery)
      expect(await deliveries.read('unknown')).toBeUndefined()
    })

    test('is removed once it was sent', async () => {
      const { deliveries, add, clock, claimedIds, dueIds } = await world()
      const delivery = aDelivery({ headers: { authorization: 'secret' } })
      await add(delivery)
      await claimedIds('me')
      await deliveries.sent(delivery.id)
      expect(await dueIds()).toEqual([])
      await deliveries.leave('crawl-1', 'me')
      clock.advance(leaseMs)
      expect(await claimedIds('me')).toEqual([])
      expect(await deliveries.nextDueAt()).toBeUndefined()
    })

    test('that failed is due again at its time, unchanged', async () => {
      const { deliveries, add, clock, claimedIds, dueIds, fail } = await world()
      const delivery = aDelivery({ headers: { a: 'b' } })
      await add(delivery)
      await claimedIds('me')
      const firstTriedAt = clock.now()
      await fail(delivery.id, 60_000)
      const missed = {
        id: delivery.id,
        url: delivery.url,
        turn: 1,
        tries: 1,
        firstTriedAt,
        dueAt: clock.now() + 60_000,
      }
      expect(await deliveries.look('crawl-1', 10)).toEqual({ due: [], missed })
      clock.advance(59_999)
      expect(await dueIds()).toEqual([])
      clock.advance(1)
      expect(await deliveries.look('crawl-1', 10)).toEqual({ due: [missed], missed: undefined })
      expect(await deliveries.read(delivery.id)).toEqual(delivery)
      await fail(delivery.id, 1000)
      expect((await deliveries.look('crawl-1', 10)).missed).toMatchObject({ tries: 2, firstTriedAt })
    })

    test('that failed for good is listed with its reason for its crawl only', async () => {
      const { deliveries, add, clock, claimedIds, dueIds, fail } = await world()
      const [one, two, other] = [aDelivery(), aDelivery({ type: 'crawl.failed' }), aDelivery({ crawlId: 'crawl-2' })]
      await add(one, two, other)
      await claimedIds('me')
      await fail(one.id, 1000)
      expect(await deliveries.missed('crawl-1')).toEqual([{ type: 'crawl.page', tries: 1, why: `no ${one.id}` }])
      expect(await deliveries.missed('crawl-2')).toEqual([])
      for (const { id } of [one, other, two]) {
        clock.advance(5)
        await fail(id, undefined)
      }
      expect(await deliveries.missed('crawl-1')).toEqual([])
      expect(await deliveries.abandoned('crawl-1')).toEqual([
        { id: one.id, type: 'crawl.page', at: clock.now() - 10, why: `no ${one.id}` },
        { id: two.id, type: 'crawl.failed', at: clock.now(), why: `no ${two.id}` },
      ])
      expect(await dueIds()).toEqual([])
    })
  })

  describe('the search for due events', () => {
    test('returns them in order: the start, the pages, the end', async () => {
      const { add, dueIds, deliveries } = await world()
      const end = aDelivery({ type: 'crawl.completed' })
      const pages = [aDelivery(), aDelivery(), aDelivery()]
      const start = aDelivery({ type: 'crawl.started' })
      await add(end, ...pages, start)
      expect(await dueIds()).toEqual([start, ...pages, end].map(({ id }) => id))
      expect((await deliveries.look('crawl-1', 2)).due.map(({ turn }) => turn)).toEqual([0, 1])
    })

    test('returns the latest failed event of the earliest group', async () => {
      const { add, deliveries, claimedIds, clock, fail } = await world()
      const [start, one, two] = [aDelivery({ type: 'batch_scrape.started' }), aDelivery(), aDelivery()]
      await add(start, one, two)
      await claimedIds('me')
      await fail(two.id, 60_000)
      clock.advance(1)
      await fail(one.id, 60_000)
      expect((await deliveries.look('crawl-1', 10)).missed?.id).toBe(one.id)
      await fail(start.id, 60_000)
      expect((await deliveries.look('crawl-1', 10)).missed?.id).toBe(start.id)
    })

    test('puts a failed event after a later one that was accepted', async () => {
      const { add, deliveries, claimedIds, clock, dueIds, fail } = await world()
      const [start, one, two] = [aDelivery({ type: 'crawl.started' }), aDelivery(), aDelivery()]
      const end = aDelivery({ type: 'crawl.completed' })
      await add(start, one, two, end)
      await claimedIds('me')
      await fail(start.id, 1000)
      await fail(one.id, 1000)
      await deliveries.sent(two.id)
      expect((await deliveries.look('crawl-1', 10)).missed?.id).toBe(one.id)
      await deliveries.sent(end.id)
      expect((await deliveries.look('crawl-1', 10)).missed).toBeUndefined()
      clock.advance(1000)
      const late = aDelivery()
      await add(late)
      expect(await dueIds()).toEqual([late.id, start.id, one.id])
    })
  })
}
