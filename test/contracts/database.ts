import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Db, packed, type Param } from '../../src/engine/store/sqlite/db/db.ts'

/** A database with an empty table `t`, and further handles of it; the test's end closes all of them. */
export type DatabaseUnderTest = { db: Db; another(): Promise<Db> }

/** Creates the table that `describeDatabase` uses. */
export const createTable =
  'CREATE TABLE t (id TEXT PRIMARY KEY, n BIGINT, f DOUBLE PRECISION, b BYTEA, v_zst BYTEA, is_so BOOLEAN)'

export const insert = (id: string) => ({ sql: 'INSERT INTO t (id) VALUES (?)', params: [id] })
const count = { sql: 'SELECT COUNT(*) AS n FROM t' }
const slowQuery = (steps: number) =>
  `WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${steps}) SELECT COUNT(*) AS n FROM n`

function* parts(ids: readonly string[]) {
  for (const id of ids) yield [insert(id)]
}

function* brokenParts() {
  yield [insert('a')]
  throw new Error('no more')
}

/** Adds a row if there are fewer than ten. Takes long enough for another handle to write in between. */
const addUpToTen = (to: Db, nth: number) =>
  to.transaction([
    count,
    {
      sql: `INSERT INTO t (id) SELECT ? WHERE (SELECT COUNT(*) FROM t) < 10 AND (${slowQuery(20_000)}) > 0`,
      params: [`${nth}`],
    },
  ])

/** The contract of every database. */
export function describeDatabase(open: () => Promise<DatabaseUnderTest>): void {
  describeValues(open)
  describeOrder(open)
  describeTransactions(open)
}

function describeValues(open: () => Promise<DatabaseUnderTest>): void {
  test.each<{ what: string; column: string; value: Param }>([
    { what: 'text', column: 'id', value: 'naïve – 漢字 – 🕸' },
    { what: 'a whole number', column: 'n', value: Date.UTC(2026, 0) },
    { what: 'a fraction', column: 'f', value: 0.25 },
    { what: 'null', column: 'n', value: null },
    { what: 'bytes', column: 'b', value: new Uint8Array([0, 255, 1]) },
    { what: 'no bytes', column: 'b', value: new Uint8Array() },
    { what: 'true', column: 'is_so', value: 1 },
  ])('returns $what unchanged', async ({ column, value }) => {
    const { db } = await open()
    await db.run("INSERT INTO t (id) VALUES ('a')")
    await db.run(`UPDATE t SET ${column} = ?`, [value])
    expect(await db.all(`SELECT ${column} AS v FROM t`)).toEqual([{ v: value }])
  })

  test.each<{ what: string; content: string | Uint8Array }>([
    { what: 'binary content', content: randomBytes(70_000) },
    { what: 'a slice of a larger buffer', content: randomBytes(5000).subarray(17, 1017) },
    { what: 'text', content: 'naïve – 漢字 – 🕸 '.repeat(5000) },
    { what: 'no content', content: new Uint8Array() },
  ])('packs and unpacks $what', async ({ content }) => {
    const { db } = await open()
    await db.run('INSERT INTO t (id, v_zst) VALUES (?, ?)', ['a', packed(content)])
    const [row] = await db.all('SELECT v_zst FROM t')
    expect(row?.v_zst).toEqual(new Uint8Array(Buffer.from(content as string)))
  })
}

function describeOrder(open: () => Promise<DatabaseUnderTest>): void {
  test('answers calls sent concurrently in their order, even if packing takes a while', async () => {
    const { db } = await open()
    const [, , rows] = await Promise.all([
      db.run('INSERT INTO t (id, v_zst) VALUES (?, ?)', ['a', packed(randomBytes(2_000_000))]),
      db.transaction([insert('b')]),
      db.all('SELECT id FROM t ORDER BY id'),
      db.run('DELETE FROM t'),
    ])
    expect(rows).toEqual([{ id: 'a' }, { id: 'b' }])
    expect(await db.all('SELECT id FROM t')).toEqual([])
  })

  test('answers calls between two transactions with the state at that time', async () => {
    const { db } = await open()
    const add = (id: string) => db.transaction([insert(id)])
    const counted = () => db.all(count.sql)
    const [, , first, , second] = await Promise.all([add('a'), add('b'), counted(), add('c'), counted()])
    expect([first, second]).toEqual([[{ n: 2 }], [{ n: 3 }]])
  })

  test('reads several statements from one snapshot while another handle writes', async () => {
    const { db: writer, another } = await open()
    const reader = await another()
    const over = new AbortController()
    const writing = (async () => {
      for (let at = 0; !over.signal.aborted; at++) await writer.transaction([insert(`${at}`)])
    })()
    for (let read = 0; read < 3; read++) {
      const [before, , after] = await reader.snapshot([count, { sql: slowQuery(100_000) }, count])
      expect(after).toEqual(before)
    }
    over.abort()
    await writing
    expect(await reader.snapshot([count])).toEqual([await writer.all(count.sql)])
  })

  test('finishes earlier calls before it closes, and refuses later ones', async () => {
    const { db, another } = await open()
    await Promise.all([db.transactionInParts(parts(['a', 'b', 'c'])), db.close()])
    await expect(db.all('SELECT 1')).rejects.toThrow('The store is closed.')
    await expect(db.close()).resolves.toBeUndefined()
    expect(await (await another()).all(count.sql)).toEqual([{ n: 3 }])
  })
}

function describeTransactions(open: () => Promise<DatabaseUnderTest>): void {
  test('undoes a transaction in which a statement fails, but not those sent together with it', async () => {
    const { db } = await open()
    const settled = await Promise.allSettled([
      ...['a', 'b', 'a', 'c'].map((id) =>
        db.transaction([{ sql: 'INSERT INTO t (id) VALUES (?) RETURNING id', params: [id] }, count]),
      ),
      db.transaction([insert('d'), insert('d')]),
    ])
    const answers = settled.map((each) =>
      each.status === 'fulfilled' ? each.value.map(({ rows }) => rows) : String(each.reason),
    )
    const refused = expect.stringMatching(/The database refused a statement: .*unique/i)
    expect(answers).toEqual([
      [[{ id: 'a' }], [{ n: 1 }]],
      [[{ id: 'b' }], [{ n: 2 }]],
      refused,
      [[{ id: 'c' }], [{ n: 3 }]],
      refused,
    ])
    expect(await db.transaction([insert('d'), count])).toMatchObject([{ changes: 1 }, { rows: [{ n: 4 }] }])
  })

  test('skips a statement that has become unnecessary when its turn comes', async () => {
    const { db } = await open()
    const once = {
      sql: "INSERT INTO t (id, n) VALUES ('a', ?) ON CONFLICT (id) DO NOTHING",
      params: [1],
      unless: { sql: 'SELECT 1 FROM t WHERE id = ?', params: ['a'] },
    }
    const outcomes = await db.transaction([once, once, { sql: 'SELECT n FROM t' }])
    expect(outcomes.map(({ changes, rows }) => rows[0]?.n ?? changes)).toEqual([1, 0, 1])
  })

  test('writes a transaction in parts as a whole, or not at all', async () => {
    const { db } = await open()
    await expect(db.transactionInParts(parts(['a', 'b', 'a']))).rejects.toThrow(/unique/i)
    await expect(db.transactionInParts(brokenParts())).rejects.toThrow('no more')
    expect((await db.transactionInParts(parts(['a', 'b']))).map(({ changes }) => changes)).toEqual([1, 1])
    expect(await db.all(count.sql)).toEqual([{ n: 2 }])
  })

  test('lets no other handle write between two statements of a transaction', async () => {
    const { db, another } = await open()
    const other = await another()
    await Promise.all([db.all(count.sql), other.all(count.sql)])
    await Promise.all(Array.from({ length: 30 }, (_, nth) => addUpToTen(nth % 2 === 0 ? db : other, nth)))
    expect(await db.all(count.sql)).toEqual([{ n: 10 }])
  })
}
