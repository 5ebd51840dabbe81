import { describe, expect, test } from 'vitest'
import type { ClaimedPage, ClaimRequest, Crawls, NewCrawl } from '../../src/contracts/crawl-ports.ts'
import { claimFrom, crawlWorld, finishAll, type OpenCrawls } from './crawl-world.ts'
import { aCrawl, pages } from './fixtures.ts'

const host = 'site.test:443'

async function begin(crawls: Crawls, crawl: NewCrawl, workerId: string) {
  await crawls.start(crawl, pages(20))
  const held: ClaimedPage[] = []
  return {
    id: crawl.id,
    held,
    async claim(request: Partial<ClaimRequest> = {}) {
      const claimed = await claimFrom(crawls, crawl.id, { workerId, count: 20, hostConcurrency: 4, ...request })
      held.push(...claimed)
      return claimed.length
    },
    finish: (count = held.length) => finishAll(crawls, held.splice(0, count), workerId),
  }
}

/** The contract of hosts that crawls of several teams share. */
export function describeSharedHosts(open: OpenCrawls): void {
  /** Crawls of one host, each of a separate team, whose pages are claimed by separate workers. */
  async function worldOf(...crawls: readonly Partial<NewCrawl>[]) {
    const world = await crawlWorld(open)
    const others = crawls.map((changes, at) => aCrawl({ teamId: `team ${at}`, maxConcurrency: 100, ...changes }))
    const started = await Promise.all(others.map((crawl, at) => begin(world.crawls, crawl, `worker ${at}`)))
    return { ...world, of: (nth: number) => started[nth]! }
  }

  describe('crawls of one host', () => {
    test('have no more concurrent pages of it than one crawl may have', async () => {
      const { of } = await worldOf({}, {}, {})
      expect(await of(0).claim()).toBeLessThanOrEqual(4)
      for (let round = 0; round < 6; round++) {
        for (const nth of [0, 1, 2]) {
          await of(nth).claim()
          expect(of(0).held.length + of(1).held.length + of(2).held.length).toBeLessThanOrEqual(4)
        }
        await of(round % 3).finish(1)
      }
    })

    test.each<Partial<NewCrawl>>([{}, { maxConcurrency: 4 }])(
      'free the slot of an ended visit before it is written (%o)',
      async (changes) => {
        const { of } = await worldOf(changes)
        expect(await of(0).claim()).toBe(4)
        const written = of(0).finish(2)
        expect(await of(0).claim()).toBe(2)
        expect(await of(0).claim()).toBe(0)
        await written
        expect(await of(0).claim()).toBe(0)
      },
    )

    test('keep to that limit when they claim concurrently', async () => {
      const { of, another } = await worldOf({}, {})
      const { crawls: other } = await another()
      const claims = await Promise.all([
        of(0).claim(),
        of(1).claim(),
        claimFrom(other, of(0).id, { workerId: 'other', hostConcurrency: 4 }),
        claimFrom(other, of(1).id, { workerId: 'other', hostConcurrency: 4 }),
      ])
      expect(claims.reduce<number>((sum, each) => sum + (typeof each === 'number' ? each : each.length), 0)).toBe(4)
    })

    test('get an equal share, and one alone gets all', async () => {
      const { crawls, of } = await worldOf({}, {})
      await crawls.cancel(of(1).id)
      expect(await of(0).claim()).toBe(4)
      const late = await begin(crawls, aCrawl({ teamId: 'late' }), 'late')
      for (let round = 0; round < 6; round++) {
        await of(0).finish(1)
        // Earlier crawls claim first.
        await of(0).claim()
        await late.claim()
      }
      expect([of(0).held.length, late.held.length]).toEqual([2, 2])
      await crawls.cancel(late.id)
      await of(0).claim()
      expect(of(0).held).toHaveLength(4)
    })

    test('do not block each other when a host takes one page at a time', async () => {
      const { of } = await worldOf({}, {})
      expect(await of(0).claim({ hostConcurrency: 1 })).toBe(1)
      expect(await of(1).claim({ hostConcurrency: 1 })).toBe(0)
      await of(0).finish()
      expect(await of(1).claim({ hostConcurrency: 1 })).toBe(1)
      await of(1).finish()
      expect(await of(0).claim({ hostConcurrency: 1 })).toBe(1)
    })

    test('keep the crawl delay between them', async () => {
      const { crawls, clock, of } = await worldOf({}, {})
      for (const nth of [0, 1]) await crawls.setCrawlDelay(of(nth).id, host, 1000)
      expect(await of(0).claim()).toBe(1)
      clock.advance(5000)
      expect(await of(1).claim()).toBe(0)
      await of(0).finish()
      clock.advance(999)
      expect([await of(1).claim(), await of(0).claim()]).toEqual([0, 0])
      clock.advance(1)
      expect([await of(1).claim(), await of(0).claim()]).toEqual([1, 0])
      await of(1).finish()
      clock.advance(1000)
      expect(await of(0).claim()).toBe(1)
    })

    test('keep a delay that both have', async () => {
      const { clock, of } = await worldOf(...[1, 2].map(() => ({ delayMs: 2000, maxConcurrency: 1 })))
      expect(await of(0).claim()).toBe(1)
      await of(0).finish()
      clock.advance(1999)
      expect(await of(1).claim()).toBe(0)
      clock.advance(1)
      expect(await of(1).claim()).toBe(1)
    })

    test('with different delays wait for each other by the shorter of them', async () => {
      const { crawls, clock, of } = await worldOf({}, {})
      await crawls.setCrawlDelay(of(0).id, host, 60_000)
      await crawls.setCrawlDelay(of(1).id, host, 1000)
      expect(await of(0).claim()).toBe(1)
      await of(0).finish()
      clock.advance(1000)
      expect([await of(0).claim(), await of(1).claim()]).toEqual([0, 1])
    })

    test('keep a delay that became known while pages were in progress', async () => {
      const { crawls, clock, of } = await worldOf({}, {})
      await of(0).claim({ count: 2 })
      for (const nth of [0, 1]) await crawls.setCrawlDelay(of(nth).id, host, 1000)
      expect(await of(1).claim()).toBe(0)
      await of(0).finish(1)
      clock.advance(1000)
      expect(await of(1).claim()).toBe(0)
      await of(0).finish()
      clock.advance(1000)
      expect(await of(1).claim()).toBe(1)
    })

    test.each(['that ended', 'whose lease has ended'])('keep the delay after a visit of a worker %s', async (how) => {
      const { crawls, clock, of } = await worldOf({ delayMs: 1000 }, {})
      for (const nth of [0, 1]) await crawls.setCrawlDelay(of(nth).id, host, 1000)
      expect(await of(0).claim({ leaseMs: 30_000 })).toBe(1)
      if (how === 'that ended') await crawls.release('worker 0')
      else clock.advance(30_000)
      await crawls.reap()
      expect([await of(0).claim(), await of(1).claim()]).toEqual([0, 0])
      clock.advance(1000)
      expect([await of(0).claim(), await of(1).claim()]).toEqual([1, 0])
    })

    test('do not delay others after their end', async () => {
      const { crawls, of } = await worldOf({}, {}, {})
      expect(await of(0).claim()).toBe(3)
      await crawls.cancel(of(0).id)
      expect(await of(1).claim({ count: 1 })).toBe(1)
      await crawls.release('worker 1')
      expect(await of(2).claim({ count: 1 })).toBe(1)
      await of(2).finish()
      await crawls.cancel(of(1).id)
      expect(await of(2).claim()).toBe(4)
    })
  })
}
