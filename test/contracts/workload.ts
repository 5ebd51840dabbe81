import { describe, expect, test } from 'vitest'
import { claimFrom, emit } from './crawl-world.ts'
import { aCrawl, aDelivery, aWorkflow, page } from './fixtures.ts'
import { opened, type OpenStore } from './store-under-test.ts'

const leaseMs = 30_000
const nothing = {
  pages: { waiting: 0, active: 0, done: 0, failed: 0 },
  oldestWaitingMs: 0,
  deliveries: 0,
  oldestDeliveryMs: 0,
  sessions: 0,
}

/** The contract of every store's list of work. */
export function describeWorkload(open: OpenStore<'workload' | 'crawls' | 'workflows' | 'quotas' | 'deliveries'>): void {
  describe('the workload', () => {
    test('of an empty store is zero for every kind of job', async () => {
      const { store } = await opened(open)
      const { jobs, ...rest } = await store.workload()
      expect(rest).toEqual({ ...nothing, slots: { held: 0, waiting: 0 } })
      expect(new Set(jobs.map(({ count }) => count))).toEqual(new Set([0]))
      expect([...new Set(jobs.map(({ kind }) => kind))]).toEqual(
        'crawl batch_scrape extract agent llmstxt monitor'.split(' '),
      )
    })

    test('counts waiting, active and ended work, and has the longest wait', async () => {
      const { store, clock } = await opened(open)
      const { crawls, workflows } = store
      const crawl = aCrawl({ createdAt: clock.now(), expiresAt: clock.now() + 86_400_000 })
      await crawls.start(
        crawl,
        ['/a', '/b', '/c'].map((path) => page(path)),
      )
      clock.advance(5000)
      expect((await store.workload()).oldestWaitingMs).toBe(5000)
      const [one] = await claimFrom(crawls, crawl.id, { count: 2 })
      if (!one) throw new Error('nothing to claim')
      await crawls.finish(one, 'one', { kind: 'failed', code: 'SCRAPE_SITE_ERROR', message: 'No.' })
      await workflows.start(aWorkflow({ createdAt: clock.now() }))
      const workload = await store.workload()
      expect(workload.pages).toEqual({ waiting: 1, active: 1, done: 0, failed: 1 })
      expect(workload.jobs.filter(({ count }) => count > 0)).toEqual([
        { kind: 'crawl', state: 'running', count: 1 },
        { kind: 'extract', state: 'waiting', count: 1 },
      ])
      await workflows.claim({ workerId: 'me', count: 1, leaseMs })
      await crawls.cancel(crawl.id)
      const { jobs, ...rest } = await store.workload()
      expect(jobs.filter(({ count }) => count > 0)).toEqual([{ kind: 'extract', state: 'running', count: 1 }])
      expect(rest).toMatchObject(nothing)
    })

    test('counts slots of live workers, and events to be sent', async () => {
      const { store, clock } = await opened(open)
      await store.quotas.renew('me', leaseMs)
      for (const id of ['a', 'b', 'c'])
        await store.quotas.join({ id, teamId: 'acme', workerId: 'me' }, { maxConcurrency: 2, maxWaiting: 2 })
      await emit(store.crawls, aDelivery({ crawlId: crypto.randomUUID() }))
      expect(await store.workload()).toMatchObject({ slots: { held: 2, waiting: 1 }, deliveries: 1 })
      clock.advance(leaseMs)
      const { slots, oldestDeliveryMs } = await store.workload()
      expect([slots, oldestDeliveryMs]).toEqual([{ held: 0, waiting: 0 }, leaseMs])
    })
  })
}
