import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FoundPage } from '../../src/contracts/crawl-ports.ts'
import type { Store } from '../../src/engine/store/store.ts'
import { quantile } from '../lib/statistics.ts'
import { createRandom } from '../search/random.ts'

/** Figures of a frontier with this number of URLs. */
export type FrontierFigures = {
  urls: number
  addedPerSecond: number
  claimP50: number
  claimP95: number
  /** Peak memory of this process while URLs were added and claimed, MB. */
  rssMost: number
}

const claims = 400
const slice = 500
const rssMb = () => process.memoryUsage.rss() / 1e6

/**
 * Fills the frontier of one crawl. At each size it claims eight pages at a time, as a crawler does, and returns them
 * all after fifty claims.
 * @param sizes in rising order
 * @param hosts of which the nth has a share of 1/n
 */
export async function measureFrontier(
  store: Store,
  sizes: readonly number[],
  hosts: number,
): Promise<FrontierFigures[]> {
  const crawlId = await beginCrawl(store, sizes.at(-1) ?? 0)
  const pages = skewedPages(hosts)
  const figures: FrontierFigures[] = []
  let filled = 0
  for (const urls of sizes) {
    let rssMost = 0
    const watching = setInterval(() => (rssMost = Math.max(rssMost, rssMb())), 50)
    const [before, began] = [filled, performance.now()]
    for (; filled < urls; filled += slice)
      await store.crawls.add(crawlId, pages(filled, Math.min(slice, urls - filled)))
    const addedPerSecond = (urls - before) / ((performance.now() - began) / 1000)
    const took = await claimTimes(store, crawlId)
    clearInterval(watching)
    figures.push({ urls, addedPerSecond, claimP50: quantile(took, 0.5), claimP95: quantile(took, 0.95), rssMost })
  }
  return figures
}

async function beginCrawl(store: Store, pageLimit: number): Promise<string> {
  const [id, now] = [randomUUID(), Date.now()]
  const crawl = { id, teamId: 'default', keyName: null, kind: 'crawl' as const, target: 'http://site1.test/' }
  const limits = { pageLimit, maxConcurrency: 10_000, delayMs: 0, isSeeded: true, warnings: [], request: {} }
  await store.crawls.start({ ...crawl, ...limits, createdAt: now, expiresAt: now + 86_400_000 }, [])
  return id
}

/** Pages are generated as they are added, so the process does not hold them. */
function skewedPages(hosts: number): (from: number, count: number) => FoundPage[] {
  const sums = new Float64Array(hosts)
  for (let nth = 0; nth < hosts; nth++) sums[nth] = (sums[nth - 1] ?? 0) + 1 / (nth + 1)
  const random = createRandom(1)
  const hostAt = (place: number): number => {
    let [low, high] = [0, hosts - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < place) low = middle + 1
      else high = middle
    }
    return low + 1
  }
  return (from, count) =>
    Array.from({ length: count }, (_, nth) => {
      const host = `site${hostAt(random.unit() * (sums.at(-1) ?? 0))}.test`
      const key = `${host}/${from + nth}`
      return { url: `http://${key}`, key, host, depth: 1, source: 'link' }
    })
}

async function claimTimes({ crawls }: Store, crawlId: string): Promise<number[]> {
  const took: number[] = []
  const wish = { crawlId, workerId: 'bench', count: 8, leaseMs: 30_000, hostConcurrency: 8, order: 'as found' as const }
  for (let nth = 0; nth < claims; nth++) {
    const at = performance.now()
    await crawls.claim(wish)
    took.push(performance.now() - at)
    if (nth % 50 === 49) await crawls.release('bench')
    await sleep(1)
  }
  return took
}
