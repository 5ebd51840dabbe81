import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Db } from '../../src/engine/store/sqlite/db/db.ts'
import { openLocalDb } from '../../src/engine/store/sqlite/db/local-db.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createTable, describeDatabase } from '../contracts/database.ts'
import { forTest } from '../helpers/for-all.ts'
import { tempDir } from './kit.ts'

const kinds: { where: string; openAt(path: string): Promise<Db> }[] = [
  { where: 'in a thread of its own', openAt: async (path) => forTest(openSqlite(path)) },
  { where: 'in this thread', openAt: async (path) => forTest(await openLocalDb(path)) },
]

const newPath = async () => join(await tempDir(), 'a.db')

describe.each(kinds)('SQLite $where', ({ openAt }) => {
  async function open() {
    const path = await newPath()
    const db = await openAt(path)
    await db.run(createTable)
    return { db, path, another: () => openAt(path) }
  }
  describeDatabase(open)

  test('is unavailable while another program holds the lock of its file, and works afterwards', async () => {
    const { db, path } = await open()
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    await expect(db.run("INSERT INTO t (id) VALUES ('a')")).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      cause: { message: 'The database refused a statement: database is locked.' },
    })
    other.close()
    expect(await db.run("INSERT INTO t (id) VALUES ('a')")).toBe(1)
  })

  test('returns free space in slices', async () => {
    const { db } = await open()
    await db.transaction(
      Array.from({ length: 200 }, (_, nth) => ({
        sql: 'INSERT INTO t (id, b) VALUES (?, ?)',
        params: [nth, randomBytes(20_000)],
      })),
    )
    const pages = async () => Number((await db.all('PRAGMA page_count'))[0]?.page_count)
    const full = await pages()
    expect(await db.compact()).toBe(false)
    expect(await pages()).toBe(full)
    await db.run('DELETE FROM t')
    let slices = 1
    while (await db.compact()) slices += 1
    expect(slices).toBeGreaterThan(1)
    expect(await pages()).toBeLessThan(full / 2)
  })

  test('reports why a file cannot be used', async () => {
    const path = await newPath()
    await writeFile(path, randomBytes(5000))
    const opened = openAt(path).then((db) => db.all('SELECT 1'))
    await expect(opened).rejects.toMatchObject({ name: 'OpenRefused', refusal: 'foreign' })
  })
})

test('a transaction waits for the writer of another program before its first read', async () => {
  const path = await newPath()
  const db = forTest(await openSqlite(path))
  await db.run(createTable)
  const other = new DatabaseSync(path)
  other.exec("BEGIN IMMEDIATE; INSERT INTO t (id) VALUES ('a')")
  const writing = db.transaction([{ sql: 'SELECT id FROM t' }, { sql: "INSERT INTO t (id) VALUES ('b')" }])
  await setTimeout(300)
  other.exec('COMMIT')
  other.close()
  expect(await writing).toMatchObject([{ rows: [{ id: 'a' }] }, { changes: 1 }])
})
