import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { type Db, packed, type Param } from '../../src/engine/store/sqlite/db/db.ts'
import { openLocalDb } from '../../src/engine/store/sqlite/db/local-db.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { forTest } from '../helpers/for-all.ts'
import { tempDir } from './kit.ts'

const slowQuery =
  'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000000) SELECT COUNT(*) AS n FROM n'

function open(path = ':memory:'): Db {
  return forTest(openSqlite(path))
}

async function openHere(path = ':memory:'): Promise<Db> {
  return forTest(await openLocalDb(path))
}

async function withTable(db: Db): Promise<Db> {
  await db.run('CREATE TABLE t (id TEXT PRIMARY KEY, v, v_zst BLOB)')
  return db
}

/** The contract of every database. */
const kinds: { where: string; openAt(path?: string): Promise<Db> }[] = [
  { where: 'behind a thread', openAt: async (path) => open(path) },
  { where: 'in this thread', openAt: openHere },
]

describe.each(kinds)('a database $where', ({ openAt }) => {
  test.each<{ what: string; value: Param; read: Param }>([
    { what: 'text', value: 'naïve – 漢字 – 🕸', read: 'naïve – 漢字 – 🕸' },
    { what: 'a whole number', value: Date.UTC(2026, 0), read: Date.UTC(2026, 0) },
    { what: 'a fraction', value: 0.25, read: 0.25 },
    { what: 'null', value: null, read: null },
    { what: 'bytes', value: new Uint8Array([0, 255, 1]), read: new Uint8Array([0, 255, 1]) },
    { what: 'no bytes', value: new Uint8Array(), read: new Uint8Array() },
  ])('returns $what unchanged', async ({ value, read }) => {
    const db = await withTable(await openAt())
    await db.run('INSERT INTO t (id, v) VALUES (?, ?)', ['a', value])
    expect(await db.all('SELECT v FROM t')).toEqual([{ v: read }])
  })

  test.each<{ what: string; content: string | Uint8Array }>([
    { what: 'binary content', content: randomBytes(70_000) },
    { what: 'a slice of a larger buffer', content: randomBytes(5000).subarray(17, 1017) },
    { what: 'text', content: 'naïve – 漢字 – 🕸 '.repeat(5000) },
    { what: 'nothing', content: new Uint8Array() },
  ])('packs and unpacks $what', async ({ content }) => {
    const db = await withTable(await openAt())
    await db.run('INSERT INTO t (id, v_zst) VALUES (?, ?)', ['a', packed(content)])
    const [row] = await db.all('SELECT v_zst FROM t')
    expect(row?.v_zst).toEqual(new Uint8Array(Buffer.from(content as string)))
  })

  test('writes concurrent transactions together, without the one that fails', async () => {
    const db = await withTable(await openAt())
    const ids = ['a', 'b', 'a', 'c', 'd']
    const written = ids.map((id) =>
      db.transaction([
        { sql: 'INSERT INTO t (id) VALUES (?) RETURNING id', params: [id] },
        { sql: 'SELECT COUNT(*) AS n FROM t' },
      ]),
    )
    const settled = await Promise.allSettled(written)
    const answers = settled.map((each) =>
      each.status === 'fulfilled' ? each.value.map(({ rows }) => rows) : 'refused',
    )
    expect(answers).toEqual([
      [[{ id: 'a' }], [{ n: 1 }]],
      [[{ id: 'b' }], [{ n: 2 }]],
      'refused',
      [[{ id: 'c' }], [{ n: 3 }]],
      [[{ id: 'd' }], [{ n: 4 }]],
    ])
  })

  test('answers calls between two transactions with the state at that time', async () => {
    const db = await withTable(await openAt())
    const insert = (id: string) => db.transaction([{ sql: 'INSERT INTO t (id) VALUES (?)', params: [id] }])
    const count = () => db.all('SELECT COUNT(*) AS n FROM t')
    const [, , first, , second] = await Promise.all([insert('a'), insert('b'), count(), insert('c'), count()])
    expect([first, second]).toEqual([[{ n: 2 }], [{ n: 3 }]])
  })

  test('reads several statements at one moment while another handle writes', async () => {
    const path = join(await tempDir(), 'gossamer.db')
    const [writer, reader] = [await withTable(await openAt(path)), await openAt(path)]
    const count = { sql: 'SELECT COUNT(*) AS n FROM t' }
    const over = new AbortController()
    const writing = (async () => {
      for (let at = 0; !over.signal.aborted; at++) await writer.run('INSERT INTO t (id) VALUES (?)', [`${at}`])
    })()
    for (let read = 0; read < 3; read++) {
      const [before, , after] = await reader.snapshot([count, { sql: slowQuery }, count])
      expect(after).toEqual(before)
    }
    over.abort()
    await writing
    expect(await reader.snapshot([count])).toEqual([await writer.all(count.sql)])
  })

  test('skips a statement that has become unnecessary when its turn comes', async () => {
    const db = await withTable(await openAt())
    const insert = {
      sql: "INSERT INTO t (id, v) VALUES ('a', ?) ON CONFLICT (id) DO NOTHING",
      params: [1],
      unless: { sql: 'SELECT 1 FROM t WHERE id = ?', params: ['a'] },
    }
    const outcomes = await db.transaction([insert, insert, { sql: 'SELECT v FROM t' }])
    expect(outcomes.map(({ changes, rows }) => rows[0]?.v ?? changes)).toEqual([1, 0, 1])
  })

  test('undoes a transaction of which one statement fails', async () => {
    const db = await withTable(await openAt())
    const insert = { sql: 'INSERT INTO t (id) VALUES (?)', params: ['a'] }
    await expect(db.transaction([insert, insert])).rejects.toThrow('The database refused a statement: UNIQUE')
    expect(await db.all('SELECT id FROM t')).toEqual([])
    await db.transaction([insert])
    expect(await db.all('SELECT id FROM t')).toEqual([{ id: 'a' }])
  })

  test('is unavailable while another program holds the lock of its file, and works afterwards', async () => {
    const path = join(await tempDir(), 'a.db')
    const db = await withTable(await openAt(path))
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    await expect(db.run("INSERT INTO t (id) VALUES ('a')")).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      cause: { message: 'The database refused a statement: database is locked.' },
    })
    other.close()
    expect(await db.run("INSERT INTO t (id) VALUES ('a')")).toBe(1)
  })

  test('answers calls sent concurrently in their order', async () => {
    const db = await withTable(await openAt())
    const ids = Array.from({ length: 100 }, (_, nth) => String(nth).padStart(3, '0'))
    const [rows] = await Promise.all([
      Promise.all(ids.map((id) => db.all('INSERT INTO t (id) VALUES (?) RETURNING id, rowid AS nth', [id]))),
      db.run('DELETE FROM t'),
    ])
    expect(rows.flat()).toEqual(ids.map((id, nth) => ({ id, nth: nth + 1 })))
    expect(await db.all('SELECT id FROM t')).toEqual([])
  })

  test('returns free space in slices', async () => {
    const db = await withTable(await openAt(join(await tempDir(), 'a.db')))
    await db.transaction(
      Array.from({ length: 200 }, (_, nth) => ({
        sql: 'INSERT INTO t (id, v) VALUES (?, ?)',
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

  test('returns all parts of a requested result before it closes', async () => {
    const path = join(await tempDir(), 'gossamer.db')
    const db = await withTable(await openAt(path))
    const parts = ['a', 'b', 'c'].map((id) => [{ sql: 'INSERT INTO t (id) VALUES (?)', params: [id] }])
    const written = db.transactionInParts(parts)
    await Promise.all([written, db.close()])
    await expect(db.all('SELECT 1')).rejects.toThrow('The store is closed.')
    await expect(db.close()).resolves.toBeUndefined()
    expect(await (await openAt(path)).all('SELECT COUNT(*) AS n FROM t')).toEqual([{ n: 3 }])
  })

  test('reports why a file cannot be used', async () => {
    const path = join(await tempDir(), 'gossamer.db')
    await writeFile(path, randomBytes(5000))
    const opened = openAt(path).then((db) => db.all('SELECT 1'))
    await expect(opened).rejects.toMatchObject({ name: 'OpenRefused', refusal: 'foreign' })
  })
})
