import type { SearchQuery, SearchRequest } from '../search.ts'

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
