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
import { fakeClock, logBook, aDelivery } from '../contracts/fixtures.ts'

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

describe('a delivery', () => {
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

  test('that was given up leaves neither body nor headers', async () => {
    const { deliveries, add, clock, claimedIds, db } = open()
    const [one, two, other] = [aDelivery(), aDelivery({ type: 'crawl.failed' }), aDelivery({ crawlId: 'crawl-2' })]
    await add(one, two, other)
    for (const { id } of [one, other, two]) {
      while ((await claimedIds('me')).length > 0);
      clock.advance(5)
      await deliveries.failed(id, `no ${id}`, undefined)
    }
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
  test('is not undone by an owner whose lease has ended', async () => {
    const { add, claimedIds, clock, deliveries, other, rows } = open()
    const delivery = aDelivery()
    await add(delivery)
    await claimedIds('slow')
    clock.advance(leaseMs)
    await claimedIds('me', 10, other)
    const held = await rows()
    await deliveries.failed(delivery.id, 'late', clock.now())
    await deliveries.failed(delivery.id, 'late', undefined)
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
