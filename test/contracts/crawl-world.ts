import type { ClaimRequest, Crawls, NewCrawl } from '../../src/contracts/crawl-ports.ts'
import type { Delivery } from '../../src/contracts/job-ports.ts'
import { aCrawl, document, page } from './fixtures.ts'
import { opened, type OpenStore } from './store-under-test.ts'

/** The stores that a suite about crawls opens, because pages, their price and their events are written together. */
export type OpenCrawls = OpenStore<'crawls' | 'usage' | 'deliveries'>

export const claimFrom = (crawls: Crawls, crawlId: string, request: Partial<ClaimRequest> = {}) =>
  crawls.claim({
    crawlId,
    workerId: 'one',
    count: 10,
    leaseMs: 30_000,
    hostConcurrency: 10,
    order: 'as found',
    ...request,
  })

/** A started crawl, and the calls that tests need most. */
export async function crawlWorld(open: OpenCrawls, changes: Partial<NewCrawl> = {}) {
  const stores = await opened(open)
  const { store, clock } = stores
  const { crawls, deliveries, usage } = store
  const crawl = aCrawl({ createdAt: clock.now(), expiresAt: clock.now() + 86_400_000, ...changes })
  await crawls.start(crawl, [])
  const claim = (request: Partial<ClaimRequest> = {}) => claimFrom(crawls, crawl.id, request)
  const paths = async (request?: Partial<ClaimRequest>) =>
    (await claim(request)).map(({ url }) => new URL(url).pathname)
  const counts = async () => (await crawls.find(crawl.id))?.counts
  return { ...stores, crawls, deliveries, usage, id: crawl.id, claim, paths, counts }
}

export const finishAll = async (crawls: Crawls, pages: Awaited<ReturnType<Crawls['claim']>>, owner = 'one') =>
  Promise.all(
    pages.map((each) => crawls.finish(each, owner, { kind: 'document', document: document(each.url), credits: 1 })),
  )

/** Writes webhook events as crawls do: the first of a crawl with its start, the others each with a page. */
export async function emit(crawls: Crawls, ...deliveries: readonly Delivery[]): Promise<void> {
  for (const delivery of deliveries) {
    const { crawlId } = delivery
    if (!(await crawls.find(crawlId))) {
      await crawls.start(aCrawl({ id: crawlId, pageLimit: 1000 }), [], delivery)
      continue
    }
    await crawls.add(crawlId, [page(`/${crypto.randomUUID()}`)])
    const [claimed] = await claimFrom(crawls, crawlId, { count: 1 })
    if (!claimed) throw new Error('No page was claimed.')
    await crawls.finish(claimed, 'one', { kind: 'failed', code: 'SCRAPE_SITE_ERROR', message: 'No.', delivery })
  }
}
