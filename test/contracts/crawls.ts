import type { StoredJson } from '../../src/util/json.ts'
import { describe, expect, test } from 'vitest'
import type { Which } from '../../src/contracts/crawl-ports.ts'
import { crawlWorld, finishAll, type OpenCrawls } from './crawl-world.ts'
import { aCrawl, aDelivery, document, page } from './fixtures.ts'

const read = (stored: StoredJson) => stored.read()

/** The contract of every store of crawls: their start, their end and their results. */
export function describeCrawls(open: OpenCrawls): void {
  describe('crawls', () => {
    test('ends a crawl only when no page is left, and counts waiting pages as beyond the limit', async () => {
      const { crawls, id, claim, counts } = await crawlWorld(open, { pageLimit: 2, isSeeded: false })
      await crawls.add(id, [page('/a')])
      await finishAll(crawls, await claim())
      expect(await crawls.complete(id)).toBe(false)
      await crawls.finishSeeding(id, { warnings: ['one', 'one', 'two'] })
      await crawls.add(id, [page('/b'), page('/c')])
      expect(await crawls.complete(id)).toBe(false)
      await finishAll(crawls, await claim())
      expect(await crawls.complete(id)).toBe(true)
      expect(await crawls.complete(id)).toBe(false)
      expect(await counts()).toEqual({ waiting: 0, active: 0, done: 2, failed: 0, dropped: 1 })
      expect((await crawls.skipped(id)).counts).toEqual({ limit: 1 })
      expect(await crawls.find(id)).toMatchObject({ status: 'completed', warnings: ['one', 'two'], credits: 2 })
    })

    test('keeps the results of robots.txt and sitemaps, and lists skipped URLs in parts', async () => {
      const { crawls, id } = await crawlWorld(open, { isSeeded: false })
      expect(await crawls.seeding(id)).toBeUndefined()
      const robots = { url: 'https://site.test/robots.txt', agent: 'one', isObeyed: true, groups: [], isCut: false }
      const facts = { robots, sitemaps: { files: [{ url: 'https://site.test/map.xml', urls: 3 }], more: 0, urls: 3 } }
      await crawls.finishSeeding(id, { facts })
      expect(await crawls.seeding(id)).toEqual(facts)
      const all = ['c', 'a', 'b'].map((name) => ({ url: `https://site.test/${name}`, reason: 'trap' as const }))
      await crawls.skip(id, all)
      const first = await crawls.skippedAfter(id, '', 2)
      const rest = await crawls.skippedAfter(id, first[1]?.url ?? '', 2)
      expect([first.length, rest.length]).toEqual([2, 1])
      expect([...first, ...rest]).toEqual(expect.arrayContaining(all))
    })

    test('records failures, and charges pages once, to the team', async () => {
      const { usage, crawls, id, claim, clock } = await crawlWorld(open)
      await crawls.add(id, [page('/a'), page('/b')])
      const [a, b] = await claim()
      await crawls.finish(a!, 'one', { kind: 'document', document: {}, credits: 5 })
      await crawls.finish(b!, 'one', { kind: 'failed', code: 'SCRAPE_SITE_ERROR', message: 'It broke.' })
      expect(await crawls.failures(id)).toEqual([
        { id: b!.id, url: 'https://site.test/b', at: clock.now(), code: 'SCRAPE_SITE_ERROR', message: 'It broke.' },
      ])
      expect(await usage.since('team', 0)).toBe(5)
    })

    test('reports a dropped page that could not be read, without counting it', async () => {
      const { crawls, id, claim } = await crawlWorld(open)
      await crawls.add(id, [page('/a')])
      const [a] = await claim()
      const failure = { code: 'SCRAPE_SITE_ERROR', message: 'It broke.' }
      await crawls.finish(a!, 'one', { kind: 'dropped', reason: 'notIncluded', failure })
      expect(await crawls.failures(id)).toEqual([expect.objectContaining({ url: a!.url, ...failure })])
      expect(await crawls.find(id)).toMatchObject({ counts: { failed: 0, dropped: 1 } })
    })

    test('returns results in the order of their arrival, as many as fit but at least one', async () => {
      const { crawls, id, claim } = await crawlWorld(open)
      await crawls.add(id, [page('/a'), page('/b'), page('/c')])
      const pages = await claim()
      for (const [index, each] of pages.entries())
        await crawls.finish(each, 'one', {
          kind: 'document',
          document: { n: index, text: 'x'.repeat(1000) },
          credits: 0,
        })
      const numbers = async (skip: number, maxBytes: number) =>
        (await crawls.progress(id, { skip, limit: 10, maxBytes }))?.documents.map(
          (each) => (each.read() as { n: number }).n,
        )
      expect(await numbers(0, 1e6)).toEqual([0, 1, 2])
      expect(await numbers(1, 2100)).toEqual([1, 2])
      expect(await numbers(0, 10)).toEqual([0])
      expect(await numbers(3, 1e6)).toEqual([])
      expect(await crawls.document(pages[1]!.id)).toMatchObject({ teamId: 'team', document: { n: 1 } })
    })

    test('finds a result by its address, before or after redirects', async () => {
      const { crawls, id, claim } = await crawlWorld(open)
      await crawls.add(id, [page('/a'), page('/b'), page('/c')])
      const [a, b] = await claim()
      const redirectedTo = { key: 'https://site.test/new', url: 'https://site.test/new' }
      await crawls.finish(b!, 'one', { kind: 'document', document: { of: 'b' }, credits: 0 })
      await crawls.finish(a!, 'one', { kind: 'document', document: { of: 'a' }, credits: 0, redirectedTo })
      const found = async (which: Which) => (await crawls.documentOf(id, which))?.document
      expect(await found({ place: 0 })).toEqual({ of: 'b' })
      expect(await found({ place: 1 })).toEqual({ of: 'a' })
      expect(await found({ urls: ['https://site.test/b', 'https://site.test/b/'] })).toEqual({ of: 'b' })
      expect(await found({ urls: ['https://site.test/a'] })).toEqual({ of: 'a' })
      expect(await found({ urls: ['https://site.test/new'] })).toEqual({ of: 'a' })
      // These were found but not visited, or do not belong to this crawl.
      for (const absent of [{ place: 2 }, { urls: ['https://site.test/c'] }, { urls: [] }])
        expect(await found(absent)).toBeUndefined()
      expect(await crawls.documentOf(crypto.randomUUID(), { place: 0 })).toBeUndefined()
    })

    test('lists pages with an error status separately', async () => {
      const { crawls, id, claim } = await crawlWorld(open)
      await crawls.add(id, [page('/a'), page('/b'), page('/c')])
      const statuses = [404, 200, 503]
      for (const [index, each] of (await claim()).entries())
        await crawls.finish(each, 'one', {
          kind: 'document',
          document: { metadata: { statusCode: statuses[index] } },
          credits: 0,
        })
      const { total, documents } = await crawls.refused(id, { skip: 1, limit: 10 })
      expect([total, documents.map((each) => each.read())]).toEqual([2, [{ metadata: { statusCode: 503 } }]])
      expect(await crawls.refused(id, { skip: 0, limit: 0 })).toEqual({ total: 2, documents: [] })
    })

    test('counts skipped pages at the end of a crawl, and finds no unknown crawl', async () => {
      const { crawls, id } = await crawlWorld(open)
      const progress = (crawlId: string) => crawls.progress(crawlId, { skip: 0, limit: 10, maxBytes: 1e6 })
      await crawls.skip(id, [{ url: 'https://site.test/no', reason: 'robots' }])
      expect(await progress(id)).toMatchObject({ crawl: { status: 'scraping' }, documents: [], skipped: {} })
      await crawls.add(id, [page('/waits')])
      await crawls.cancel(id)
      expect(await progress(id)).toMatchObject({ crawl: { status: 'cancelled' }, skipped: { robots: 1 } })
      expect((await crawls.skipped(id)).counts).toEqual({ robots: 1 })
      expect(await progress(crypto.randomUUID())).toBeUndefined()
    })

    test('cancels a crawl once, and discards the pages in progress', async () => {
      const { crawls, id, claim, counts } = await crawlWorld(open)
      await crawls.add(id, [page('/a'), page('/b')])
      const [a] = await claim({ count: 1 })
      expect(await crawls.cancel(id)).toBe(true)
      expect(await crawls.cancel(id)).toBe(false)
      expect(await crawls.finish(a!, 'one', { kind: 'document', document: {}, credits: 1 })).toBe('lost')
      expect(await crawls.add(id, [page('/c')])).toBe(0)
      expect(await claim()).toEqual([])
      expect(await counts()).toEqual({ waiting: 0, active: 0, done: 0, failed: 0, dropped: 2 })
      expect(await crawls.running()).toEqual([])
    })

    test('lets one process prepare a crawl, and another if that ended', async () => {
      const { crawls, id, clock } = await crawlWorld(open, { isSeeded: false })
      expect(await crawls.claimSeeding(id, 'one', 1000)).toBe(true)
      expect(await crawls.claimSeeding(id, 'two', 1000)).toBe(false)
      clock.advance(1000)
      expect(await crawls.claimSeeding(id, 'two', 1000)).toBe(true)
      await crawls.finishSeeding(id, { error: { code: 'SCRAPE_DNS_RESOLUTION_ERROR', message: 'No such host.' } })
      expect(await crawls.find(id)).toMatchObject({ status: 'failed', error: { code: 'SCRAPE_DNS_RESOLUTION_ERROR' } })
      expect(await crawls.claimSeeding(id, 'one', 1000)).toBe(false)
    })

    test('starts once per id, with the first input', async () => {
      const { crawls, deliveries } = await crawlWorld(open)
      const crawl = aCrawl({ target: 'http://first.test/' })
      const started = () => aDelivery({ crawlId: crawl.id })
      await crawls.start(crawl, [page('/a')], started())
      await crawls.start({ ...crawl, target: 'http://second.test/' }, [page('/b')], started())
      expect(await crawls.find(crawl.id)).toMatchObject({ target: 'http://first.test/', counts: { waiting: 1 } })
      expect((await deliveries.look(crawl.id, 10)).due).toHaveLength(1)
    })

    test('removes a crawl and its results when they expire, but never one that runs', async () => {
      const { crawls, id, claim, clock } = await crawlWorld(open)
      await crawls.add(id, [page('/a')])
      const pages = await claim()
      await finishAll(crawls, pages)
      clock.advance(2 * 86_400_000)
      expect(await crawls.find(id)).toBeDefined()
      await crawls.complete(id)
      clock.advance(86_400_000 - 1)
      expect(await crawls.find(id)).toBeDefined()
      clock.advance(1)
      expect(await crawls.find(id)).toBeUndefined()
      await crawls.start(aCrawl({ createdAt: clock.now(), expiresAt: clock.now() + 1000 }), [])
      await expect.poll(() => crawls.document(pages[0]!.id)).toBeUndefined()
    })

    test('adds to a batch while it runs', async () => {
      const { crawls, id, counts } = await crawlWorld(open, { kind: 'batch_scrape', pageLimit: 1 })
      expect(await crawls.append(id, [page('/a'), page('/b')])).toBe(true)
      expect(await counts()).toMatchObject({ waiting: 2 })
      expect((await crawls.find(id))?.pageLimit).toBe(3)
      await crawls.cancel(id)
      expect(await crawls.append(id, [page('/c')])).toBe(false)
    })

    test('ends a crawl once, with one event, even in two processes', async () => {
      const { crawls, deliveries, id, claim, another } = await crawlWorld(open)
      const { crawls: other } = await another()
      await crawls.add(id, [page('/a')])
      await finishAll(crawls, await claim())
      const events = [aDelivery({ crawlId: id }), aDelivery({ crawlId: id })]
      const ended = await Promise.all([crawls.complete(id, events[0]), other.complete(id, events[1])])
      expect(ended.toSorted()).toEqual([false, true])
      expect(await crawls.cancel(id, aDelivery({ crawlId: id }))).toBe(false)
      const [claimed, ...others] = (await deliveries.look(id, 10)).due
      expect(others).toEqual([])
      expect(events.map((event) => event.id)).toContain(claimed?.id)
    })

    test('lets one of two processes prepare a crawl, while it renews its lease', async () => {
      const { crawls, id, another, clock } = await crawlWorld(open, { isSeeded: false })
      const { crawls: other } = await another()
      const taken = await Promise.all([crawls.claimSeeding(id, 'one', 1000), other.claimSeeding(id, 'two', 1000)])
      expect(taken.filter(Boolean)).toHaveLength(1)
      const [holder, waiting] = taken[0] ? ['one', 'two'] : ['two', 'one']
      clock.advance(900)
      await crawls.renew(holder ?? '', 1000)
      clock.advance(900)
      expect(await crawls.reap()).toEqual([holder])
      expect(await other.claimSeeding(id, waiting ?? '', 1000)).toBe(false)
      await crawls.release(holder ?? '')
      expect(await other.claimSeeding(id, waiting ?? '', 1000)).toBe(true)
    })

    test('lists the running crawls, of one team or of all, oldest first', async () => {
      const { crawls, id, clock } = await crawlWorld(open)
      await crawls.start(aCrawl({ id: 'later', createdAt: clock.now() + 1 }), [])
      await crawls.start(aCrawl({ id: 'theirs', teamId: 'other', createdAt: clock.now() + 2 }), [])
      const ids = async (teamId?: string) => (await crawls.running(teamId)).map((crawl) => crawl.id)
      expect(await ids()).toEqual([id, 'later', 'theirs'])
      expect(await ids('other')).toEqual(['theirs'])
      await crawls.cancel('later')
      expect(await ids('team')).toEqual([id])
    })

    test('keeps everything about a crawl after a restart', async () => {
      const { crawls, id, claim, restart } = await crawlWorld(open, {
        request: { options: { limit: 3 } },
        warnings: ['w'],
      })
      await crawls.add(id, [page('/a'), page('/b')])
      await finishAll(crawls, await claim({ count: 1 }))
      await crawls.setFinalUrl(id, 'https://elsewhere.test/')
      await crawls.skip(id, [{ url: 'https://site.test/no', reason: 'robots' }])
      const { crawls: later } = await restart()
      expect(await later.find(id)).toMatchObject({
        request: { options: { limit: 3 } },
        warnings: ['w'],
        finalUrl: 'https://elsewhere.test/',
        counts: { waiting: 1, active: 0, done: 1 },
      })
      expect(await later.skipped(id)).toEqual({ counts: { robots: 1 }, robots: ['https://site.test/no'] })
      expect((await later.progress(id, { skip: 0, limit: 10, maxBytes: 1e6 }))?.documents.map(read)).toEqual([
        document('https://site.test/a'),
      ])
    })
  })
}
