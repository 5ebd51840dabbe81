import { SearchError, type SearchHit, type SearchRequest } from '../../../contracts/search.ts'
import { keeps } from '../query/post-filter.ts'

export type ResultPage = { hits: SearchHit[]; isLast: boolean }

/** So many pages are asked for at most to fill up what the check of the results takes out. */
const maxExtraPages = 3

/**
 * Asks for page after page (from 0) until enough results fit the request. What came before a later page failed, or came
 * too late, counts if any of it fits.
 */
export async function paged(
  request: SearchRequest,
  perPage: number,
  pageAt: (page: number) => Promise<ResultPage>,
): Promise<SearchHit[]> {
  const fits = (hit: SearchHit) => keeps(request, hit, Date.now())
  const maxPages = Math.max(Math.ceil(request.limit / perPage), isNarrow(request) ? maxExtraPages : 1)
  const seen = new Map<string, SearchHit>()
  const fitting = () => [...seen.values()].filter(fits).length
  for (let page = 0; page < maxPages && fitting() < request.limit; page++) {
    const before = seen.size
    const { hits, isLast } = await pageAt(page).catch((thrown: unknown): ResultPage => {
      const isExpected = thrown instanceof SearchError || request.signal.aborted
      if (!isExpected || fitting() === 0) throw thrown
      return { hits: [], isLast: true }
    })
    for (const hit of hits) if (!seen.has(hit.url)) seen.set(hit.url, hit)
    if (isLast || seen.size === before) break
  }
  return [...seen.values()]
}

/** Whether results may be taken out afterwards. */
function isNarrow({ query, includeDomains, excludeDomains, period, category }: SearchRequest): boolean {
  const { site, notSite, filetype, notFiletype, inUrl, notInUrl, inTitle, notInTitle, without } = query
  const lists = [site, notSite, filetype, notFiletype, inUrl, notInUrl, inTitle, notInTitle, without]
  return (
    [...lists, includeDomains, excludeDomains].some((list) => list.length > 0) ||
    [query.imageSize, query.larger, period?.from, period?.to, category].some((wish) => wish !== undefined)
  )
}
