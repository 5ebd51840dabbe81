import { expect, onTestFinished, test } from 'vitest'
import type { Statement } from '../../src/engine/store/sqlite/db/db.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { countTurns } from '../helpers/turns.ts'

async function withTable() {
  const db = openSqlite(':memory:')
  onTestFinished(() => db.close())
  await db.run('CREATE TABLE t (id INTEGER PRIMARY KEY)')
  const ids = async () => (await db.all('SELECT id FROM t ORDER BY id')).map(({ id }) => id)
  return { db, ids }
}
const insert = (id: number): Statement => ({ sql: 'INSERT INTO t (id) VALUES (?)', params: [id] })

test('each part runs in its own turn, and all form one transaction in order', async () => {
  const { db, ids } = await withTable()
  const turns = countTurns()
  onTestFinished(turns.stop)
  const madeIn: number[] = []
  function* parts() {
    for (const id of [1, 2, 3, 4]) {
      madeIn.push(turns.now())
      yield [insert(id), insert(id + 10)]
    }
  }
  const outcomes = await db.transactionInParts(parts())
  expect(outcomes.map(({ changes }) => changes)).toEqual(Array(8).fill(1))
  expect(new Set(madeIn).size).toBe(4)
  expect(await ids()).toEqual([1, 2, 3, 4, 11, 12, 13, 14])
})

test('two transactions never share a turn, and calls in between are answered', async () => {
  const { db, ids } = await withTable()
  const turns = countTurns()
  onTestFinished(turns.stop)
  const madeIn: number[] = []
  function* parts(first: number) {
    for (let id = first; id < first + 20; id += 1) {
      madeIn.push(turns.now())
      yield [insert(id)]
    }
  }
  const both = [db.transactionInParts(parts(100)), db.transactionInParts(parts(200))]
  expect(await db.run('INSERT INTO t (id) VALUES (1)')).toBe(1)
  await Promise.all(both)
  // The first part of each is sent immediately.
  expect(new Set(madeIn).size).toBeGreaterThanOrEqual(38)
  expect(await ids()).toHaveLength(41)
})

test('no part is applied if one statement fails', async () => {
  const { db, ids } = await withTable()
  await expect(db.transactionInParts([[insert(1)], [insert(2)], [insert(1)]])).rejects.toThrow(/UNIQUE/)
  expect(await ids()).toEqual([])
  expect(await db.transactionInParts([])).toEqual([])
})

test('a started write is finished before the file is closed', async () => {
  const db = openSqlite(':memory:')
  await db.run('CREATE TABLE t (id INTEGER PRIMARY KEY)')
  const started = db.transactionInParts([[insert(1)], [insert(2)], [insert(3)]])
  await db.close()
  expect(await started).toHaveLength(3)
})
