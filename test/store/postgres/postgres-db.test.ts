import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../src/engine/store/postgres/postgres-db.ts'
import { type Db, packed, type Param } from '../../../src/engine/store/sqlite/db/db.ts'
import { describePostgres, startPostgres } from '../../helpers/postgres.ts'
import { madeSchema } from './postgres-under-test.ts'
import { forAll } from '../../helpers/for-all.ts'

const insert = (id: string) => ({ sql: 'INSERT INTO t (id) VALUES (?)', params: [id] })

function* parts(ids: readonly string[]) {
  for (const id of ids) yield [insert(id)]
}

/** Fails after its first part was sent. */
function* brokenParts() {
  yield [insert('a')]
  throw new Error('no more')
}

function* unsendableParts() {
  yield [insert('a')]
  yield [{ sql: 'SELECT ?', params: [{ packed: 5 as never }] }]
}

/** The connections of all databases that are open. */
const connections = async (db: Db) =>
  (await db.all("SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'gossamer'"))[0]?.n

/** Adds a row while there are fewer than ten, which is true of many at once where they do not wait for each other. */
const addUpToTen = (to: Db, nth: number) =>
  to.transaction([
    { sql: 'SELECT pg_sleep(0.002)' },
    { sql: 'INSERT INTO t (id) SELECT ? WHERE (SELECT count(*) FROM t) < 10', params: [`${nth}`] },
  ])

describePostgres('PostgreSQL as a database', () => {
  const server = forAll(startPostgres)

  async function openSchema(): Promise<{ db: Db; another(): Db }> {
    const schema = await madeSchema(server.url)
    const handles: Db[] = []
    const another = () => {
      const db = openPostgres(schema.url)
      handles.push(db)
      return db
    }
    onTestFinished(async () => {
      await Promise.all(handles.map((db) => db.close()))
      await schema.drop()
    })
    const db = another()
    await db.run(
      'CREATE TABLE t (id TEXT PRIMARY KEY, n BIGINT, f DOUBLE PRECISION, b BYTEA, v_zst BYTEA, is_so BOOLEAN)',
    )
    return { db, another }
  }
  test.each<{ what: string; column: string; value: Param }>([
    { what: 'text', column: 'id', value: 'naïve – 漢字 – 🕸' },
    { what: 'a whole number', column: 'n', value: Date.UTC(2026, 0) },
    { what: 'a fraction', column: 'f', value: 0.25 },
    { what: 'null', column: 'n', value: null },
    { what: 'bytes', column: 'b', value: new Uint8Array([0, 255, 1]) },
    { what: 'no bytes', column: 'b', value: new Uint8Array() },
    { what: 'true', column: 'is_so', value: 1 },
  ])('returns $what unchanged', async ({ column, value }) => {
    const { db } = await openSchema()
    await db.run(
      `INSERT INTO t (${column === 'id' ? '' : 'id, '}${column}) VALUES (${column === 'id' ? '' : "'a', "}?)`,
      [value],
    )
    expect(await db.all(`SELECT ${column} AS v FROM t`)).toEqual([{ v: value }])
  })

  test('packs and unpacks, and replaces characters that PostgreSQL text cannot contain', async () => {
    const { db } = await openSchema()
    const content = randomBytes(70_000)
    await db.run('INSERT INTO t (id, v_zst) VALUES (?, ?)', ['a\0b', packed(content)])
    expect(await db.all('SELECT id, v_zst FROM t')).toEqual([{ id: 'a\uFFFDb', v_zst: new Uint8Array(content) }])
  })

  test('answers calls sent concurrently in their order, even if packing takes a while', async () => {
    const { db } = await openSchema()
    const [, , rows] = await Promise.all([
      db.run('INSERT INTO t (id, v_zst) VALUES (?, ?)', ['a', packed(randomBytes(2_000_000))]),
      db.transaction([insert('b')]),
      db.all('SELECT id FROM t ORDER BY id'),
      db.run('DELETE FROM t'),
    ])
    expect(rows).toEqual([{ id: 'a' }, { id: 'b' }])
    expect(await db.all('SELECT id FROM t')).toEqual([])
  })

  test('undoes a transaction of which one statement fails, and continues with the next', async () => {
    const { db } = await openSchema()
    const settled = await Promise.allSettled([
      db.transaction([insert('a'), insert('a'), insert('c')]),
      db.transaction([insert('b'), { sql: 'SELECT count(*) AS n FROM t' }]),
    ])
    expect(settled).toMatchObject([
      {
        status: 'rejected',
        reason: { message: expect.stringMatching(/^The database refused a statement: duplicate key/) },
      },
      { status: 'fulfilled', value: [{ changes: 1 }, { rows: [{ n: 1 }] }] },
    ])
    expect(await db.all('SELECT id FROM t')).toEqual([{ id: 'b' }])
  })

  test('holds the lock of writers only while the server works, however much has to be packed', async () => {
    const { db, another } = await openSchema()
    await db.all('SELECT 1')
    const first = another()
    await first.all('SELECT 1')
    const large = first.run('INSERT INTO t (id, v_zst) VALUES (?, ?)', ['large', packed(randomBytes(20_000_000))])
    await db.transaction([insert('small')])
    expect(await Promise.race([large.then(() => 'large'), Promise.resolve('small')])).toBe('small')
    await large
  })

  test('writes a transaction in parts as a whole, or not at all', async () => {
    const { db } = await openSchema()
    await expect(db.transactionInParts(parts(['a', 'b', 'a']))).rejects.toThrow('duplicate key')
    expect((await db.transactionInParts(parts(['a', 'b']))).map(({ changes }) => changes)).toEqual([1, 1])
    expect(await db.all('SELECT count(*) AS n FROM t')).toEqual([{ n: 2 }])
  })

  test.each([
    { what: 'a part cannot be made', write: (db: Db) => db.transactionInParts(brokenParts()) },
    { what: 'a value of a later part cannot be sent', write: (db: Db) => db.transactionInParts(unsendableParts()) },
  ])('undoes a transaction if $what', async ({ write }) => {
    const { db, another } = await openSchema()
    await expect(write(db)).rejects.toThrow(/no more|packed|argument/)
    // The next write does not restore it, and no writer is blocked.
    await db.transaction([insert('b')])
    await another().transaction([insert('c')])
    expect(await db.all('SELECT id FROM t ORDER BY id')).toEqual([{ id: 'b' }, { id: 'c' }])
  })

  test('creates its tables once for many programs that start together', async () => {
    const schema = await madeSchema(server.url)
    const handles = Array.from({ length: 6 }, () => openPostgres(schema.url))
    const found = await Promise.all(handles.map((db) => db.all('SELECT version FROM schema_version')))
    await Promise.all(handles.map((db) => db.close()))
    await schema.drop()
    expect(found).toEqual(handles.map(() => [{ version: expect.any(Number) }]))
  })

  test.each([
    ['a later', '+ 1000'],
    ['an earlier', '- 1'],
  ])('changes neither database nor server if the schema is that of %s version', async (which, step) => {
    const { db, another } = await openSchema()
    await db.run(`UPDATE schema_version SET version = version ${step}`)
    await expect(another().all('SELECT 1')).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining(`written by ${which} version of this program`),
      hint: expect.stringContaining('GOSSAMER_DATABASE_URL'),
    })
    await expect.poll(() => connections(db)).toBe(1)
    expect(await db.all('SELECT count(*) AS n FROM schema_version')).toEqual([{ n: 1 }])
  })

  test('lets nobody write between two statements of a transaction', async () => {
    const { db, another } = await openSchema()
    const other = another()
    await Promise.all(Array.from({ length: 30 }, (_, nth) => addUpToTen(nth % 2 === 0 ? db : other, nth)))
    expect(await db.all('SELECT count(*) AS n FROM t')).toEqual([{ n: 10 }])
  })

  test('reads several statements at one moment while another connection writes', async () => {
    const { db, another } = await openSchema()
    const other = another()
    const count = { sql: 'SELECT count(*) AS n FROM t' }
    const over = new AbortController()
    const writing = (async () => {
      for (let at = 0; !over.signal.aborted; at++) await other.run('INSERT INTO t (id) VALUES (?)', [`${at}`])
    })()
    for (let read = 0; read < 3; read++) {
      const [before, , after] = await db.snapshot([count, { sql: 'SELECT pg_sleep(0.1)' }, count])
      expect(after).toEqual(before)
    }
    over.abort()
    await writing
  })

  test('connects again after the server was restarted', async () => {
    const { db } = await openSchema()
    await db.transaction([insert('a')])
    await server.stop()
    await expect(db.transaction([insert('b')])).rejects.toThrow()
    await server.start()
    await expect
      .poll(() =>
        db.transaction([insert('c')]).then(
          () => 'written',
          () => 'refused',
        ),
      )
      .toBe('written')
    expect(await db.all('SELECT id FROM t ORDER BY id')).toEqual([{ id: 'a' }, { id: 'c' }])
  })

  test('holds one connection after the server came back during an attempt', async () => {
    const { another } = await openSchema()
    await server.stop()
    const db = another()
    const asked = db.all('SELECT 1 AS n')
    // One search fails.
    await sleep(100)
    await server.start()
    expect(await asked).toEqual([{ n: 1 }])
    await db.run("INSERT INTO t (id) VALUES ('a')")
    await expect.poll(() => connections(db)).toBe(1)
  })

  test('answers earlier calls after close and refuses later ones', async () => {
    const { db } = await openSchema()
    const written = db.run("INSERT INTO t (id) VALUES ('a')")
    const closed = db.close()
    expect(await written).toBe(1)
    await closed
    await expect(db.all('SELECT 1')).rejects.toThrow('The store is closed.')
    await expect(db.close()).resolves.toBeUndefined()
  })
})
