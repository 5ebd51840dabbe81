import type { SearchQuery, SearchRequest } from './search-port.ts'
import type { PageContent } from './page-content.ts'

/** What earlier visits have shown of hosts. */
export type Hosts = {
  /** Whether pages of this host recently came empty without a browser. */
  needsBrowser(host: string): Promise<boolean>
  /** Whether browsers recently brought nothing more to pages of this host that seemed to lack a part. */
  isFilledInVain(host: string): Promise<boolean>
  /** Notes how a page of the host came out. */
  note(host: string, came: PageArrival): Promise<void>
}

/** Whole or empty without a browser; or, lacking a part, filled by a browser or not. */
export type PageArrival = 'whole' | 'empty' | 'filled' | 'not filled'

export type CachedPage = {
  fetchedAt: number
  url: string
  status: number
  headers: Readonly<Record<string, string>>
  /** Parts made earlier, by the options they were made with. */
  made: Readonly<Record<string, PageContent>>
}

/** Pages by key. The body is apart, so that a hit whose parts are already made never reads it. */
export type PageCache = {
  find(key: string): Promise<CachedPage | undefined>
  body(key: string): Promise<Uint8Array | undefined>
  /** The parts made of this very body at this address earlier, as those of a page; undefined where there is none such, however old. */
  madeOfSame(
    key: string,
    page: Pick<CachedPage, 'url' | 'headers'>,
    body: Uint8Array,
  ): Promise<CachedPage['made'] | undefined>
  keep(key: string, page: CachedPage, body: Uint8Array): Promise<void>
  /** Adds parts to a page that is still the one fetched at `fetchedAt`. */
  addMade(key: string, fetchedAt: number, variant: string, parts: PageContent): Promise<void>
}

/** A cached page as the local index stores it. */
export type IndexedPage = {
  /** Key of the page in the cache: a page evicted there leaves the index. */
  cacheKey: string
  teamId: string
  url: string
  title: string
  description: string
  /** Markdown of its main content. */
  text: string
  fetchedAt: number
  contentType: string | undefined
}
export type IndexHit = {
  url: string
  title: string
  /** The passage that matches the query best, or the description of the page. */
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
  /** The best matching passage of each indexed page, by URL; pages not in the index are absent. */
  highlights(teamId: string, query: SearchQuery, urls: readonly string[]): Promise<Map<string, string>>
  /** URLs of a host that the team has read, newest first. */
  urlsOf(
    teamId: string,
    host: string,
    reach: 'host' | 'with sub-domains',
    limit: number,
  ): Promise<{ url: string; title: string }[]>
  facts(): Promise<{ pages: number; bytes: number; hosts: { host: string; pages: number }[] }>
  /** Deletes pages from the index and the cache; returns how many. */
  prune(what: { host?: string; olderThanMs?: number; page?: { teamId: string; url: string } }): Promise<number>
}
