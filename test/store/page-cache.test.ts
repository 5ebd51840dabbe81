import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readBody } from '../../src/engine/net/http/read-body.ts'
import type { Db } from '../../src/engine/store/sqlite/db/db.ts'
import { createPageCache } from '../../src/engine/store/sqlite/sqlite-page-cache.ts'
import { logBook, aPage, keepNow } from '../contracts/fixtures.ts'
import { openTables } from './kit.ts'
import type { PageCache } from '../../src/contracts/stored-pages.ts'

const minuteMs = 60_000

/** A cache on its own database; `queries` collects the SQL of every read. */
function open(maxBytes = 2 ** 30) {
  const { db: sqlite, clock, log, lines } = openTables()
  const queries: string[] = []
  const db: Db = { ...sqlite, all: (sql, params) => (queries.push(sql), sqlite.all(sql, params)) }
  return { pages: createPageCache({ db, clock, log }, maxBytes), db, clock, lines, queries }
}

const keptKeys = async (db: Db) => (await db.all('SELECT key FROM cache_page ORDER BY key')).map(({ key }) => key)
const totalBytes = async (db: Db) => Number((await db.all('SELECT SUM(bytes) AS n FROM cache_page'))[0]?.n ?? 0)

describe('a cached page', () => {
  test('is found without reading its body', async () => {
    const { pages, queries } = open()
    await keepNow(pages, 'k', aPage(), Buffer.from('a'))
    queries.length = 0
    await pages.find('k')
    expect(queries).toHaveLength(1)
    expect(queries[0]).not.toContain('cache_body')
  })

  test('is read again only if its row has changed, even by another process', async () => {
    const { pages, db, clock, queries } = open()
    const other = createPageCache({ db, clock, log: logBook().log }, 2 ** 30)
    await keepNow(pages, 'k', aPage({ made: { main: { markdown: 'a' } } }), Buffer.from('a'))
    const found = await pages.find('k')
    queries.length = 0
    expect(await pages.find('k')).toBe(found)
    expect(queries.join()).not.toContain('value_zst')
    await other.addMade('k', found?.fetchedAt ?? 0, 'main', { links: [] })
    expect((await pages.find('k'))?.made).toEqual({ main: { markdown: 'a', links: [] } })
    const later = aPage({ fetchedAt: 5000, made: { main: { markdown: 'b' } } })
    await keepNow(other, 'k', later, Buffer.from('b'))
    expect(await pages.find('k')).toEqual(later)
    await db.run('DELETE FROM cache_page')
    expect(await pages.find('k')).toBeUndefined()
  })

  test('is kept in memory with at most a hundred others', async () => {
    const { pages, queries } = open()
    const keys = Array.from({ length: 101 }, (_, nth) => `k${nth}`)
    await Promise.all(
      keys.map((key) => pages.keep(key, aPage({ made: { main: { markdown: key } } }), Buffer.from(key))),
    )
    for (const key of keys) await pages.find(key)
    const readsOf = async (key: string) => {
      queries.length = 0
      await pages.find(key)
      return queries.filter((sql) => sql.includes('value_zst')).length
    }
    expect([await readsOf('k1'), await readsOf('k0')]).toEqual([0, 1])
  })

  test('received as gzip is stored as that gzip', async () => {
    const { pages, db } = open()
    const gzip = gzipSync('a line of a page\n'.repeat(1000))
    const { bytes } = await readBody(gzip, 'gzip', 1_000_000)
    await keepNow(pages, 'k', aPage(), bytes)
    expect((await db.all('SELECT body_zst AS stored FROM cache_body'))[0]?.stored).toEqual(new Uint8Array(gzip))
  })

  test('is not written again if it is unchanged', async () => {
    const { pages, db } = open()
    const rows = () => db.all("SELECT id, fetched_at FROM cache_page WHERE key = 'k'")
    await keepNow(pages, 'k', aPage({ made: { main: { markdown: 'a' } } }), Buffer.from('a'))
    await keepNow(pages, 'other', aPage(), Buffer.from('b'))
    const [before] = await rows()
    await keepNow(pages, 'k', aPage({ fetchedAt: 2000, made: { main: { markdown: 'a' } } }), Buffer.from('a'))
    // A row that is written again gets another id.
    expect(await rows()).toEqual([{ ...before, fetched_at: 2000 }])
    await keepNow(pages, 'k', aPage({ fetchedAt: 3000, made: { main: { markdown: 'b' } } }), Buffer.from('a'))
    expect(await db.all("SELECT COUNT(*) AS n FROM cache_made WHERE variant = 'main'")).toEqual([{ n: 1 }])
    expect(await pages.find('k')).toEqual(aPage({ fetchedAt: 3000, made: { main: { markdown: 'b' } } }))
  })

  test('is that of the last of several concurrent fetches', async () => {
    const { pages } = open()
    const keep = (fetchedAt: number) =>
      pages.keep('k', aPage({ fetchedAt, url: `http://a.test/${fetchedAt}` }), Buffer.from(String(fetchedAt)))
    await Promise.all([2001, 2002, 2003].map(keep))
    expect(await pages.find('k')).toMatchObject({ url: 'http://a.test/2003' })
    expect(Buffer.from((await pages.body('k')) ?? []).toString()).toBe('2003')
  })
})

describe('the cap', () => {
  const capBytes = 100_000

  test('holds at every moment, by dropping the oldest of many pages', async () => {
    const { pages, db, clock } = open(capBytes)
    const keys = Array.from({ length: 250 }, (_, nth) => `k${String(nth).padStart(3, '0')}`)
    for (const key of keys) {
      clock.advance(1000)
      void pages.keep(key, aPage(), randomBytes(900))
      await pages.idle()
      expect(await totalBytes(db)).toBeLessThanOrEqual(capBytes)
    }
    const kept = await keptKeys(db)
    // More than one slice of the eviction.
    expect(kept.length).toBeGreaterThan(64)
    expect(kept).toEqual(keys.slice(-kept.length))
    expect(await totalBytes(db)).toBeGreaterThan(capBytes * 0.9)
    expect(await db.all('SELECT page_id FROM cache_body')).toHaveLength(kept.length)
  })

  test('counts the derived parts of a page', async () => {
    const { pages, db, clock } = open(capBytes)
    await keepNow(pages, 'old', aPage(), randomBytes(40_000))
    clock.advance(1)
    await keepNow(pages, 'new', aPage(), Buffer.from('a'))
    await pages.addMade('new', 1000, 'main', { markdown: randomBytes(40_000).toString('hex') })
    await pages.addMade('new', 1000, 'all', { markdown: randomBytes(40_000).toString('hex') })
    expect(await keptKeys(db)).toEqual(['new'])
  })

  test('the time of use of a page is written at most once a minute', async () => {
    const { pages, db, clock } = open()
    const usedAt = async () => (await db.all('SELECT used_at FROM cache_page'))[0]?.used_at
    await keepNow(pages, 'k', aPage(), Buffer.from('a'))
    const keptAt = clock.now()
    clock.advance(minuteMs - 1)
    await pages.find('k')
    expect(await usedAt()).toBe(keptAt)
    clock.advance(1)
    await pages.find('k')
    expect(await usedAt()).toBe(clock.now())
  })
})

test.each<{ what: string; use(pages: PageCache): Promise<unknown> }>([
  { what: 'find', use: (pages) => pages.find('k') },
  { what: 'body', use: (pages) => pages.body('k') },
  { what: 'keep', use: (pages) => pages.keep('k', aPage(), Buffer.from('a')) },
  { what: 'addMade', use: (pages) => pages.addMade('k', 1000, 'main', { markdown: 'a' }) },
])('a cache whose database fails treats $what as a miss, with one line in the log', async ({ use }) => {
  const { pages, db, lines } = open()
  await db.run('DROP TABLE cache_made')
  await db.run('DROP TABLE cache_body')
  await db.run('DROP TABLE cache_page')
  await expect(use(pages)).resolves.toBeUndefined()
  expect(lines.map(({ level, event }) => [level, event])).toEqual([['warn', 'page cache failed']])
})
