import { describe, expect, test } from 'vitest'
import type { PageOutcome } from '../../src/contracts/crawl-ports.ts'
import { crawlWorld, finishAll, type OpenCrawls } from './crawl-world.ts'
import { aCrawl, aDelivery, document, page, pages } from './fixtures.ts'

/** The contract of every frontier: which pages of a crawl are taken, in which order, and how fast. */
export function describeFrontier(open: OpenCrawls): void {
  describe('the frontier of a crawl', () => {
    test('takes each page once, by its key, and gives the reason for those it skips', async () => {
      const { crawls, id, paths } = await crawlWorld(open)
      expect(await crawls.add(id, [page('/a'), page('/b'), page('/a'), page('/a?x=1', { key: 'site.test/a' })])).toBe(2)
      expect(await crawls.add(id, [page('/b'), page('/c')])).toBe(1)
      expect(await paths()).toEqual(['/a', '/b', '/c'])
      expect(await paths()).toEqual([])
      expect((await crawls.skipped(id)).counts).toEqual({ duplicate: 1 })
    })

    test('keeps the number of pages of the crawl and of each host, and serves hosts in turn', async () => {
      const { crawls, id, claim } = await crawlWorld(open, { maxConcurrency: 5 })
      await crawls.add(id, [
        ...pages(8),
        page('/x', { host: 'b:443', key: 'b/x' }),
        page('/y', { host: 'c:443', key: 'c/y' }),
      ])
      const first = await claim({ count: 6, hostConcurrency: 3 })
      expect(first.map(({ host }) => host).toSorted()).toEqual(['b:443', 'c:443', 'site.test:443', 'site.test:443'])
      expect(await claim({ hostConcurrency: 3 })).toHaveLength(1)
      expect(await claim({ hostConcurrency: 3 })).toHaveLength(0)
    })

    test('waits for the gap of a host between its pages, and for the delay of the crawl between all pages', async () => {
      const { crawls, id, claim, clock } = await crawlWorld(open)
      await crawls.add(id, [page('/a'), page('/b')])
      await crawls.setCrawlDelay(id, 'site.test:443', 5000)
      await crawls.setCrawlDelay(id, 'site.test:443', 2000)
      const claimed = await claim()
      expect(claimed).toHaveLength(1)
      clock.advance(60_000)
      expect(await claim()).toHaveLength(0)
      await crawls.renew('one', 30_000)
      await finishAll(crawls, claimed)
      clock.advance(4999)
      expect(await claim()).toHaveLength(0)
      clock.advance(1)
      expect(await claim()).toHaveLength(1)

      const slow = await crawlWorld(open, { delayMs: 3000, maxConcurrency: 1 })
      await slow.crawls.add(slow.id, [page('/a'), page('/b', { host: 'b:443', key: 'b' })])
      await finishAll(slow.crawls, await slow.claim())
      expect(await slow.claim()).toHaveLength(0)
      slow.clock.advance(3000)
      expect(await slow.claim()).toHaveLength(1)
    })

    test('by level gives no page while one of lower depth waits or is in progress in any process', async () => {
      const { crawls, id, claim } = await crawlWorld(open)
      await crawls.add(id, [
        page('/deep', { depth: 2 }),
        page('/a', { depth: 1 }),
        page('/b', { depth: 1, host: 'b:443', key: 'b' }),
      ])
      const first = await claim({ order: 'by depth' })
      expect(first.map(({ depth }) => depth)).toEqual([1, 1])
      await crawls.add(id, [page('/deep', { depth: 1 })])
      expect((await claim({ order: 'by depth' })).map(({ depth }) => depth)).toEqual([1])
      await crawls.add(id, [page('/deeper', { depth: 3 })])
      expect(await claim({ order: 'by depth' })).toEqual([])
    })

    test('treats a second page redirected to the same address as a duplicate', async () => {
      const { crawls, id, claim, counts } = await crawlWorld(open)
      await crawls.add(id, [page('/old'), page('/older'), page('/target')])
      const [old, older, target] = await claim()
      const redirectedTo = { key: 'site.test/new', url: 'https://site.test/new' }
      const outcome = { kind: 'document' as const, document: document('new'), credits: 1, redirectedTo }
      expect(await crawls.finish(old!, 'one', outcome)).toBe('finished')
      expect(await crawls.finish(older!, 'one', outcome)).toBe('duplicate')
      const known = { key: 'site.test/target', url: 'https://site.test/target' }
      await crawls.add(id, [page('/to-target')])
      const [toTarget] = await claim()
      expect(await crawls.finish(toTarget!, 'one', { ...outcome, redirectedTo: known })).toBe('duplicate')
      await finishAll(crawls, [target!])
      expect(await crawls.add(id, [page('/new')])).toBe(0)
      expect(await counts()).toMatchObject({ done: 2, dropped: 2 })
      expect((await crawls.find(id))?.credits).toBe(2)
      expect((await crawls.skipped(id)).counts).toEqual({ duplicate: 3 })
    })

    test('delays a page and its host until the next try', async () => {
      const { crawls, id, claim, clock } = await crawlWorld(open)
      await crawls.add(id, [page('/busy'), page('/other')])
      const [busy] = await claim({ count: 1 })
      await crawls.finish(busy!, 'one', { kind: 'retry', at: clock.now() + 7000 })
      expect(await claim()).toEqual([])
      clock.advance(7000)
      expect(await claim()).toMatchObject([{ retries: 1, tries: 2 }, { retries: 0 }])
    })

    test('adds thousands of pages in one call, in their order, each page once', async () => {
      const { crawls, id, claim } = await crawlWorld(open, { pageLimit: 10_000 })
      await crawls.add(id, pages(2500))
      expect(await crawls.find(id)).toMatchObject({ counts: { waiting: 2500 } })
      expect(await crawls.add(id, [...pages(3100), ...pages(10)])).toBe(600)
      expect(await crawls.find(id)).toMatchObject({ counts: { waiting: 3100 } })
      expect((await claim({ count: 3 })).map(({ url }) => url)).toEqual(pages(3).map(({ url }) => url))
      expect((await crawls.skipped(id)).counts).toEqual({})
    })

    test('keeps the lowest depth of a page found twice in one call, and whether a link led to it', async () => {
      const { crawls, id, claim } = await crawlWorld(open, { pageLimit: 10 })
      const twice = [page('/a', { depth: 3, source: 'sitemap' }), page('/a', { depth: 2 }), page('/a', { depth: 4 })]
      expect(await crawls.add(id, twice)).toBe(1)
      expect(await claim({ count: 1 })).toMatchObject([{ depth: 2, source: 'link' }])
    })

    test('continues when the clock is set back, with the same pauses', async () => {
      const { crawls, clock, id, claim } = await crawlWorld(open, { pageLimit: 10 })
      await crawls.add(id, pages(3))
      const [first] = await claim({ count: 1 })
      if (!first) throw new Error('No page was taken.')
      await crawls.finish(first, 'one', { kind: 'retry', at: clock.now() + 60_000 })
      await crawls.reap()
      expect(await claim({ count: 3 })).toEqual([])
      clock.advance(-3_600_000)
      await crawls.reap()
      expect(await claim({ count: 3 })).toHaveLength(3)
    })

    test('starts with all given pages', async () => {
      const { crawls, clock } = await crawlWorld(open)
      const given = pages(2500, { source: 'given' })
      const crawl = aCrawl({ kind: 'batch_scrape', pageLimit: given.length, createdAt: clock.now() })
      await crawls.start(crawl, given)
      expect(await crawls.find(crawl.id)).toMatchObject({ counts: { waiting: 2500 } })
    })

    test('sends no event for a duplicate page, and charges nothing for it', async () => {
      const { crawls, deliveries, usage, id, claim } = await crawlWorld(open)
      await crawls.add(id, [page('/old'), page('/target')])
      const [old] = await claim({ count: 1 })
      const redirectedTo = { key: 'site.test/target', url: 'https://site.test/target' }
      const outcome: PageOutcome = { kind: 'document', document: {}, credits: 1, redirectedTo, delivery: aDelivery() }
      expect(await crawls.finish(old!, 'one', outcome)).toBe('duplicate')
      expect(await usage.since('team', 0)).toBe(0)
      expect(await deliveries.nextDueAt()).toBeUndefined()
    })

    test('delays only the page when its failure may not concern its host', async () => {
      const { crawls, id, claim, clock } = await crawlWorld(open)
      await crawls.add(id, [page('/broken'), page('/other')])
      const [broken] = await claim({ count: 1 })
      await crawls.finish(broken!, 'one', { kind: 'retry', at: clock.now() + 7000, scope: 'page' })
      expect(await claim()).toMatchObject([{ url: 'https://site.test/other' }])
    })
  })
}
