import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createDeliveries,
  expiredDeliveries,
  insertDelivery,
  insertDeliveryIf,
} from '../../src/engine/store/sqlite/crawl/deliveries.ts'
import type { Db, Statement } from '../../src/engine/store/sqlite/db/db.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createSweep } from '../../src/engine/store/sqlite/db/sweep.ts'
import { aDelivery } from '../webhook/kit.ts'
import { fakeClock, logBook } from './kit.ts'

const leaseMs = 30_000
const dayMs = 86_400_000

function open() {
  const db = openSqlite(':memory:')
  onTestFinished(() => db.close())
  const clock = fakeClock()
  const deliveries = createDeliveries({ db, clock })
  return {
    db,
    clock,
    deliveries,
    /** Another process on the same data. */
    other: createDeliveries({ db, clock }),
    add: (...added: ReturnType<typeof aDelivery>[]) =>
      db.transaction(added.map((each) => insertDelivery(each, clock.now()))),
    claimedIds: async (owner: string, count = 10, from = deliveries) =>
      (await from.claim(owner, count, leaseMs)).map(({ id }) => id),
    rows: () => db.all('SELECT * FROM delivery ORDER BY id'),
  }
}

/** One delivery each of as many crawls. */
const crawls = (count: number) => Array.from({ length: count }, (_, nth) => aDelivery({ crawlId: `crawl-${nth}` }))

describe('a delivery', () => {
  test('is claimed as it was written', async () => {
    const { deliveries, add } = open()
    const delivery = aDelivery({ headers: { 'X-A': '1' }, body: '{"text":"naïve 🕸"}' })
    await add(delivery)
    expect(await deliveries.claim('me', 10, leaseMs)).toEqual([{ ...delivery, tries: 1 }])
  })

  test('written twice stays as it was first', async () => {
    const { deliveries, add } = open()
    const delivery = aDelivery()
    await add(delivery)
    await add({ ...delivery, body: 'changed' })
    expect(await deliveries.claim('me', 10, leaseMs)).toEqual([{ ...delivery, tries: 1 }])
  })

  test.each([
    { what: 'true', value: 1, count: 1 },
    { what: 'false', value: 2, count: 0 },
  ])('on a condition that is $what is written $count times', async ({ value, count }) => {
    const { db, clock, rows } = open()
    const condition = { sql: '1 = ?', params: [value] }
    await db.transaction([insertDeliveryIf(aDelivery(), clock.now(), condition)])
    expect(await rows()).toHaveLength(count)
  })

  test('written twice on a condition stays as it was first', async () => {
    const { db, clock, deliveries } = open()
    const delivery = aDelivery()
    const condition = { sql: '1 = ?', params: [1] }
    for (const body of [delivery.body, 'changed'])
      await db.transaction([insertDeliveryIf({ ...delivery, body }, clock.now(), condition)])
    expect(await deliveries.claim('me', 10, leaseMs)).toEqual([{ ...delivery, tries: 1 }])
  })

  test('that was sent never comes again, and leaves neither body nor headers', async () => {
    const { deliveries, add, clock, claimedIds, db } = open()
    const delivery = aDelivery({ headers: { authorization: 'secret' } })
    await add(delivery)
    await claimedIds('me')
    await deliveries.sent(delivery.id)
    clock.advance(leaseMs)
    expect(await claimedIds('me')).toEqual([])
    expect(await deliveries.nextDueAt()).toBeUndefined()
    const [row] = await db.all('SELECT state, headers, body_zst, ended_at, why FROM delivery')
    expect(row).toEqual({
      state: 'sent',
      headers: '{}',
      body_zst: new Uint8Array(),
      ended_at: clock.now() - leaseMs,
      why: null,
    })
  })

  test('that was missed comes again at its time, the same as before', async () => {
    const { deliveries, add, clock, claimedIds } = open()
    const delivery = aDelivery({ headers: { a: 'b' } })
    await add(delivery)
    await claimedIds('me')
    const retryAt = clock.now() + 60_000
    await deliveries.missed(delivery.id, 'status 500', retryAt)
    expect(await deliveries.nextDueAt()).toBe(retryAt)
    clock.advance(59_999)
    expect(await claimedIds('me')).toEqual([])
    clock.advance(1)
    expect(await deliveries.claim('me', 10, leaseMs)).toEqual([{ ...delivery, tries: 2 }])
  })

  test('that was given up is listed with its reason for its crawl only', async () => {
    const { deliveries, add, clock, claimedIds, db } = open()
    const [one, two, other] = [aDelivery(), aDelivery({ type: 'crawl.failed' }), aDelivery({ crawlId: 'crawl-2' })]
    await add(one, two, other)
    for (const { id } of [one, other, two]) {
      while ((await claimedIds('me')).length > 0);
      clock.advance(5)
      await deliveries.missed(id, `no ${id}`, undefined)
    }
    expect(await deliveries.givenUp('crawl-1')).toEqual([
      { id: one.id, type: 'crawl.page', at: clock.now() - 10, why: `no ${one.id}` },
      { id: two.id, type: 'crawl.failed', at: clock.now(), why: `no ${two.id}` },
    ])
    expect(await claimedIds('me')).toEqual([])
    expect(await db.all('SELECT DISTINCT body_zst, headers FROM delivery')).toEqual([
      { body_zst: new Uint8Array(), headers: '{}' },
    ])
  })

  test('is deleted after a week, whatever became of it', async () => {
    const { db, clock, add, rows } = open()
    const { log } = logBook()
    const sweep = createSweep({ db, clock, log, closing: new AbortController().signal }, expiredDeliveries)
    await add(...Array.from({ length: 450 }, () => aDelivery({ createdAt: clock.now() })))
    clock.advance(7 * dayMs - 1)
    await add(aDelivery({ createdAt: clock.now() }))
    sweep.nudge()
    await sweep.idle()
    expect(await rows()).toHaveLength(451)
    clock.advance(60_000)
    sweep.nudge()
    await sweep.idle()
    expect(await rows()).toHaveLength(1)
  })
})

describe('a claim', () => {
  test('takes the first of each crawl, and no second before that is settled', async () => {
    const { add, claimedIds, deliveries } = open()
    const [a1, a2, b1] = [aDelivery(), aDelivery(), aDelivery({ crawlId: 'crawl-b' })]
    await add(a1, a2, b1)
    expect(await claimedIds('me')).toEqual([a1.id, b1.id])
    expect(await claimedIds('me')).toEqual([])
    await deliveries.sent(a1.id)
    expect(await claimedIds('me')).toEqual([a2.id])
  })

  test('takes as many as it was asked for, those that wait longest', async () => {
    const { add, claimedIds, clock } = open()
    const all = crawls(7)
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
    const { add, claimedIds, clock, deliveries } = open()
    const [first, second] = [aDelivery(), aDelivery()]
    await add(first)
    await claimedIds('me')
    await deliveries.missed(first.id, 'no', clock.now() + 1000)
    clock.advance(500)
    await add(second)
    clock.advance(1000)
    expect(await claimedIds('me')).toEqual([second.id])
    await deliveries.sent(second.id)
    expect(await claimedIds('me')).toEqual([first.id])
  })

  test('never gives one delivery to two owners, however many ask at once', async () => {
    const { add, claimedIds } = open()
    const all = crawls(100)
    await add(...all)
    const taken = await Promise.all(Array.from({ length: 40 }, (_, nth) => claimedIds(`owner-${nth}`, 3)))
    expect(taken.flat().toSorted()).toEqual(all.map(({ id }) => id))
  })

  test('takes over what another held past its lease, unchanged and before what waits behind it', async () => {
    const { add, claimedIds, clock, other } = open()
    const [first, second] = [aDelivery({ headers: { a: 'b' } }), aDelivery()]
    await add(first, second)
    expect(await claimedIds('killed')).toEqual([first.id])
    clock.advance(leaseMs - 1)
    expect(await claimedIds('me', 10, other)).toEqual([])
    clock.advance(1)
    expect(await other.claim('me', 10, leaseMs)).toEqual([{ ...first, tries: 2 }])
  })

  test('is not undone by an owner whose lease has ended', async () => {
    const { add, claimedIds, clock, deliveries, other, rows } = open()
    const delivery = aDelivery()
    await add(delivery)
    await claimedIds('slow')
    clock.advance(leaseMs)
    await claimedIds('me', 10, other)
    const held = await rows()
    await deliveries.missed(delivery.id, 'late', clock.now())
    await deliveries.missed(delivery.id, 'late', undefined)
    expect(await rows()).toEqual(held)
    await other.sent(delivery.id)
    expect(await rows()).toEqual([expect.objectContaining({ state: 'sent' })])
  })

  test('reads neither all that waits nor what has ended', async () => {
    const { db, clock } = open()
    const seen: Statement[] = []
    const watched: Db = {
      ...db,
      transaction: (statements) => {
        seen.push(...statements)
        return db.transaction(statements)
      },
    }
    await createDeliveries({ db: watched, clock }).claim('me', 1, leaseMs)
    const plans = await Promise.all(seen.map(({ sql, params }) => db.all(`EXPLAIN QUERY PLAN ${sql}`, params)))
    const steps = plans.flat().map(({ detail }) => String(detail))
    const reads = steps.filter((step) => /\bdelivery\b|\bhead\b/.test(step))
    const found =
      /^SEARCH \w+ USING (?:COVERING )?INDEX (?:delivery_held|delivery_in_turn|sqlite_autoindex_delivery_1)\b/
    expect(reads).toHaveLength(7)
    expect(reads.filter((step) => !found.test(step))).toEqual([])
  })
})

describe('the next delivery is due', () => {
  test('never when there is none', async () => {
    expect(await open().deliveries.nextDueAt()).toBeUndefined()
  })

  test('when the lease of one that is held would end', async () => {
    const { add, claimedIds, clock, deliveries } = open()
    await add(aDelivery())
    expect(await deliveries.nextDueAt()).toBe(clock.now())
    await claimedIds('me')
    expect(await deliveries.nextDueAt()).toBe(clock.now() + leaseMs)
  })
})
