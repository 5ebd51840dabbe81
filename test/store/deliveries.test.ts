import { describe, expect, test } from 'vitest'
import {
  createDeliveries,
  expiredDeliveries,
  insertDelivery,
  insertDeliveryIf,
} from '../../src/engine/store/sqlite/crawl/deliveries.ts'
import { type Db, type Statement, createSweep } from '../../src/engine/store/sqlite/db/db.ts'
import { aDelivery } from '../contracts/fixtures.ts'
import { openTables } from './kit.ts'

const leaseMs = 30_000
const dayMs = 86_400_000

function open() {
  const tables = openTables()
  const { db, clock } = tables
  return {
    ...tables,
    deliveries: createDeliveries(tables),
    add: (...added: ReturnType<typeof aDelivery>[]) =>
      db.transaction(added.map((each) => insertDelivery(each, clock.now()))),
    rows: () => db.all('SELECT * FROM delivery ORDER BY id'),
  }
}

describe('a delivery', () => {
  test.each([
    { what: 'true', value: 1, count: 1 },
    { what: 'false', value: 2, count: 0 },
  ])('is inserted $count times if its condition is $what', async ({ value, count }) => {
    const { db, clock, rows } = open()
    const condition = { sql: '1 = ?', params: [value] }
    await db.transaction([insertDeliveryIf(aDelivery(), clock.now(), condition)])
    expect(await rows()).toHaveLength(count)
  })

  test('inserted twice keeps its first body', async () => {
    const { db, clock, deliveries } = open()
    const delivery = aDelivery()
    const condition = { sql: '1 = ?', params: [1] }
    for (const body of [delivery.body, 'changed'])
      await db.transaction([insertDeliveryIf({ ...delivery, body }, clock.now(), condition)])
    expect((await deliveries.look('crawl-1', 10)).due).toHaveLength(1)
    expect(await deliveries.read(delivery.id)).toEqual(delivery)
  })

  test('is never sent again after it was sent, and keeps neither body nor headers', async () => {
    const { deliveries, add, clock, db } = open()
    const delivery = aDelivery({ headers: { authorization: 'secret' } })
    await add(delivery)
    await deliveries.sent(delivery.id)
    const [row] = await db.all('SELECT state, headers, body_zst, ended_at, why FROM delivery')
    expect(row).toEqual({ state: 'sent', headers: '{}', body_zst: new Uint8Array(), ended_at: clock.now(), why: null })
  })

  test('keeps neither body nor headers after the last attempt', async () => {
    const { deliveries, add, clock, db } = open()
    const [one, other] = [aDelivery({ type: 'crawl.failed' }), aDelivery({ crawlId: 'crawl-2' })]
    await add(one, other)
    await deliveries.claim('me', 10, leaseMs)
    for (const { id } of [one, other])
      await deliveries.failed(id, 'me', { why: `no ${id}`, triedAt: clock.now(), retryAt: undefined })
    expect(await db.all('SELECT DISTINCT body_zst, headers FROM delivery')).toEqual([
      { body_zst: new Uint8Array(), headers: '{}' },
    ])
  })

  test('is deleted after a week, whether sent or not', async () => {
    const { add, rows, ...tools } = open()
    const { clock } = tools
    const sweep = createSweep(tools, expiredDeliveries)
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

test('a delivery is looked up, claimed and released without reading all waiting or ended deliveries', async () => {
  const { db, clock } = open()
  const seen: Statement[] = []
  const watched: Db = {
    ...db,
    all: (sql, params) => {
      seen.push({ sql, ...(params && { params }) })
      return db.all(sql, params)
    },
    transaction: (statements) => {
      seen.push(...statements)
      return db.transaction(statements)
    },
  }
  const deliveries = createDeliveries({ db: watched, clock })
  await deliveries.look('crawl-1', 8)
  await deliveries.sent('one')
  await deliveries.leave('crawl-1', 'me')
  const plans = await Promise.all(seen.map(({ sql, params }) => db.all(`EXPLAIN QUERY PLAN ${sql}`, params)))
  const reads = plans
    .flat()
    .map(({ detail }) => String(detail))
    .filter((step) => /\bdelivery\b/.test(step))
  const found =
    /^SEARCH delivery USING (?:COVERING )?INDEX (?:delivery_waiting|delivery_missed|sqlite_autoindex_delivery_1)\b/
  expect(reads.length).toBeGreaterThan(5)
  expect(reads.filter((step) => !found.test(step))).toEqual([])
})
