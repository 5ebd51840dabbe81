import { expect, test } from 'vitest'
import type { Db } from '../../../src/engine/store/sqlite/db/db.ts'
import { findPages } from '../../../src/engine/store/sqlite/page-index/find-pages.ts'
import { fts5 } from '../../../src/engine/store/sqlite/page-index/full-text.ts'
import { openSqlite } from '../../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createPageIndex } from '../../../src/engine/store/sqlite/page-index/sqlite-page-index.ts'
import { aQuery, asked, fetchedAt } from '../../contracts/page-index-world.ts'
import { fakeClock, logBook } from '../../contracts/fixtures.ts'

const kitchen = { url: 'https://example.com/kitchen', title: 'Kitchens', text: 'All about kitchens.' }

test('a failing database is logged, and the caller gets no error', async () => {
  const { log, lines } = logBook()
  const db = openSqlite(':memory:')
  const index = createPageIndex({
    db,
    fullText: fts5,
    pagesKept: async () => {},
    reader: async () => db,
    clock: fakeClock(),
    log,
  })
  await db.close()
  await index.put({ ...kitchen, cacheKey: 'k', teamId: 'team', description: '', fetchedAt, contentType: undefined })
  expect(lines).toMatchObject([{ level: 'warn', event: 'pages could not be indexed', facts: { pages: 1 } }])
  await expect(index.search(asked({ terms: ['kitchen'] }))).rejects.toThrow('closed')
})

test('a page missing from the cache leaves no trace', async () => {
  const { log, lines } = logBook()
  const db = openSqlite(':memory:')
  const index = createPageIndex({
    db,
    fullText: fts5,
    pagesKept: async () => {},
    reader: async () => db,
    clock: fakeClock(),
    log,
  })
  await index.put({ ...kitchen, cacheKey: 'k', teamId: 'team', description: '', fetchedAt, contentType: undefined })
  expect(await db.all('SELECT id FROM page_text_docsize')).toEqual([])
  expect(lines).toEqual([])
  await db.close()
})

test('a search does not use the connection that pages are written with', async () => {
  const { log } = logBook()
  const db = openSqlite(':memory:')
  const index = createPageIndex({
    db: { ...db, all: () => Promise.reject(new Error('busy')), run: () => Promise.reject(new Error('busy')) },
    fullText: fts5,
    pagesKept: async () => {},
    reader: async () => db,
    clock: fakeClock(),
    log,
  })
  expect(await index.search(asked({ terms: ['kitchen', 'stove'] }))).toEqual([])
  expect(await index.search(asked({ related: kitchen.url }))).toEqual([])
  expect(await index.highlights('team', aQuery({ terms: ['stove'] }), [kitchen.url])).toEqual(new Map())
  expect(await index.urlsOf('team', 'example.com', 'host', 1)).toEqual([])
  await db.close()
})

test('many pages stored at once are written in few transactions', async () => {
  const { log } = logBook()
  const db = openSqlite(':memory:')
  const sizes: number[] = []
  const counted = {
    ...db,
    transaction: async (statements: Parameters<typeof db.transaction>[0]) => (
      sizes.push(statements.length),
      db.transaction(statements)
    ),
  }
  const index = createPageIndex({
    db: counted,
    fullText: fts5,
    pagesKept: async () => {},
    reader: async () => db,
    clock: fakeClock(),
    log,
  })
  const page = { ...kitchen, teamId: 'team', description: '', fetchedAt, contentType: undefined }
  await Promise.all(Array.from({ length: 2100 }, (_, nth) => index.put({ ...page, cacheKey: String(nth) })))
  expect(sizes).toHaveLength(3)
  await db.close()
})

test('no search scans all pages of a team', async () => {
  const db = openSqlite(':memory:')
  const plans: string[] = []
  const explained: Db = {
    ...db,
    async all(sql, params) {
      const steps = await db.all(`EXPLAIN QUERY PLAN ${sql}`, params)
      plans.push(steps.map(({ detail }) => String(detail)).join('\n'))
      return db.all(sql, params)
    },
  }
  const period = { from: fetchedAt, to: undefined, preset: undefined, sort: 'relevance' } as const
  await findPages({ db: explained, fullText: fts5 }, asked({ terms: ['kitchen', 'stove'] }), undefined)
  await findPages({ db: explained, fullText: fts5 }, asked({ terms: ['kitchen', 'stove'] }, { period }), undefined)
  await findPages({ db: explained, fullText: fts5 }, asked({ terms: ['kitchen'], site: ['example.com/a'] }), undefined)
  const found = plans.filter((plan) => plan.includes('SCAN page_text'))
  expect(found.length).toBeGreaterThan(4)
  expect(found.filter((plan) => plan.includes('SEARCH entry USING INDEX'))).toEqual([])
  await db.close()
})
