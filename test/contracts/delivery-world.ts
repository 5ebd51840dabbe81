import { emit, type OpenCrawls } from './crawl-world.ts'
import type { aDelivery } from './fixtures.ts'
import { opened } from './store-under-test.ts'

export const leaseMs = 30_000

export async function deliveryWorld(open: OpenCrawls) {
  const made = await opened(open)
  const { crawls, deliveries } = made.store
  return {
    ...made,
    deliveries,
    /** Another process on the same data. */
    other: (await made.another()).deliveries,
    add: (...added: ReturnType<typeof aDelivery>[]) => emit(crawls, ...added),
    claimedIds: async (worker: string, count = 10, from = deliveries) =>
      (await from.claim(worker, count, leaseMs)).map(({ crawlId }) => crawlId),
    dueIds: async (crawlId = 'crawl-1') => (await deliveries.look(crawlId, 10)).due.map(({ id }) => id),
    /** Fails immediately, with a retry after this time. */
    fail: (id: string, afterMs: number | undefined, worker = 'me') =>
      deliveries.failed(id, worker, {
        why: `no ${id}`,
        triedAt: made.clock.now(),
        retryAt: afterMs === undefined ? undefined : made.clock.now() + afterMs,
      }),
  }
}
