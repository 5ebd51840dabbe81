import type { SearchRequest } from '../../../src/contracts/search-port.ts'
import { parseQuery } from '../../../src/engine/search/query/parse-query.ts'

/** A question about the web from the United States. */
export const searchFor = (text: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
  source: 'web',
  query: parseQuery(text),
  category: undefined,
  includeDomains: [],
  excludeDomains: [],
  period: undefined,
  country: 'US',
  location: undefined,
  language: undefined,
  limit: 10,
  teamId: 'acme',
  signal: new AbortController().signal,
  ...more,
})
