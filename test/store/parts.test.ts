import { expect, test } from 'vitest'
import type { Statement } from '../../src/engine/store/sqlite/db/db.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { forTest } from '../helpers/for-all.ts'
import { countTurns } from '../helpers/turns.ts'

async function withTable() {
  const db = forTest(openSqlite(':memory:'))
  await db.run('CREATE TABLE t (id INTEGER PRIMARY KEY)')
  const ids = async () => (await db.all('SELECT id FROM t ORDER BY id')).map(({ id }) => id)
  return { db, ids }
}
const insert = (id: number): Statement => ({ sql: 'INSERT INTO t (id) VALUES (?)', params: [id] })

test('two transactions never share a turn, and calls in between are answered', async () => {
  const { db, ids } = await withTable()
  const turns = forTest(countTurns())
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
