import { describe, expect, test } from 'vitest'
import { openSqlite } from '../../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createPageIndex } from '../../../src/engine/store/sqlite/page-index/page-index.ts'
import { fakeClock, logBook, tempDir, tempStore } from '../kit.ts'
import { aQuery, asked, dayMs, fetchedAt, know, put } from './kit.ts'

const urls = (hits: readonly { url: string }[]) => hits.map(({ url }) => url)
const kitchen = { url: 'https://example.com/kitchen', title: 'Kitchens', text: 'All about kitchens.' }

describe('a page', () => {
  test('is found with its title, moment and score', async () => {
    const { store } = await tempStore()
    await know(store, kitchen)
    const [hit] = await store.index.search(asked({ terms: ['kitchen'] }))
    expect(hit).toEqual({
      ...kitchen,
      text: undefined,
      description: 'All about kitchens.',
      fetchedAt,
      score: expect.any(Number),
    })
  })

  test('that was put is found at once, and by a later program', async () => {
    const dir = await tempDir()
    const first = await tempStore({ dir })
    void put(first.store, kitchen)
    expect(urls(await first.store.index.search(asked({ terms: ['kitchen'] })))).toEqual([kitchen.url])
    await first.store.close()
    const second = await tempStore({ dir })
    expect(urls(await second.store.index.search(asked({ terms: ['kitchen'] })))).toEqual([kitchen.url])
  })

  test('that was put just before the end is there after it', async () => {
    const dir = await tempDir()
    const first = await tempStore({ dir })
    void put(first.store, kitchen)
    await first.store.close()
    const second = await tempStore({ dir })
    expect((await second.store.index.facts()).pages).toBe(1)
  })

  test('put again is found by its new words only', async () => {
    const { store } = await tempStore()
    await know(store, kitchen)
    await know(store, { ...kitchen, text: 'Now a garden.', title: 'Gardens' })
    expect(await store.index.search(asked({ terms: ['kitchens', 'all'] }))).toHaveLength(1)
    expect(await store.index.search(asked({ inTitle: ['kitchen'] }))).toEqual([])
    expect(urls(await store.index.search(asked({ terms: ['garden'] })))).toEqual([kitchen.url])
  })

  test('fetched anew replaces the one before', async () => {
    const { store } = await tempStore()
    await know(store, kitchen)
    await know(store, { ...kitchen, text: 'Now a garden.', title: 'Gardens', fetchedAt: fetchedAt + dayMs })
    expect(await store.index.search(asked({ phrases: ['about kitchens'] }))).toEqual([])
    expect((await store.index.facts()).pages).toBe(1)
  })

  test('that the cache does not hold, or holds of another fetch, is not kept', async () => {
    const { store, lines } = await tempStore()
    const page = { teamId: 'team', description: '', contentType: undefined, ...kitchen }
    await store.index.put({ ...page, cacheKey: 'nowhere', fetchedAt })
    await know(store, kitchen)
    await store.index.put({ ...page, text: 'late', cacheKey: `team ${kitchen.url}`, fetchedAt: fetchedAt - 1 })
    expect(await store.index.search(asked({ terms: ['late'] }))).toEqual([])
    expect((await store.index.facts()).pages).toBe(1)
    expect(lines).toEqual([])
  })

  test('leaves the index when it leaves the cache', async () => {
    const { store } = await tempStore({ cacheMaxBytes: 64_000 })
    await know(store, kitchen)
    const many = Array.from({ length: 300 }, (_, nth) => ({ url: `https://example.com/${nth}`, text: `number ${nth}` }))
    for (const page of many) await know(store, page)
    expect(await store.index.search(asked({ terms: ['kitchen'] }))).toEqual([])
    expect(urls(await store.index.search(asked({ phrases: ['number 299'] })))).toEqual(['https://example.com/299'])
    expect((await store.index.facts()).pages).toBeLessThan(300)
  })

  test('fetched in several ways is one hit', async () => {
    const { store } = await tempStore()
    await know(store, kitchen, { ...kitchen, cacheKey: 'from Sweden' })
    expect(await store.index.search(asked({ terms: ['kitchen'] }))).toHaveLength(1)
  })

  test('that is very long is found by its beginning and its headings', async () => {
    const { store } = await tempStore()
    const filler = 'Words and more words. '.repeat(2000)
    await know(store, { ...kitchen, text: `Opening.\n${filler}\n## Ladles\n\nAn epilogue.` })
    expect(await store.index.search(asked({ terms: ['opening'] }))).toHaveLength(1)
    expect(await store.index.search(asked({ terms: ['ladle'] }))).toHaveLength(1)
    expect(await store.index.search(asked({ terms: ['epilogue'] }))).toEqual([])
  })

  test('is not found by the addresses it links to', async () => {
    const { store } = await tempStore()
    await know(store, {
      ...kitchen,
      text: 'See [the garden](https://example.com/hortus "hortus") ![map](data:image/png;base64,hortus).',
    })
    expect(await store.index.search(asked({ terms: ['garden'] }))).toHaveLength(1)
    expect(await store.index.search(asked({ terms: ['example.com/hortus'] }))).toEqual([])
  })
})

test('a database that fails is logged, and the one who puts hears nothing', async () => {
  const { log, lines } = logBook()
  const db = openSqlite(':memory:')
  const index = createPageIndex({ db, pagesKept: async () => {}, reader: async () => db, clock: fakeClock(), log })
  await db.close()
  await index.put({ ...kitchen, cacheKey: 'k', teamId: 'team', description: '', fetchedAt, contentType: undefined })
  expect(lines).toMatchObject([{ level: 'warn', event: 'pages could not be indexed', facts: { pages: 1 } }])
  await expect(index.search(asked({ terms: ['kitchen'] }))).rejects.toThrow('closed')
})

test('a page that the cache does not hold leaves no trace', async () => {
  const { log, lines } = logBook()
  const db = openSqlite(':memory:')
  const index = createPageIndex({ db, pagesKept: async () => {}, reader: async () => db, clock: fakeClock(), log })
  await index.put({ ...kitchen, cacheKey: 'k', teamId: 'team', description: '', fetchedAt, contentType: undefined })
  expect(await db.all('SELECT id FROM page_text_docsize')).toEqual([])
  expect(lines).toEqual([])
  await db.close()
})

test('a search asks nothing of the connection that pages are written with', async () => {
  const { log } = logBook()
  const db = openSqlite(':memory:')
  const index = createPageIndex({
    db: { ...db, all: () => Promise.reject(new Error('busy')), run: () => Promise.reject(new Error('busy')) },
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

test('many pages put at once are written in few transactions', async () => {
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

describe('addresses of a host', () => {
  const pages = [
    { url: 'https://example.com/old' },
    { url: 'https://www.example.com/new', title: 'New', fetchedAt: fetchedAt + dayMs },
    { url: 'https://docs.example.com/x', fetchedAt: fetchedAt + 2 * dayMs },
    { url: 'https://example.community/y' },
    { url: 'https://my-example.com/z' },
    { url: 'https://example.com/theirs', teamId: 'others' },
  ]
  test.each([
    ['host', 10, ['https://www.example.com/new', 'https://example.com/old']],
    ['with sub-domains', 10, ['https://docs.example.com/x', 'https://www.example.com/new', 'https://example.com/old']],
    ['with sub-domains', 1, ['https://docs.example.com/x']],
  ] as const)('%s, at most %d, newest first', async (reach, limit, expected) => {
    const { store } = await tempStore()
    await know(store, ...pages)
    expect(urls(await store.index.urlsOf('team', 'example.com', reach, limit))).toEqual(expected)
  })
})

describe('facts and pruning', () => {
  const old = { url: 'https://example.com/old', text: 'old words', fetchedAt: Date.UTC(2026, 0, 1) }
  const other = { url: 'https://docs.example.com/other', text: 'other words' }
  const theirs = { url: 'https://example.com/theirs', text: 'their words', teamId: 'others' }

  test('tell how many pages there are, of which hosts, and how large the index is', async () => {
    const { store } = await tempStore()
    expect(await store.index.facts()).toMatchObject({ pages: 0, hosts: [] })
    await know(store, old, other, theirs)
    const facts = await store.index.facts()
    expect(facts).toMatchObject({
      pages: 3,
      hosts: [
        { host: 'example.com', pages: 2 },
        { host: 'docs.example.com', pages: 1 },
      ],
    })
    expect(facts.bytes).toBeGreaterThan(100)
  })

  test.each([
    [{ host: 'example.com' }, [other.url]],
    [{ host: 'www.example.com' }, [other.url]],
    [{ olderThanMs: 30 * dayMs }, [other.url, theirs.url]],
    [{ host: 'docs.example.com', olderThanMs: 30 * dayMs }, [other.url, old.url, theirs.url]],
    [{}, []],
  ])('%o leaves %o', async (what, left) => {
    const { store } = await tempStore()
    await know(store, old, other, theirs)
    expect(await store.index.prune(what)).toBe(3 - left.length)
    const found = await Promise.all(
      ['team', 'others'].map((teamId) => store.index.search(asked({ terms: ['words'] }, { teamId }))),
    )
    expect(urls(found.flat()).toSorted()).toEqual(left.toSorted())
    const cached = await Promise.all(
      [old, other, theirs].map(({ url, ...page }) =>
        store.pages.find(`${'teamId' in page ? page.teamId : 'team'} ${url}`),
      ),
    )
    expect(cached.flatMap((page) => page?.url ?? []).toSorted()).toEqual(left.toSorted())
  })

  test('more than one slice is pruned whole', async () => {
    const { store } = await tempStore()
    await know(
      store,
      ...Array.from({ length: 250 }, (_, nth) => ({ url: `https://example.com/${nth}`, text: 'words' })),
    )
    expect(await store.index.prune({ host: 'example.com' })).toBe(250)
    expect(await store.index.facts()).toMatchObject({ pages: 0, hosts: [] })
  })
})
