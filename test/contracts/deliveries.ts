import { describe, expect, test } from 'vitest'
import { emit, type OpenCrawls } from './crawl-world.ts'
import { aDelivery } from './fixtures.ts'
import { opened } from './store-under-test.ts'

const leaseMs = 30_000

/** One delivery each of as many crawls. */
const oneEach = (count: number) => Array.from({ length: count }, (_, nth) => aDelivery({ crawlId: `crawl-${nth}` }))

/** What every store of webhook deliveries does. */
export function describeDeliveries(open: OpenCrawls): void {
  async function world() {
    const made = await opened(open)
    const { crawls, deliveries } = made.store
    return {
      ...made,
      deliveries,
      /** Another process on the same data. */
      other: (await made.another()).deliveries,
      add: (...added: ReturnType<typeof aDelivery>[]) => emit(crawls, ...added),
      claimedIds: async (owner: string, count = 10, from = deliveries) =>
        (await from.claim(owner, count, leaseMs)).map(({ id }) => id),
    }
  }

  describe('a delivery', () => {
    test('is claimed as it was written', async () => {
      const { deliveries, add } = await world()
      const delivery = aDelivery({ headers: { 'X-A': '1' }, body: '{"text":"naïve 🕸"}' })
      await add(delivery)
      expect(await deliveries.claim('me', 10, leaseMs)).toEqual([{ ...delivery, tries: 1 }])
    })

    test('written twice stays as it was first', async () => {
      const { deliveries, add } = await world()
      const delivery = aDelivery()
      await add(delivery)
      await add({ ...delivery, body: 'changed' })
      expect(await deliveries.claim('me', 10, leaseMs)).toEqual([{ ...delivery, tries: 1 }])
    })

    test('that was sent never comes again', async () => {
      const { deliveries, add, clock, claimedIds } = await world()
      const delivery = aDelivery({ headers: { authorization: 'secret' } })
      await add(delivery)
      await claimedIds('me')
      await deliveries.sent(delivery.id)
      clock.advance(leaseMs)
      expect(await claimedIds('me')).toEqual([])
      expect(await deliveries.nextDueAt()).toBeUndefined()
    })

    test('that was missed comes again at its time, the same as before', async () => {
      const { deliveries, add, clock, claimedIds } = await world()
      const delivery = aDelivery({ headers: { a: 'b' } })
      await add(delivery)
      await claimedIds('me')
      const retryAt = clock.now() + 60_000
      await deliveries.failed(delivery.id, 'status 500', retryAt)
      expect(await deliveries.nextDueAt()).toBe(retryAt)
      clock.advance(59_999)
      expect(await claimedIds('me')).toEqual([])
      clock.advance(1)
      expect(await deliveries.claim('me', 10, leaseMs)).toEqual([{ ...delivery, tries: 2 }])
    })

    test('that was given up is listed with its reason for its crawl only', async () => {
      const { deliveries, add, clock, claimedIds } = await world()
      const [one, two, other] = [aDelivery(), aDelivery({ type: 'crawl.failed' }), aDelivery({ crawlId: 'crawl-2' })]
      await add(one, two, other)
      for (const { id } of [one, other, two]) {
        while ((await claimedIds('me')).length > 0);
        clock.advance(5)
        await deliveries.failed(id, `no ${id}`, undefined)
      }
      expect(await deliveries.abandoned('crawl-1')).toEqual([
        { id: one.id, type: 'crawl.page', at: clock.now() - 10, why: `no ${one.id}` },
        { id: two.id, type: 'crawl.failed', at: clock.now(), why: `no ${two.id}` },
      ])
      expect(await claimedIds('me')).toEqual([])
    })
  })

  describe('a claim', () => {
    test('takes the first of each crawl, and no second before that is settled', async () => {
      const { add, claimedIds, deliveries } = await world()
      const [a1, a2, b1] = [aDelivery(), aDelivery(), aDelivery({ crawlId: 'crawl-b' })]
      await add(a1, a2, b1)
      expect(await claimedIds('me')).toEqual([a1.id, b1.id])
      expect(await claimedIds('me')).toEqual([])
      await deliveries.sent(a1.id)
      expect(await claimedIds('me')).toEqual([a2.id])
    })

    test('takes as many as it was asked for, those that wait longest', async () => {
      const { add, claimedIds, clock } = await world()
      const all = oneEach(7)
      for (const each of all.toReversed()) {
        await add({ ...each, createdAt: clock.now() })
        clock.advance(1)
      }
      const ids = all.map(({ id }) => id).toReversed()
      expect(await claimedIds('me', 3)).toEqual(ids.slice(0, 3))
      expect(await claimedIds('me', 3)).toEqual(ids.slice(3, 6))
      expect(await claimedIds('me', 3)).toEqual(ids.slice(6))
    })

    test('lets those that were never tried go before one that failed', async () => {
      const { add, claimedIds, clock, deliveries } = await world()
      const [first, second] = [aDelivery(), aDelivery()]
      await add(first)
      await claimedIds('me')
      await deliveries.failed(first.id, 'no', clock.now() + 1000)
      clock.advance(500)
      await add(second)
      clock.advance(1000)
      expect(await claimedIds('me')).toEqual([second.id])
      await deliveries.sent(second.id)
      expect(await claimedIds('me')).toEqual([first.id])
    })

    test('never gives one delivery to two owners, however many ask at once', async () => {
      const { add, claimedIds } = await world()
      const all = oneEach(100)
      await add(...all)
      const taken = await Promise.all(Array.from({ length: 40 }, (_, nth) => claimedIds(`owner-${nth}`, 3)))
      expect(taken.flat().toSorted()).toEqual(all.map(({ id }) => id))
    })

    test('takes over what another held past its lease, unchanged and before what waits behind it', async () => {
      const { add, claimedIds, clock, other } = await world()
      const [first, second] = [aDelivery({ headers: { a: 'b' } }), aDelivery()]
      await add(first, second)
      expect(await claimedIds('killed')).toEqual([first.id])
      clock.advance(leaseMs - 1)
      expect(await claimedIds('me', 10, other)).toEqual([])
      clock.advance(1)
      expect(await other.claim('me', 10, leaseMs)).toEqual([{ ...first, tries: 2 }])
    })

    test('is not undone by an owner whose lease has ended', async () => {
      const { add, claimedIds, clock, deliveries, other } = await world()
      const delivery = aDelivery()
      await add(delivery)
      await claimedIds('slow')
      clock.advance(leaseMs)
      await claimedIds('me', 10, other)
      await deliveries.failed(delivery.id, 'late', clock.now())
      await deliveries.failed(delivery.id, 'late', undefined)
      expect(await deliveries.nextDueAt()).toBe(clock.now() + leaseMs)
      expect(await deliveries.abandoned(delivery.crawlId)).toEqual([])
      expect(await claimedIds('third')).toEqual([])
      await other.sent(delivery.id)
      expect(await deliveries.nextDueAt()).toBeUndefined()
    })
  })

  describe('the next delivery is due', () => {
    test('never when there is none', async () => {
      expect(await (await world()).deliveries.nextDueAt()).toBeUndefined()
    })

    test('when the lease of one that is held would end', async () => {
      const { add, claimedIds, clock, deliveries } = await world()
      await add(aDelivery())
      expect(await deliveries.nextDueAt()).toBe(clock.now())
      await claimedIds('me')
      expect(await deliveries.nextDueAt()).toBe(clock.now() + leaseMs)
    })
  })

  test('deliveries are there again when the program is started again, and one under way comes after its lease', async () => {
    const { add, claimedIds, clock, restart } = await world()
    const [first, second] = [aDelivery(), aDelivery({ crawlId: 'crawl-2' })]
    await add(first, second)
    expect(await claimedIds('killed', 1)).toEqual([first.id])
    const { deliveries: later } = await restart()
    expect(await later.claim('me', 10, leaseMs)).toEqual([{ ...second, tries: 1 }])
    clock.advance(leaseMs)
    expect(await later.claim('me', 1, leaseMs)).toEqual([{ ...first, tries: 2 }])
  })
}
