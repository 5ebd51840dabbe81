import { ProviderError, type SearchHit, type SearchRequest } from '../../../../contracts/search-port.ts'
import { matchesRequest } from '../../query/post-filter.ts'

export type ResultPage = { hits: SearchHit[]; isLast: boolean }

/** Most pages requested to make up for results that the post-filter drops. */
const maxExtraPages = 3
/** Most pages requested of a service that gives a few results at a time. */
const maxSmallPages = 10

/**
 * Requests page after page (from 0) until enough results match the request. If a later page fails or comes too late, the
 * earlier ones are returned, provided that any of their results match. Where the service chooses how much a page holds,
 * the first one tells.
 */
export async function fetchPages(
  request: SearchRequest,
  perPage: number | 'as the first',
  fetchPage: (page: number) => Promise<ResultPage>,
): Promise<SearchHit[]> {
  const fits = (hit: SearchHit) => matchesRequest(request, hit, Date.now())
  const pagesOf = (size: number) =>
    Math.max(Math.ceil(request.limit / size), mayLoseResults(request) ? maxExtraPages : 1)
  let maxPages = perPage === 'as the first' ? 1 : pagesOf(perPage)
  const seen = new Map<string, SearchHit>()
  const fitting = () => [...seen.values()].filter(fits).length
  for (let page = 0; page < maxPages && fitting() < request.limit; page++) {
    const before = seen.size
    const { hits, isLast } = await fetchPage(page).catch((thrown: unknown): ResultPage => {
      const isExpected = thrown instanceof ProviderError || request.signal.aborted
      if (!isExpected || fitting() === 0) throw thrown
      return { hits: [], isLast: true }
    })
    for (const hit of hits) if (!seen.has(hit.url)) seen.set(hit.url, hit)
    if (isLast || seen.size === before) break
    if (page === 0 && perPage === 'as the first') maxPages = Math.min(maxSmallPages, pagesOf(hits.length))
  }
  return [...seen.values()]
}

/** Whether the post-filter may drop results. */
function mayLoseResults({ query, includeDomains, excludeDomains, period, category }: SearchRequest): boolean {
  const { site, notSite, filetype, notFiletype, inUrl, notInUrl, inTitle, notInTitle, without } = query
  const lists = [site, notSite, filetype, notFiletype, inUrl, notInUrl, inTitle, notInTitle, without]
  return (
    [...lists, includeDomains, excludeDomains].some((list) => list.length > 0) ||
    [query.imageSize, query.larger, period?.from, period?.to, category].some((option) => option !== undefined)
  )
}
