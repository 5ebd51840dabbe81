import { expect, test } from 'vitest'
import type { Db } from '../../../src/engine/store/sqlite/db/db.ts'
import { findPages } from '../../../src/engine/store/sqlite/page-index/find-pages.ts'
import { fts5 } from '../../../src/engine/store/sqlite/page-index/full-text.ts'
import { createPageIndex } from '../../../src/engine/store/sqlite/page-index/sqlite-page-index.ts'
import { aQuery, indexQuery, fetchedAt } from '../../contracts/page-index-world.ts'
import { openTables } from '../kit.ts'

const kitchen = { url: 'https://example.com/kitchen', title: 'Kitchens', text: 'All about kitchens.' }

/** An index; `over` replaces calls of the connection that pages are written with. */
function open(over: (db: Db) => Partial<Db> = () => ({})) {
  const { db, clock, log, lines } = openTables()
  const ports = { fullText: fts5, pagesKept: async () => {}, reader: async () => db, clock, log }
  return { db, lines, index: createPageIndex({ db: { ...db, ...over(db) }, ...ports }) }
}

test('a failing database is logged, and the caller gets no error', async () => {
  const { db, index, lines } = open()
  await db.close()
  await index.put({ ...kitchen, cacheKey: 'k', teamId: 'team', description: '', fetchedAt, contentType: undefined })
  expect(lines).toMatchObject([{ level: 'warn', event: 'pages could not be indexed', facts: { pages: 1 } }])
  await expect(index.search(indexQuery({ terms: ['kitchen'] }))).rejects.toThrow('closed')
})

test('a page missing from the cache is not indexed', async () => {
  const { db, index, lines } = open()
  await index.put({ ...kitchen, cacheKey: 'k', teamId: 'team', description: '', fetchedAt, contentType: undefined })
  expect(await db.all('SELECT id FROM page_text_docsize')).toEqual([])
  expect(lines).toEqual([])
})

const busy = () => Promise.reject(new Error('busy'))

test('a search does not use the connection that pages are written with', async () => {
  const { index } = open(() => ({ all: busy, run: busy }))
  expect(await index.search(indexQuery({ terms: ['kitchen', 'stove'] }))).toEqual([])
  expect(await index.search(indexQuery({ related: kitchen.url }))).toEqual([])
  expect(await index.highlights('team', aQuery({ terms: ['stove'] }), [kitchen.url])).toEqual(new Map())
  expect(await index.urlsOf('team', 'example.com', 'host', 1)).toEqual([])
})

test('2,100 pages added concurrently are written in three transactions', async () => {
  const sizes: number[] = []
  const { index } = open((db) => ({
    transaction: async (statements) => (sizes.push(statements.length), db.transaction(statements)),
  }))
  const page = { ...kitchen, teamId: 'team', description: '', fetchedAt, contentType: undefined }
  await Promise.all(Array.from({ length: 2100 }, (_, nth) => index.put({ ...page, cacheKey: String(nth) })))
  expect(sizes).toHaveLength(3)
})

test('no search scans all pages of a team', async () => {
  const { db } = openTables()
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
  await findPages({ db: explained, fullText: fts5 }, indexQuery({ terms: ['kitchen', 'stove'] }), undefined)
  await findPages({ db: explained, fullText: fts5 }, indexQuery({ terms: ['kitchen', 'stove'] }, { period }), undefined)
  await findPages(
    { db: explained, fullText: fts5 },
    indexQuery({ terms: ['kitchen'], site: ['example.com/a'] }),
    undefined,
  )
  const found = plans.filter((plan) => plan.includes('SCAN page_text'))
  expect(found.length).toBeGreaterThan(4)
  expect(found.filter((plan) => plan.includes('SEARCH entry USING INDEX'))).toEqual([])
})
