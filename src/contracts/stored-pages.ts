import type { SearchQuery, SearchRequest } from './search-port.ts'
import type { PageContent } from './page-content.ts'

/** Results of earlier visits, by host. */
export type Hosts = {
  /** True if pages of this host were recently empty without a browser. */
  needsBrowser(host: string): Promise<boolean>
  /** True if a browser recently added nothing to pages of this host that seemed incomplete. */
  addsNothing(host: string): Promise<boolean>
  /** Records the result of a visit of the host. */
  note(host: string, arrival: PageArrival): Promise<void>
}

/**
 * `whole` and `empty`: the page as fetched without a browser. `filled` and `not filled`: it was incomplete without a
 * browser, and a browser did or did not complete it.
 */
export type PageArrival = 'whole' | 'empty' | 'filled' | 'not filled'

export type CachedPage = {
  fetchedAt: number
  url: string
  status: number
  headers: Readonly<Record<string, string>>
  /** Parts computed earlier, by the options they were computed with. */
  made: Readonly<Record<string, PageContent>>
}

/** Pages by key. The body is stored separately, so a hit whose parts are already computed never reads it. */
export type PageCache = {
  find(key: string): Promise<CachedPage | undefined>
  body(key: string): Promise<Uint8Array | undefined>
  /** Parts computed earlier from an identical body at this address, however old; undefined if there are none. */
  madeOfSame(
    key: string,
    page: Pick<CachedPage, 'url' | 'headers'>,
    body: Uint8Array,
  ): Promise<CachedPage['made'] | undefined>
  keep(key: string, page: CachedPage, body: Uint8Array): Promise<void>
  /** Adds computed parts if the stored page is still the one fetched at `fetchedAt`. */
  addMade(key: string, fetchedAt: number, variant: string, parts: PageContent): Promise<void>
}

/** A cached page as the local index stores it. */
export type IndexedPage = {
  /** Key of the page in the cache: a page evicted there is removed from the index. */
  cacheKey: string
  teamId: string
  url: string
  title: string
  description: string
  /** Main content as markdown. */
  text: string
  fetchedAt: number
  contentType: string | undefined
}
export type IndexHit = {
  url: string
  title: string
  /** The passage that best matches the query, or the description of the page. */
  description: string
  fetchedAt: number
  score: number
}
export type IndexQuery = Pick<
  SearchRequest,
  'query' | 'includeDomains' | 'excludeDomains' | 'period' | 'teamId' | 'limit'
>
export type PageIndex = {
  /** Never rejects; errors are logged. */
  put(page: IndexedPage): Promise<void>
  search(query: IndexQuery): Promise<IndexHit[]>
  /** The best matching passage of each indexed page, by URL; pages that are not indexed are left out. */
  highlights(teamId: string, query: SearchQuery, urls: readonly string[]): Promise<Map<string, string>>
  /** URLs of a host that the team has scraped, newest first. */
  urlsOf(
    teamId: string,
    host: string,
    reach: 'host' | 'with sub-domains',
    limit: number,
  ): Promise<{ url: string; title: string }[]>
  facts(): Promise<{ pages: number; bytes: number; hosts: { host: string; pages: number }[] }>
  /** Deletes pages from the index and the cache; returns the number of deleted pages. */
  prune(what: { host?: string; olderThanMs?: number; page?: { teamId: string; url: string } }): Promise<number>
}
