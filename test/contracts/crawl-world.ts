import type { ClaimRequest, Crawls, NewCrawl } from '../../src/contracts/crawl-ports.ts'
import type { Delivery } from '../../src/contracts/job-ports.ts'
import { aCrawl, document, page } from './fixtures.ts'
import { opened, type OpenStore } from './store-under-test.ts'

/** Stores that a suite about crawls opens: pages, their price and their events are written together. */
export type OpenCrawls = OpenStore<'crawls' | 'usage' | 'deliveries'>

export const claimFrom = (crawls: Crawls, crawlId: string, wish: Partial<ClaimRequest> = {}) =>
  crawls.claim({
    crawlId,
    workerId: 'one',
    count: 10,
    leaseMs: 30_000,
    hostConcurrency: 10,
    order: 'as found',
    ...wish,
  })

/** A started crawl, and the calls that tests need most. */
export async function crawlWorld(open: OpenCrawls, changes: Partial<NewCrawl> = {}) {
  const made = await opened(open)
  const { store, clock } = made
  const { crawls, deliveries, usage } = store
  const crawl = aCrawl({ createdAt: clock.now(), expiresAt: clock.now() + 86_400_000, ...changes })
  await crawls.start(crawl, [])
  const claim = (wish: Partial<ClaimRequest> = {}) => claimFrom(crawls, crawl.id, wish)
  const paths = async (wish?: Partial<ClaimRequest>) => (await claim(wish)).map(({ url }) => new URL(url).pathname)
  const counts = async () => (await crawls.find(crawl.id))?.counts
  return { ...made, crawls, deliveries, usage, id: crawl.id, claim, paths, counts }
}

export const finishAll = async (crawls: Crawls, pages: Awaited<ReturnType<Crawls['claim']>>, owner = 'one') =>
  Promise.all(
    pages.map((each) => crawls.finish(each, owner, { kind: 'document', document: document(each.url), credits: 1 })),
  )

/** Writes webhook events as crawls do: the first of a crawl with its beginning, the others with a page of it. */
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
