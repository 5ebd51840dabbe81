import { afterAll, beforeAll } from 'vitest'
import type { IndexedPage, IndexQuery, PageIndex } from '../../src/contracts/stored-pages.ts'
import type { SearchQuery } from '../../src/contracts/search-port.ts'
import type { Store } from '../../src/engine/store/store.ts'
import { aPage } from './fixtures.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'

export const dayMs = 86_400_000
export const fetchedAt = Date.UTC(2026, 4, 1)

export type Known = Partial<IndexedPage> & { url: string }

/** Caches pages and adds them to the index, as a scrape does: they are written eventually. */
export async function put(store: Pick<Store, 'pages' | 'index'>, ...known: readonly Known[]): Promise<void> {
  const putting = known.map((each) => {
    const page: IndexedPage = {
      cacheKey: `${each.teamId ?? 'team'} ${each.url}`,
      teamId: 'team',
      title: '',
      description: '',
      text: '',
      fetchedAt,
      contentType: 'text/html; charset=utf-8',
      ...each,
    }
    const facts = aPage({ url: page.url, fetchedAt: page.fetchedAt, made: { main: { markdown: page.text } } })
    void store.pages.keep(page.cacheKey, facts, Buffer.from('<p>body</p>'))
    return store.index.put(page)
  })
  await Promise.all(putting)
}

/** Does the same as `put`, but without the delay: a request for facts makes the index write pending pages. */
export async function know(store: Pick<Store, 'pages' | 'index'>, ...known: readonly Known[]): Promise<void> {
  const written = put(store, ...known)
  await store.index.facts()
  await written
}

/** The stores that a suite about the page index opens, because its entries belong to pages of the cache. */
export type OpenPageIndex = OpenStore<'pages' | 'index'>

/** An index that all tests of a suite read, with pages that none of them changes. */
export function openShared(open: OpenPageIndex, known: readonly Known[]): () => PageIndex {
  let shared: StoreUnderTest<'pages' | 'index'> | undefined
  beforeAll(async () => {
    shared = await open()
    await know(shared.store, ...known)
  })
  afterAll(() => shared?.close())
  return () => {
    if (!shared) throw new Error('the index is opened before the first test')
    return shared.store.index
  }
}

export const aQuery = (changes: Partial<SearchQuery> = {}): SearchQuery => ({
  text: '',
  terms: [],
  phrases: [],
  without: [],
  isAny: false,
  site: [],
  notSite: [],
  filetype: [],
  notFiletype: [],
  inUrl: [],
  notInUrl: [],
  inTitle: [],
  notInTitle: [],
  related: undefined,
  imageSize: undefined,
  larger: undefined,
  ...changes,
})

export const indexQuery = (
  query: Partial<SearchQuery>,
  changes: Partial<Omit<IndexQuery, 'query'>> = {},
): IndexQuery => ({
  query: aQuery(query),
  includeDomains: [],
  excludeDomains: [],
  period: undefined,
  teamId: 'team',
  limit: 20,
  ...changes,
})
