import { emit, type OpenCrawls } from './crawl-world.ts'
import type { aDelivery } from './fixtures.ts'
import { opened } from './store-under-test.ts'

export const leaseMs = 30_000

export async function deliveryWorld(open: OpenCrawls) {
  const stores = await opened(open)
  const { crawls, deliveries } = stores.store
  return {
    ...stores,
    deliveries,
    /** Another process on the same data. */
    other: (await stores.another()).deliveries,
    add: (...added: ReturnType<typeof aDelivery>[]) => emit(crawls, ...added),
    claimedIds: async (worker: string, count = 10, from = deliveries) =>
      (await from.claim(worker, count, leaseMs)).map(({ crawlId }) => crawlId),
    dueIds: async (crawlId = 'crawl-1') => (await deliveries.look(crawlId, 10)).due.map(({ id }) => id),
    /** Records a failure now, with a retry after this time. */
    fail: (id: string, afterMs: number | undefined, worker = 'me') =>
      deliveries.failed(id, worker, {
        why: `no ${id}`,
        triedAt: stores.clock.now(),
        retryAt: afterMs === undefined ? undefined : stores.clock.now() + afterMs,
      }),
  }
}
