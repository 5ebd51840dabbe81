import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Db, packed, type Param } from '../../src/engine/store/sqlite/db/db.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { tempDir } from './kit.ts'

const source = join(import.meta.dirname, '../../src/engine/store/sqlite/db')
const slowQuery =
  'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000000) SELECT COUNT(*) AS n FROM n'

function open(path = ':memory:', start?: (path: string) => Worker): Db {
  const db = openSqlite(path, start)
  onTestFinished(() => db.close())
  return db
}

async function withTable(db: Db): Promise<Db> {
  await db.run('CREATE TABLE t (id TEXT PRIMARY KEY, v, v_zst BLOB)')
  return db
}

/** A database whose threads the test can end. */
function killable(path: string): { db: Db; threads: Worker[] } {
  const threads: Worker[] = []
  const db = open(path, (file) => {
    const worker = new Worker(join(source, 'sqlite-worker.ts'), { workerData: file })
    threads.push(worker)
    return worker
  })
  return { db, threads }
}

describe('a database behind a thread', () => {
  test.each<{ what: string; value: Param; read: Param }>([
    { what: 'text', value: 'naïve – 漢字 – 🕸', read: 'naïve – 漢字 – 🕸' },
    { what: 'a whole number', value: Date.UTC(2026, 0), read: Date.UTC(2026, 0) },
    { what: 'a fraction', value: 0.25, read: 0.25 },
    { what: 'null', value: null, read: null },
    { what: 'bytes', value: new Uint8Array([0, 255, 1]), read: new Uint8Array([0, 255, 1]) },
    { what: 'no bytes', value: new Uint8Array(), read: new Uint8Array() },
  ])('gives back $what as it was', async ({ value, read }) => {
    const db = await withTable(open())
    await db.run('INSERT INTO t (id, v) VALUES (?, ?)', ['a', value])
    expect(await db.all('SELECT v FROM t')).toEqual([{ v: read }])
  })

  test.each<{ what: string; content: string | Uint8Array }>([
    { what: 'binary content', content: randomBytes(70_000) },
    { what: 'a slice of a larger buffer', content: randomBytes(5000).subarray(17, 1017) },
    { what: 'text', content: 'naïve – 漢字 – 🕸 '.repeat(5000) },
    { what: 'nothing', content: new Uint8Array() },
  ])('packs and unpacks $what', async ({ content }) => {
    const db = await withTable(open())
    await db.run('INSERT INTO t (id, v_zst) VALUES (?, ?)', ['a', packed(content)])
    const [row] = await db.all('SELECT v_zst FROM t')
    expect(row?.v_zst).toEqual(new Uint8Array(Buffer.from(content as string)))
  })

  test('stores packed text in fewer bytes', async () => {
    const db = await withTable(open())
    await db.run('INSERT INTO t (id, v_zst) VALUES (?, ?)', ['a', packed('<p>hello</p>'.repeat(10_000))])
    const [row] = await db.all('SELECT LENGTH(v_zst) AS n FROM t')
    expect(row?.n).toBeLessThan(2000)
  })

  test('leaves the bytes of the caller alone', async () => {
    const db = await withTable(open())
    const body = new Uint8Array([1, 2, 3])
    await db.run('INSERT INTO t (id, v, v_zst) VALUES (?, ?, ?)', ['a', body, packed(body)])
    expect(body).toEqual(new Uint8Array([1, 2, 3]))
  })

  test('writes transactions that come together, without the one that fails', async () => {
    const db = await withTable(open())
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

  test('answers what came between two transactions with what was true then', async () => {
    const db = await withTable(open())
    const insert = (id: string) => db.transaction([{ sql: 'INSERT INTO t (id) VALUES (?)', params: [id] }])
    const count = () => db.all('SELECT COUNT(*) AS n FROM t')
    const [, , first, , second] = await Promise.all([insert('a'), insert('b'), count(), insert('c'), count()])
    expect([first, second]).toEqual([[{ n: 2 }], [{ n: 3 }]])
  })

  test('reads several statements of one moment while another handle writes', async () => {
    const path = join(await tempDir(), 'gossamer.db')
    const [writer, reader] = [await withTable(open(path)), open(path)]
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

  test('undoes a transaction of which one statement fails', async () => {
    const db = await withTable(open())
    const insert = { sql: 'INSERT INTO t (id) VALUES (?)', params: ['a'] }
    await expect(db.transaction([insert, insert])).rejects.toThrow('The database refused a statement: UNIQUE')
    expect(await db.all('SELECT id FROM t')).toEqual([])
    await db.transaction([insert])
    expect(await db.all('SELECT id FROM t')).toEqual([{ id: 'a' }])
  })

  test('answers calls sent at once in their order', async () => {
    const db = await withTable(open())
    const ids = Array.from({ length: 100 }, (_, nth) => String(nth).padStart(3, '0'))
    const [rows] = await Promise.all([
      Promise.all(ids.map((id) => db.all('INSERT INTO t (id) VALUES (?) RETURNING id, rowid AS nth', [id]))),
      db.run('DELETE FROM t'),
    ])
    expect(rows.flat()).toEqual(ids.map((id, nth) => ({ id, nth: nth + 1 })))
    expect(await db.all('SELECT id FROM t')).toEqual([])
  })

  test('a long query leaves the event loop running', async () => {
    const db = open()
    await db.all('SELECT 1')
    let ticks = 0
    let isDone = false
    const tick = () => {
      ticks += 1
      if (!isDone) setImmediate(tick)
    }
    setImmediate(tick)
    expect(await db.all(slowQuery)).toEqual([{ n: 2_000_000 }])
    isDone = true
    expect(ticks).toBeGreaterThan(100)
  })

  test('gives freed space back in slices', async () => {
    const db = await withTable(open(join(await tempDir(), 'a.db')))
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
})

describe('a database thread that dies', () => {
  test('pending calls reject with the reason and the next call starts it again', async () => {
    const { db, threads } = killable(join(await tempDir(), 'a.db'))
    await withTable(db)
    await db.run("INSERT INTO t (id) VALUES ('kept')")
    const pending = [db.all(slowQuery), db.run("INSERT INTO t (id) VALUES ('lost')")]
    const rejected = Promise.allSettled(pending)
    await threads[0]?.terminate()
    for (const outcome of await rejected)
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { message: 'The database thread stopped before it answered; the next call starts it again.' },
      })
    expect(await db.all('SELECT id FROM t')).toEqual([{ id: 'kept' }])
    expect(threads).toHaveLength(2)
  })

  test('many calls after the death share one new thread', async () => {
    const { db, threads } = killable(':memory:')
    await db.all('SELECT 1')
    await threads[0]?.terminate()
    await Promise.all(Array.from({ length: 10 }, () => db.all('SELECT 1')))
    expect(threads).toHaveLength(2)
  })
})

describe('closing a database', () => {
  test('answers what is under way, then rejects', async () => {
    const db = await withTable(open())
    const written = db.run("INSERT INTO t (id) VALUES ('a')")
    const closed = db.close()
    expect(await written).toBe(1)
    await closed
    await expect(db.all('SELECT 1')).rejects.toThrow('The store is closed.')
    await expect(db.close()).resolves.toBeUndefined()
  })

  test('starts no thread only to close it', async () => {
    const { db, threads } = killable(':memory:')
    await db.close()
    expect(threads).toEqual([])
  })
})

test('finds its thread beside itself when bundled', async () => {
  const dir = await tempDir()
  await build({
    entryPoints: [join(source, 'sqlite-db.ts'), join(source, 'sqlite-worker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir: dir,
    logLevel: 'error',
  })
  const bundled = (await import(join(dir, 'sqlite-db.js'))) as { openSqlite: typeof openSqlite }
  const db = bundled.openSqlite(':memory:')
  expect(await db.all('SELECT COUNT(*) AS n FROM job')).toEqual([{ n: 0 }])
  await db.close()
})
