import { expect, test } from 'vitest'
import { copiedTables, leftTables } from '../../../src/engine/store/copy/copy.ts'
import { openSqlite } from '../../../src/engine/store/sqlite/db/sqlite-db.ts'

test('each table is copied, or left behind for a reason', async () => {
  const db = openSqlite(':memory:')
  const tables = await db.all("SELECT name FROM sqlite_schema WHERE type = 'table'")
  await db.close()
  const own = tables.map(({ name }) => String(name)).filter((name) => !/^(?:page_text|sqlite_)/.test(name))
  expect([...copiedTables.map(({ name }) => name), ...leftTables].toSorted()).toEqual(own.toSorted())
})
