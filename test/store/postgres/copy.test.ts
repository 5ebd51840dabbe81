import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { copiedTables, leftTables } from '../../../src/engine/store/copy/tables.ts'
import { migrate } from '../../../src/engine/store/sqlite/db/migrate.ts'

test('each table is copied, or left behind for a reason', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db)
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  db.close()
  const own = tables.map(({ name }) => String(name)).filter((name) => !/^(?:page_text|sqlite_)/.test(name))
  expect([...copiedTables.map(({ name }) => name), ...leftTables].toSorted()).toEqual(own.toSorted())
})
