import { expect, test } from 'vitest'
import type { FoundPage, NewCrawl } from '../../src/contracts/crawl.ts'
import { tempStore } from './kit.ts'

const page = (path: string, changes: Partial<FoundPage> = {}): FoundPage => ({
  url: `https://site.test${path}`,
  key: `site.test${path}`,
  host: 'site.test:443',
  depth: 1,
  source: 'link',
  ...changes,
})
const many = (count: number) => Array.from({ length: count }, (_, index) => page(`/${index}`))

async function world(pageLimit: number, pages: readonly FoundPage[] = []) {
  const { store, clock } = await tempStore()
  const { crawls } = store
  const crawl: NewCrawl = {
    id: crypto.randomUUID(),
    teamId: 'team',
    keyName: null,
    kind: 'crawl',
    target: 'https://site.test/',
    createdAt: clock.now(),
    expiresAt: clock.now() + 86_400_000,
    request: { options: null },
    pageLimit,
    maxConcurrency: 10,
    delayMs: 0,
    isKickedOff: true,
    idempotencyKey: null,
    warnings: [],
  }
  await crawls.begin(crawl, pages)
  const claim = (count: number) =>
    crawls.claim({ crawlId: crawl.id, owner: 'one', count, leaseMs: 1000, hostConcurrency: 10, byLevel: 'as found' })
  return { crawls, clock, id: crawl.id, claim }
}

test('takes thousands of pages at once, in their order, each page once', async () => {
  const { crawls, id, claim } = await world(10_000, many(2500))
  expect(await crawls.find(id)).toMatchObject({ counts: { waiting: 2500 } })
  expect(await crawls.add(id, [...many(3100), ...many(10)])).toBe(600)
  expect(await crawls.find(id)).toMatchObject({ counts: { waiting: 3100 } })
  expect((await claim(3)).map(({ url }) => url)).toEqual(many(3).map(({ url }) => url))
  expect((await crawls.skipped(id)).counts).toEqual({})
})

test('keeps to the room of a crawl over all slices, and says what was beyond it', async () => {
  const { crawls, id } = await world(700)
  expect(await crawls.add(id, [...many(1400), page('/0?twin', { key: 'site.test/0' }), ...many(2000)])).toBe(1500)
  expect((await crawls.skipped(id)).counts).toEqual({ duplicate: 1, limit: 500 })
})

test('of one page found twice at once the shortest way and the link count', async () => {
  const { crawls, id, claim } = await world(10)
  const twice = [page('/a', { depth: 3, source: 'sitemap' }), page('/a', { depth: 2 }), page('/a', { depth: 4 })]
  expect(await crawls.add(id, twice)).toBe(1)
  expect(await claim(1)).toMatchObject([{ depth: 2, source: 'link' }])
})

test('goes on when the clock is set back, and keeps to the pauses of before all the same', async () => {
  const { crawls, clock, id, claim } = await world(10)
  await crawls.add(id, many(3))
  const [first] = await claim(1)
  if (!first) throw new Error('No page was taken.')
  await crawls.finish(first, 'one', { kind: 'retry', at: clock.now() + 60_000 })
  await crawls.reap()
  expect(await claim(3)).toEqual([])
  clock.advance(-3_600_000)
  await crawls.reap()
  expect(await claim(3)).toHaveLength(3)
})
