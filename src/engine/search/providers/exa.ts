import { z } from 'zod'
import type { SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search.ts'
import { type Api, callJsonApi } from './shared/call-api.ts'
import { isoTime, rangeOf } from './shared/dates.ts'
import { parseHits, parseResponse } from './shared/hits.ts'
import { domainsOf, type Scope, scopeOf, requireWords } from './shared/scope.ts'
import { toText } from '../query/to-text.ts'
import type { KeyedProviderEntry } from './shared/entry.ts'

/** `site:` becomes a domain list and `related:` a findSimilar request; it knows no operators in the query text. */
const operators: ReadonlySet<SearchOperator> = new Set(['site', 'related'])
const inText: ReadonlySet<SearchOperator> = new Set()
const maxResults = 100
/** How many times more results are requested, since the post-filter may drop some. */
const overfetch = 2

const text = z.string().nullish()
const ResponseBody = z.object({ results: z.array(z.unknown()) })
const Item = z.object({
  title: text,
  url: z.string(),
  publishedDate: text,
  image: text,
  text,
  highlights: z.array(z.string()).nullish(),
})

/** Exa: https://exa.ai/docs/reference/search. */
export function exa(
  api: Api,
  { key, baseUrl = 'https://api.exa.ai' }: { key: string; baseUrl?: string },
): SearchProvider {
  return {
    name: 'exa',
    sources: new Set(['web', 'news']),
    operators,
    period: 'exact',
    weight: 1,
    async search(request) {
      const scope = scopeOf(request)
      const { path, parameters } = endpointFor(request, scope)
      const response = await callJsonApi(api, {
        url: `${baseUrl}/${path}`,
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ ...parameters, ...filtersOf(request, scope) }),
        signal: request.signal,
      })
      return parseHits(parseResponse(response, ResponseBody).results, Item, (item) => ({
        url: item.url,
        title: item.title ?? '',
        description: item.highlights?.join(' … ') ?? item.text,
        date: item.publishedDate,
        ...(request.source === 'news' && { imageUrl: item.image }),
      }))
    },
  }
}

function endpointFor({ source, category, country }: SearchRequest, { query }: Scope) {
  if (query.related !== undefined) return { path: 'findSimilar', parameters: { url: absoluteUrl(query.related) } }
  const isPdf = query.filetype.includes('pdf')
  const kind = source === 'news' ? 'news' : category === 'research' ? 'research paper' : undefined
  const parameters = {
    query: `${requireWords(toText(query, inText))}${isPdf ? ' PDF' : ''}`,
    type: 'auto',
    ...(kind !== undefined && { category: kind }),
    ...(/^[A-Z]{2}$/.test(country) && { userLocation: country }),
  }
  return { path: 'search', parameters }
}

const absoluteUrl = (site: string) => (/^https?:/i.test(site) ? site : `https://${site}`)

function filtersOf({ limit, period }: SearchRequest, scope: Scope) {
  const { include, exclude } = domainsOf(scope)
  const range = rangeOf(period)
  return {
    numResults: Math.min(maxResults, limit * overfetch),
    contents: { highlights: true },
    ...(include.length > 0 ? { includeDomains: include } : exclude.length > 0 && { excludeDomains: exclude }),
    ...(range && { startPublishedDate: isoTime(range.from), endPublishedDate: isoTime(range.to) }),
  }
}

export const exaEntry: KeyedProviderEntry = {
  rank: 'before results pages',
  needs: { setting: 'exaKey', source: 'dashboard.exa.ai' },
  docs: { finds: 'the web and news', time: 'exact', location: 'country' },
  create: (api, key) => exa(api, { key }),
}
