import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../src/engine/store/postgres/postgres-db.ts'
import { type Db, packed } from '../../../src/engine/store/sqlite/db/db.ts'
import { createTable, type DatabaseUnderTest, describeDatabase, insert } from '../../contracts/database.ts'
import { describePostgres, startPostgres } from '../../helpers/postgres.ts'
import { madeSchema } from './postgres-under-test.ts'
import { forAll } from '../../helpers/for-all.ts'

function* unsendableParts() {
  yield [insert('a')]
  yield [{ sql: 'SELECT ?', params: [{ packed: 5 as never }] }]
}

/** The connections of all databases that are open. */
const connections = async (db: Db) =>
  (await db.all("SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'gossamer'"))[0]?.n

describePostgres('PostgreSQL as a database', () => {
  const server = forAll(startPostgres)

  async function open(): Promise<DatabaseUnderTest> {
    const schema = await madeSchema(server.url)
    const handles: Db[] = []
    const another = async () => {
      const db = openPostgres(schema.url)
      handles.push(db)
      return db
    }
    onTestFinished(async () => {
      await Promise.all(handles.map((db) => db.close()))
      await schema.drop()
    })
    const db = await another()
    await db.run(createTable)
    return { db, another }
  }
  describeDatabase(open)

  test('replaces characters that PostgreSQL text cannot contain', async () => {
    const { db } = await open()
    await db.transaction([insert('a\0b')])
    expect(await db.all('SELECT id FROM t')).toEqual([{ id: 'a\uFFFDb' }])
  })

  test('holds the lock of writers only while the server works, not while values are packed', async () => {
    const { db, another } = await open()
    await db.all('SELECT 1')
    const first = await another()
    await first.all('SELECT 1')
    const large = first.run('INSERT INTO t (id, v_zst) VALUES (?, ?)', ['large', packed(randomBytes(20_000_000))])
    await db.transaction([insert('small')])
    expect(await Promise.race([large.then(() => 'large'), Promise.resolve('small')])).toBe('small')
    await large
  })

  test('undoes a transaction in parts if a value of a later part cannot be sent', async () => {
    const { db, another } = await open()
    await expect(db.transactionInParts(unsendableParts())).rejects.toThrow(/packed|argument/)
    // The next write does not restore it, and no writer is blocked.
    await db.transaction([insert('b')])
    await (await another()).transaction([insert('c')])
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
    const { db, another } = await open()
    await db.run(`UPDATE schema_version SET version = version ${step}`)
    await expect(another().then((other) => other.all('SELECT 1'))).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining(`written by ${which} version of this program`),
      hint: expect.stringContaining('GOSSAMER_DATABASE_URL'),
    })
    await expect.poll(() => connections(db)).toBe(1)
    expect(await db.all('SELECT count(*) AS n FROM schema_version')).toEqual([{ n: 1 }])
  })

  test('connects again after the server was restarted', async () => {
    const { db } = await open()
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
    const { another } = await open()
    await server.stop()
    const db = await another()
    const pending = db.all('SELECT 1 AS n')
    // One search fails.
    await sleep(100)
    await server.start()
    expect(await pending).toEqual([{ n: 1 }])
    await db.run("INSERT INTO t (id) VALUES ('a')")
    await expect.poll(() => connections(db)).toBe(1)
  })
})
