import { describe, expect, test } from 'vitest'
import type { PageOutcome } from '../../src/contracts/crawl-ports.ts'
import { claimFrom, crawlWorld, finishAll, type OpenCrawls } from './crawl-world.ts'
import { aDelivery, document, page, pages } from './fixtures.ts'

/** The contract of every frontier shared by workers: limits, leases, and writes after a lease has ended. */
export function describeFrontierWorkers(open: OpenCrawls): void {
  describe('several workers on one frontier', () => {
    test('never has more pages in progress, done and failed than the limit, for all workers together', async () => {
      const { crawls, id, claim, counts } = await crawlWorld(open, { pageLimit: 5 })
      await crawls.add(id, pages(20))
      const [first, second] = await Promise.all([claim({ count: 4 }), claim({ count: 4, workerId: 'two' })])
      expect(first.length + second.length).toBe(5)
      await crawls.finish(first[0]!, 'one', { kind: 'dropped', reason: 'robots' })
      expect(await claim()).toHaveLength(1)
      expect(await claim()).toHaveLength(0)
      expect(await counts()).toMatchObject({ active: 5, waiting: 14, dropped: 1 })
    })

    test('gives a page to another worker when its lease ends, and accepts nothing from the former', async () => {
      const { crawls, id, claim, clock, counts } = await crawlWorld(open)
      await crawls.add(id, [page('/a')])
      const [mine] = await claim({ leaseMs: 1000 })
      expect(await crawls.reap()).toEqual(['one'])
      clock.advance(1000)
      expect(await crawls.reap()).toEqual([])
      const [theirs] = await claim({ workerId: 'two' })
      expect(theirs).toMatchObject({ seq: mine!.seq, id: mine!.id, tries: 2 })
      expect(await crawls.finish(mine!, 'one', { kind: 'document', document: {}, credits: 1 })).toBe('lost')
      expect(await crawls.finish(theirs!, 'two', { kind: 'document', document: document('a'), credits: 1 })).toBe(
        'finished',
      )
      expect(await crawls.finish(theirs!, 'two', { kind: 'document', document: document('a'), credits: 1 })).toBe(
        'lost',
      )
      expect(await counts()).toMatchObject({ done: 1, active: 0, waiting: 0 })
      expect(
        (await crawls.progress(id, { skip: 0, limit: 10, maxBytes: 1e6 }))?.documents.map((each) => each.read()),
      ).toEqual([document('a')])
    })

    test('releases the pages of a process that ends, without counting that as a try', async () => {
      const { crawls, id, claim } = await crawlWorld(open)
      await crawls.add(id, [page('/a')])
      await claim()
      await crawls.release('one')
      expect(await claim({ workerId: 'two' })).toMatchObject([{ tries: 1 }])
    })

    test('releases a page that was not requested, without counting that as a try or a visit', async () => {
      const { crawls, id, claim } = await crawlWorld(open)
      await crawls.add(id, [page('/a')])
      const [unvisited] = await claim()
      expect(unvisited).toMatchObject({ crawlDelayMs: 0 })
      await crawls.setCrawlDelay(id, 'site.test:443', 5000)
      expect(await crawls.finish(unvisited!, 'one', { kind: 'returned' })).toBe('finished')
      expect(await claim()).toMatchObject([{ tries: 1, retries: 0, crawlDelayMs: 5000 }])
    })

    test('adds and gives each page once when two processes do both concurrently', async () => {
      const { crawls, id, another } = await crawlWorld(open, { pageLimit: 25, maxConcurrency: 100 })
      const { crawls: other } = await another()
      const added = await Promise.all([crawls.add(id, pages(40)), other.add(id, pages(40))])
      expect(added[0] + added[1]).toBe(40)
      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          claimFrom(at % 2 ? crawls : other, id, { workerId: `worker ${at}`, count: 4, hostConcurrency: 100 }),
        ),
      )
      const taken = claims.flat().map(({ seq }) => seq)
      expect(new Set(taken).size).toBe(taken.length)
      expect(taken).toHaveLength(25)
      expect(await crawls.find(id)).toMatchObject({ counts: { waiting: 15, active: 25 } })
    })

    test('keeps a page for the worker that renews its lease', async () => {
      const { crawls, id, claim, clock } = await crawlWorld(open)
      await crawls.add(id, [page('/a'), page('/b')])
      await claim({ count: 1, leaseMs: 1000 })
      await claim({ count: 1, leaseMs: 1000, workerId: 'two' })
      clock.advance(900)
      await crawls.renew('one', 1000)
      clock.advance(900)
      expect(await crawls.reap()).toEqual(['one'])
      expect(await claim({ workerId: 'three' })).toMatchObject([{ url: 'https://site.test/b' }])
    })

    test.each<[string, PageOutcome]>([
      ['a document', { kind: 'document', document: document('late'), credits: 7, delivery: aDelivery() }],
      ['a failure', { kind: 'failed', code: 'SCRAPE_SITE_ERROR', message: 'Late.', delivery: aDelivery() }],
      ['a drop', { kind: 'dropped', reason: 'type' }],
      ['another try', { kind: 'retry', at: Date.UTC(2026, 4, 20, 13) }],
    ])('accepts nothing from a worker whose lease has ended: %s', async (_, outcome) => {
      const { crawls, deliveries, usage, id, claim, clock, counts } = await crawlWorld(open)
      await crawls.add(id, [page('/a')])
      const [late] = await claim({ leaseMs: 1000 })
      clock.advance(1000)
      await crawls.reap()
      expect(await crawls.finish(late!, 'one', outcome)).toBe('lost')
      const [again] = await claim({ workerId: 'two' })
      expect(again).toMatchObject({ id: late!.id, retries: 0 })
      expect(await crawls.finish(late!, 'one', outcome)).toBe('lost')
      expect(await counts()).toEqual({ waiting: 0, active: 1, done: 0, failed: 0, dropped: 0 })
      expect(await usage.since('team', 0)).toBe(0)
      expect(await deliveries.nextDueAt()).toBeUndefined()
      expect(await crawls.failures(id)).toEqual([])
      expect(await crawls.finish(again!, 'two', outcome)).toBe('finished')
    })

    test('gives a consistent status in every process while pages arrive', async () => {
      const { crawls, id, claim, another } = await crawlWorld(open, { maxConcurrency: 100 })
      const { crawls: other } = await another()
      await crawls.add(id, pages(60))
      const claimed = await claim({ count: 60, hostConcurrency: 60 })
      const completed = finishAll(crawls, claimed).then(() => crawls.complete(id))
      const window = { skip: 0, limit: 100, maxBytes: 1e6 }
      const seen = []
      do seen.push(...(await Promise.all([crawls, other, crawls, other].map((each) => each.progress(id, window)))))
      while (seen.at(-1)?.crawl.status === 'scraping')
      await completed
      expect(seen.map((each) => each?.documents.length)).toEqual(seen.map((each) => each?.crawl.counts.done))
      expect(seen.at(-1)?.documents).toHaveLength(60)
    })

    test('writes a page, its price and its event once, even if it is finished twice', async () => {
      const { crawls, deliveries, usage, id, claim, another } = await crawlWorld(open)
      const { crawls: other } = await another()
      await crawls.add(id, [page('/a')])
      const [mine] = await claim()
      const outcome = (n: number): PageOutcome => ({
        kind: 'document',
        document: document(`${n}`),
        credits: 3,
        delivery: aDelivery({ crawlId: id }),
      })
      const ended = await Promise.all([crawls, other, crawls].map((each, n) => each.finish(mine!, 'one', outcome(n))))
      expect(ended.toSorted()).toEqual(['finished', 'lost', 'lost'])
      expect((await crawls.progress(id, { skip: 0, limit: 10, maxBytes: 1e6 }))?.documents).toHaveLength(1)
      expect(await usage.since('team', 0)).toBe(3)
      expect((await crawls.find(id))?.credits).toBe(3)
      expect((await deliveries.look(id, 10)).due).toHaveLength(1)
    })
  })
}
