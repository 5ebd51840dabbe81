import type { ClaimWish, Crawls, FoundPage, NewCrawl } from '../../src/contracts/crawl.ts'
import { tempStore } from './kit.ts'

export const aCrawl = (changes: Partial<NewCrawl> = {}): NewCrawl => ({
  id: crypto.randomUUID(),
  teamId: 'team',
  keyName: null,
  kind: 'crawl',
  target: 'https://site.test/',
  createdAt: Date.UTC(2026, 4, 20, 12),
  expiresAt: Date.UTC(2026, 4, 21, 12),
  request: { options: null },
  pageLimit: 100,
  maxConcurrency: 10,
  delayMs: 0,
  isKickedOff: true,
  idempotencyKey: null,
  warnings: [],
  ...changes,
})

export const page = (path: string, changes: Partial<FoundPage> = {}): FoundPage => ({
  url: `https://site.test${path}`,
  key: `site.test${path}`,
  host: 'site.test:443',
  depth: 0,
  source: 'link',
  ...changes,
})

export const document = (title: string) => ({ markdown: title, metadata: { title } })

/** A crawl in a database of its own, with the waits and limits of the tests. */
export async function world(changes: Partial<NewCrawl> = {}) {
  const { store, clock } = await tempStore()
  const { crawls } = store
  const crawl = aCrawl({ createdAt: clock.now(), expiresAt: clock.now() + 86_400_000, ...changes })
  await crawls.begin(crawl, [])
  const claim = (wish: Partial<ClaimWish> = {}) =>
    crawls.claim({
      crawlId: crawl.id,
      owner: 'one',
      count: 10,
      leaseMs: 30_000,
      hostConcurrency: 10,
      byLevel: 'as found',
      ...wish,
    })
  const paths = async (wish?: Partial<ClaimWish>) => (await claim(wish)).map(({ url }) => new URL(url).pathname)
  const counts = async () => (await crawls.find(crawl.id))?.counts
  return { store, crawls, clock, id: crawl.id, claim, paths, counts }
}

export const finishAll = async (crawls: Crawls, pages: Awaited<ReturnType<Crawls['claim']>>, owner = 'one') =>
  Promise.all(
    pages.map((each) => crawls.finish(each, owner, { kind: 'document', document: document(each.url), credits: 1 })),
  )
