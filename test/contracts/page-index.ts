import { describe, expect, test } from 'vitest'
import { indexQuery, dayMs, fetchedAt, know, type OpenPageIndex, put } from './page-index-world.ts'
import { opened } from './store-under-test.ts'

const urls = (hits: readonly { url: string }[]) => hits.map(({ url }) => url)
const kitchen = { url: 'https://example.com/kitchen', title: 'Kitchens', text: 'All about kitchens.' }

/** The contract of every page index: pages are stored with the page cache, and removed with it. */
export function describePageIndex(open: OpenPageIndex): void {
  describe('a page in the index', () => {
    test('is found with its title, time and score', async () => {
      const { store } = await opened(open)
      await know(store, kitchen)
      const [hit] = await store.index.search(indexQuery({ terms: ['kitchen'] }))
      expect(hit).toEqual({
        ...kitchen,
        text: undefined,
        description: 'All about kitchens.',
        fetchedAt,
        score: expect.any(Number),
      })
    })

    test('is found immediately, and after a restart', async () => {
      const first = await opened(open)
      void put(first.store, kitchen)
      expect(urls(await first.store.index.search(indexQuery({ terms: ['kitchen'] })))).toEqual([kitchen.url])
      const { index } = await first.restart()
      expect(urls(await index.search(indexQuery({ terms: ['kitchen'] })))).toEqual([kitchen.url])
    })

    test('added just before the program ends is found after a restart', async () => {
      const first = await opened(open)
      void put(first.store, kitchen)
      const { index } = await first.restart()
      expect((await index.facts()).pages).toBe(1)
    })

    test('added by another process is found once that has written it', async () => {
      const { store, another } = await opened(open)
      await know(store, kitchen)
      const other = await another()
      expect(urls(await other.index.search(indexQuery({ terms: ['kitchen'] })))).toEqual([kitchen.url])
      expect(await other.index.prune({})).toBe(1)
      expect(await store.index.search(indexQuery({ terms: ['kitchen'] }))).toEqual([])
    })

    test('added again is found by its new words only', async () => {
      const { store } = await opened(open)
      await know(store, kitchen)
      await know(store, { ...kitchen, text: 'Now a garden.', title: 'Gardens' })
      expect(await store.index.search(indexQuery({ terms: ['kitchens', 'all'] }))).toHaveLength(1)
      expect(await store.index.search(indexQuery({ inTitle: ['kitchen'] }))).toEqual([])
      expect(urls(await store.index.search(indexQuery({ terms: ['garden'] })))).toEqual([kitchen.url])
    })

    test('whose address changed under its key is found at the new address only', async () => {
      const { store } = await opened(open)
      const moved = { ...kitchen, url: 'https://example.org/moved' }
      await know(store, { ...kitchen, cacheKey: 'k' })
      await know(store, { ...moved, cacheKey: 'k', fetchedAt: fetchedAt + dayMs })
      expect(urls(await store.index.search(indexQuery({ terms: ['kitchen'] })))).toEqual([moved.url])
      expect(await store.index.urlsOf('team', 'example.com', 'host', 10)).toEqual([])
      expect(await store.index.urlsOf('team', 'example.org', 'host', 10)).toHaveLength(1)
    })

    test('fetched again replaces the former one', async () => {
      const { store } = await opened(open)
      await know(store, kitchen)
      await know(store, { ...kitchen, text: 'Now a garden.', title: 'Gardens', fetchedAt: fetchedAt + dayMs })
      expect(await store.index.search(indexQuery({ phrases: ['about kitchens'] }))).toEqual([])
      expect((await store.index.facts()).pages).toBe(1)
    })

    test('is not added if the cache does not hold it, or has it of another fetch', async () => {
      const { store, lines } = await opened(open)
      const page = { teamId: 'team', description: '', contentType: undefined, ...kitchen }
      await store.index.put({ ...page, cacheKey: 'nowhere', fetchedAt })
      await know(store, kitchen)
      await store.index.put({ ...page, text: 'late', cacheKey: `team ${kitchen.url}`, fetchedAt: fetchedAt - 1 })
      expect(await store.index.search(indexQuery({ terms: ['late'] }))).toEqual([])
      expect((await store.index.facts()).pages).toBe(1)
      expect(lines).toEqual([])
    })

    test('leaves the index when it leaves the cache', async () => {
      const { store } = await opened(open, { cacheMaxBytes: 64_000 })
      await know(store, kitchen)
      const many = Array.from({ length: 300 }, (_, nth) => ({
        url: `https://example.com/${nth}`,
        text: `number ${nth}`,
      }))
      for (const page of many) await know(store, page)
      expect(await store.index.search(indexQuery({ terms: ['kitchen'] }))).toEqual([])
      expect(urls(await store.index.search(indexQuery({ phrases: ['number 299'] })))).toEqual([
        'https://example.com/299',
      ])
      expect((await store.index.facts()).pages).toBeLessThan(300)
    })

    test('fetched in several ways is one hit', async () => {
      const { store } = await opened(open)
      await know(store, kitchen, { ...kitchen, cacheKey: 'from Sweden' })
      expect(await store.index.search(indexQuery({ terms: ['kitchen'] }))).toHaveLength(1)
    })

    test('of great length is found by its beginning and its headings', async () => {
      const { store } = await opened(open)
      const filler = 'Words and more words. '.repeat(530)
      const text = `Opening.\n${filler}\nMidway.\n${'More. '.repeat(100)}\n## Ladles\n\nAn epilogue.`
      await know(store, { ...kitchen, text })
      expect(await store.index.search(indexQuery({ terms: ['midway'] }))).toHaveLength(1)
      expect(await store.index.search(indexQuery({ terms: ['opening'] }))).toHaveLength(1)
      expect(await store.index.search(indexQuery({ terms: ['ladle'] }))).toHaveLength(1)
      expect(await store.index.search(indexQuery({ terms: ['epilogue'] }))).toEqual([])
    })
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
      [
        'with sub-domains',
        10,
        ['https://docs.example.com/x', 'https://www.example.com/new', 'https://example.com/old'],
      ],
      ['with sub-domains', 1, ['https://docs.example.com/x']],
    ] as const)('%s, at most %d, newest first', async (reach, limit, expected) => {
      const { store } = await opened(open)
      await know(store, ...pages)
      expect(urls(await store.index.urlsOf('team', 'example.com', reach, limit))).toEqual(expected)
    })
  })

  describe('facts and pruning', () => {
    const old = { url: 'https://example.com/old', text: 'old words', fetchedAt: Date.UTC(2026, 0, 1) }
    const other = { url: 'https://docs.example.com/other', text: 'other words' }
    const theirs = { url: 'https://example.com/theirs', text: 'their words', teamId: 'others' }

    test('give the number of pages, their hosts and the size of the index', async () => {
      const { store } = await opened(open)
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
    ])('pruning %o leaves %o', async (what, left) => {
      const { store } = await opened(open)
      await know(store, old, other, theirs)
      expect(await store.index.prune(what)).toBe(3 - left.length)
      const found = await Promise.all(
        ['team', 'others'].map((teamId) => store.index.search(indexQuery({ terms: ['words'] }, { teamId }))),
      )
      expect(urls(found.flat()).toSorted()).toEqual(left.toSorted())
      const cached = await Promise.all(
        [old, other, theirs].map(({ url, ...page }) =>
          store.pages.find(`${'teamId' in page ? page.teamId : 'team'} ${url}`),
        ),
      )
      expect(cached.flatMap((page) => page?.url ?? []).toSorted()).toEqual(left.toSorted())
    })

    test('pruning removes more than one slice', async () => {
      const { store } = await opened(open)
      await know(
        store,
        ...Array.from({ length: 250 }, (_, nth) => ({ url: `https://example.com/${nth}`, text: 'words' })),
      )
      expect(await store.index.prune({ host: 'example.com' })).toBe(250)
      expect(await store.index.facts()).toMatchObject({ pages: 0, hosts: [] })
    })
  })
}
