import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { migrate, migrations } from '../../src/engine/store/sqlite/db/schema.ts'

const steps = ['CREATE TABLE one (a)', 'ALTER TABLE one ADD COLUMN b', 'CREATE TABLE two (a)']
const versionOf = (db: DatabaseSync) => db.prepare('PRAGMA user_version').get()?.user_version
const tablesOf = (db: DatabaseSync) =>
  db
    .prepare('SELECT name FROM sqlite_schema ORDER BY name')
    .all()
    .map(({ name }) => name)

describe('migrations', () => {
  test('take a fresh database to the newest schema', () => {
    const db = new DatabaseSync(':memory:')
    migrate(db)
    expect(versionOf(db)).toBe(migrations.length)
    expect(tablesOf(db)).toEqual(expect.arrayContaining(['cache_page', 'job', 'ledger', 'usage_day', 'api_key']))
  })

  test('go on from where the database is, keeping its rows', () => {
    const db = new DatabaseSync(':memory:')
    migrate(db, steps.slice(0, 1))
    db.exec('INSERT INTO one VALUES (1)')
    migrate(db, steps)
    migrate(db, steps)
    expect(versionOf(db)).toBe(3)
    expect(db.prepare('SELECT * FROM one').all()).toEqual([{ a: 1, b: null }])
  })

  test('that fail leave the version before, whole', () => {
    const db = new DatabaseSync(':memory:')
    expect(() => migrate(db, ['CREATE TABLE one (a)', 'CREATE TABLE two (a); CREATE TABLE one (a)'])).toThrow(
      'already exists',
    )
    expect(versionOf(db)).toBe(1)
    expect(tablesOf(db)).toEqual(['one'])
  })

  test('refuse a database of a later version', () => {
    const db = new DatabaseSync(':memory:')
    migrate(db, steps)
    expect(() => migrate(db, steps.slice(0, 2))).toThrow('its schema is version 3, this program knows 2')
    expect(versionOf(db)).toBe(3)
  })
})
