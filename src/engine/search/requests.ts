import type { SearchCategory, SearchQuery, SearchRequest, SearchSource } from '../../contracts/search.ts'
import type { SearchInput } from '../../schema/search.ts'
import { parseQuery } from './query/parse.ts'
import { periodOf } from './query/period.ts'

type Asked = Pick<SearchInput, 'query' | 'limit' | 'sources' | 'categories' | 'tbs' | 'location' | 'country'> &
  Pick<SearchInput, 'includeDomains' | 'excludeDomains' | 'enterprise' | 'highlights'>
type Circumstances = Pick<SearchRequest, 'teamId' | 'signal'> & { startedAt: number; endsAt: number }

/** The questions behind a call: one for each source, and for the web one for each category. Fails with BAD_REQUEST for a tbs that is none. */
export function requestsOf(input: Asked, { teamId, signal, startedAt, endsAt }: Circumstances): SearchRequest[] {
  const query: SearchQuery = parseQuery(input.query)
  const request = (source: SearchSource, category?: SearchCategory): SearchRequest => ({
    source,
    category,
    query,
    includeDomains: input.includeDomains ?? [],
    excludeDomains: input.excludeDomains ?? [],
    period: input.tbs === undefined ? undefined : periodOf(input.tbs, startedAt),
    country: input.country,
    location: input.location,
    language: undefined,
    limit: input.limit,
    teamId,
    signal,
    endsAt,
    ...(!input.highlights && { passages: 'none' as const }),
    ...(input.enterprise?.includes('zdr') && { retention: 'none' as const }),
  })
  return [...new Set(input.sources)].flatMap((source) =>
    source === 'web' && input.categories.length > 0
      ? [...new Set(input.categories)].map((category) => request(source, category))
      : [request(source)],
  )
}
