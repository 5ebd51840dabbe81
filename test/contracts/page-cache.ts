import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readBody } from '../../src/engine/net/http/read-body.ts'
import { aPage, keepNow } from './fixtures.ts'
import { opened, type OpenStore } from './store-under-test.ts'
import type { PageCache } from '../../src/contracts/stored-pages.ts'

/** Returns those of the keys that are in the cache. */
const keptOf = async (pages: PageCache, keys: readonly string[]) => {
  const found = await Promise.all(keys.map((key) => pages.find(key)))
  return keys.filter((_, nth) => found[nth] !== undefined)
}

/** The contract of every page cache. */
export function describePageCache(open: OpenStore<'pages'>): void {
  async function world(settings?: Parameters<typeof open>[0]) {
    const stores = await opened(open, settings)
    return { ...stores, pages: stores.store.pages }
  }

  describe('a cached page', () => {
    test('is found unchanged, with its body', async () => {
      const { pages } = await world()
      const body = randomBytes(50_000)
      const page = aPage({
        status: 404,
        headers: { a: '1', 'set-cookie': 'x; y' },
        made: { main: { markdown: '# A' } },
      })
      await keepNow(pages, 'k', page, body)
      expect(await pages.find('k')).toEqual(page)
      expect(await pages.body('k')).toEqual(new Uint8Array(body))
    })

    test('received as gzip is found decoded, even in another process', async () => {
      const { pages, another } = await world()
      const body = Buffer.from('<p>a line of a page</p>\n'.repeat(2000))
      const { bytes } = await readBody(gzipSync(body), 'gzip', 1_000_000)
      const page = aPage({ made: { main: { markdown: 'a line of a page' } } })
      await keepNow(pages, 'k', page, bytes)
      expect(await pages.body('k')).toEqual(new Uint8Array(body))
      const { pages: theirs } = await another()
      expect(await theirs.body('k')).toEqual(new Uint8Array(body))
      expect(await theirs.madeOfSame('k', page, body)).toEqual(page.made)
    })

    test('stored concurrently by two processes is that of the later fetch, with its own body', async () => {
      const { pages, another } = await world()
      const { pages: other } = await another()
      await Promise.all([
        pages.keep('k', aPage({ fetchedAt: 2000 }), Buffer.from('new')),
        other.keep('k', aPage(), Buffer.from('old')),
      ])
      for (const each of [pages, other]) {
        expect(await each.find('k')).toEqual(aPage({ fetchedAt: 2000 }))
        expect(await each.body('k')).toEqual(new Uint8Array(Buffer.from('new')))
      }
    })

    test('is replaced by a newer one, without the parts of the older', async () => {
      const { pages } = await world()
      await keepNow(pages, 'k', aPage({ made: { main: { markdown: 'old' } } }), Buffer.from('old'))
      const newer = aPage({ fetchedAt: 2000, url: 'https://example.com/new' })
      await keepNow(pages, 'k', newer, Buffer.from('new'))
      expect(await pages.find('k')).toEqual(newer)
      expect(await pages.body('k')).toEqual(new Uint8Array(Buffer.from('new')))
    })

    test.each([
      { what: 'the body', url: 'https://example.com/', markdown: 'same', body: 'changed' },
      { what: 'a part', url: 'https://example.com/', markdown: 'changed', body: 'same' },
      { what: 'the address', url: 'https://example.com/changed', markdown: 'same', body: 'same' },
      { what: 'nothing', url: 'https://example.com/', markdown: 'same', body: 'same' },
    ])('is replaced by a later fetch when $what changed', async ({ url, markdown, body }) => {
      const { pages } = await world()
      const first = aPage({ url: 'https://example.com/', made: { main: { markdown: 'same' } } })
      await keepNow(pages, 'k', first, Buffer.from('same'))
      await pages.addMade('k', first.fetchedAt, 'live', { screenshot: 'of then' })
      const later = aPage({ fetchedAt: 2000, url, status: 203, made: { main: { markdown } } })
      await keepNow(pages, 'k', later, Buffer.from(body))
      expect(await pages.find('k')).toEqual(later)
      expect(await pages.body('k')).toEqual(new Uint8Array(Buffer.from(body)))
    })

    test('is not replaced by an older one that arrives late', async () => {
      const { pages } = await world()
      const newer = aPage({ fetchedAt: 2000 })
      await keepNow(pages, 'k', newer, Buffer.from('new'))
      await keepNow(pages, 'k', aPage({ made: { main: { markdown: 'old' } } }), Buffer.from('old'))
      expect(await pages.find('k')).toEqual(newer)
      expect(await pages.body('k')).toEqual(new Uint8Array(Buffer.from('new')))
    })
  })

  describe('the same page', () => {
    const made = { main: { markdown: 'a text '.repeat(500), links: ['https://example.com/b'] } }
    const typed = { 'content-type': 'text/html' }
    const page = aPage({ url: 'https://example.com/', headers: typed, made })
    const body = Buffer.from('a body')

    test('is recognized by its body, with the parts made of it', async () => {
      const { pages, restart } = await world()
      await keepNow(pages, 'k', page, body)
      expect(await pages.madeOfSame('k', page, Buffer.from('a body'))).toEqual(made)
      const { pages: later } = await restart()
      expect(await later.madeOfSame('k', { ...page, headers: { ...typed, date: 'today' } }, body)).toEqual(made)
    })

    test.each([
      { what: 'with another body', key: 'k', other: {}, bytes: 'another' },
      { what: 'at another address', key: 'k', other: { url: 'https://example.com/b' }, bytes: 'a body' },
      { what: 'of another type', key: 'k', other: { headers: { 'content-type': 'text/plain' } }, bytes: 'a body' },
      { what: 'under another key', key: 'other', other: {}, bytes: 'a body' },
    ])('is not recognized $what', async ({ key, other, bytes }) => {
      const { pages } = await world()
      await keepNow(pages, 'k', page, body)
      expect(await pages.madeOfSame(key, { ...page, ...other }, Buffer.from(bytes))).toBeUndefined()
    })

    test('is found while its write is in progress', async () => {
      const { pages } = await world()
      const writing = pages.keep('k', page, body)
      expect(await pages.madeOfSame('k', page, body)).toEqual(made)
      await writing
    })
  })

  describe('parts made of a page', () => {
    test('added at the same time are all kept', async () => {
      const { pages } = await world()
      await keepNow(pages, 'k', aPage(), Buffer.from('a'))
      const variants = Array.from({ length: 20 }, (_, nth) => `variant ${nth}`)
      await Promise.all(
        variants.flatMap((variant) => [
          pages.addMade('k', 1000, variant, { markdown: variant }),
          pages.addMade('k', 1000, variant, { links: [variant], metadata: { title: variant } }),
        ]),
      )
      const expected = variants.map((variant) => [
        variant,
        { markdown: variant, links: [variant], metadata: { title: variant } },
      ])
      expect((await pages.find('k'))?.made).toEqual(Object.fromEntries(expected))
    })

    test.each([
      { what: 'an older fetch', fetchedAt: 999 },
      { what: 'a later fetch', fetchedAt: 1001 },
    ])('of $what are dropped', async ({ fetchedAt }) => {
      const { pages } = await world()
      await keepNow(pages, 'k', aPage(), Buffer.from('a'))
      await pages.addMade('k', fetchedAt, 'main', { markdown: 'other' })
      expect(await pages.find('k')).toEqual(aPage())
    })

    test('do not restore a removed page', async () => {
      const { pages } = await world()
      await pages.addMade('k', 1000, 'main', { markdown: 'a' })
      expect(await pages.find('k')).toBeUndefined()
      expect(await pages.body('k')).toBeUndefined()
    })

    test('replace earlier ones', async () => {
      const { pages } = await world()
      await keepNow(pages, 'k', aPage(), Buffer.from('a'))
      await pages.addMade('k', 1000, 'main', { markdown: 'first' })
      await pages.addMade('k', 1000, 'main', { markdown: 'second' })
      expect((await pages.find('k'))?.made).toEqual({ main: { markdown: 'second' } })
    })
  })

  describe('a cap on the cache', () => {
    const capBytes = 100_000
    test('drops the least recently used page', async () => {
      const { pages, clock } = await world({ cacheMaxBytes: capBytes })
      for (const key of ['a', 'b', 'c']) {
        await keepNow(pages, key, aPage(), randomBytes(30_000))
        clock.advance(120_000)
      }
      await pages.find('a')
      await keepNow(pages, 'd', aPage(), randomBytes(30_000))
      expect(await keptOf(pages, ['a', 'b', 'c', 'd'])).toEqual(['a', 'c', 'd'])
    })

    test('stores no body larger than itself, and drops nothing for it', async () => {
      const { pages } = await world({ cacheMaxBytes: capBytes })
      await keepNow(pages, 'small', aPage(), randomBytes(9000))
      await keepNow(pages, 'huge', aPage(), randomBytes(capBytes + 1))
      expect(await keptOf(pages, ['small', 'huge'])).toEqual(['small'])
    })
  })

  test('a page cache never fails its caller, even when its store is closed', async () => {
    const { pages, close, lines } = await world()
    await close()
    expect(await pages.find('k')).toBeUndefined()
    expect(lines).toHaveLength(1)
  })
}
