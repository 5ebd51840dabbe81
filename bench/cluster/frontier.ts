import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../src/engine/store/store.ts'
import { quantile } from '../lib/statistics.ts'

export type FrontierFigures = {
  urls: number
  addMs: number
  claimP50: number
  claimP95: number
  /** Resident memory of this process, MB: before, and the most while URLs were added and claimed. */
  rssBefore: number
  rssMost: number
}

const claims = 400
const hosts = 200
const rssMb = () => process.memoryUsage.rss() / 1e6

/** Fills a frontier over many hosts, and claims from it page by page as a crawler does, giving half of them back. */
export async function measureFrontier(store: Store, urls: number): Promise<FrontierFigures> {
  const crawlId = randomUUID()
  const now = Date.now()
  const rssBefore = rssMb()
  let rssMost = rssBefore
  const watching = setInterval(() => (rssMost = Math.max(rssMost, rssMb())), 50)
  await store.crawls.start(
    {
      id: crawlId,
      teamId: 'default',
      keyName: null,
      kind: 'crawl',
      target: 'http://site0.test/',
      createdAt: now,
      expiresAt: now + 86_400_000,
      request: {},
      pageLimit: urls,
      maxConcurrency: 10_000,
      delayMs: 0,
      isSeeded: true,
      warnings: [],
    },
    [],
  )
  const slice = 500
  const began = performance.now()
  for (let from = 0; from < urls; from += slice)
    await store.crawls.add(
      crawlId,
      Array.from({ length: Math.min(slice, urls - from) }, (_, nth) => {
        const host = `site${(from + nth) % hosts}.test`
        return {
          url: `http://${host}/${from + nth}`,
          key: `${host}/${from + nth}`,
          host,
          depth: 1,
          source: 'link' as const,
        }
      }),
    )
  const addMs = performance.now() - began
  const took: number[] = []
  for (let nth = 0; nth < claims; nth++) {
    const at = performance.now()
    await store.crawls.claim({
      crawlId,
      workerId: 'bench',
      count: 8,
      leaseMs: 30_000,
      hostConcurrency: 8,
      order: 'as found',
    })
    took.push(performance.now() - at)
    if (nth % 50 === 49) await store.crawls.release('bench')
    await sleep(1)
  }
  clearInterval(watching)
  return { urls, addMs, claimP50: quantile(took, 0.5), claimP95: quantile(took, 0.95), rssBefore, rssMost }
}
