import { z } from 'zod'
import { isoTime, domainsOf, type Scope, scopeOf } from './shared/search-scope.ts'
import { type Context, defineProvider, inOneCall } from './shared/define-provider.ts'
import { readHits, resultsShape, text } from './shared/read-hits.ts'

const maxResults = 100
/** Factor by which more results are requested, because the post-filter may drop some. */
const overfetch = 2

/** Exa: https://exa.ai/docs/reference/search. */
export const exa = defineProvider({
  name: 'exa',
  rank: 'before results pages',
  needs: { setting: 'exaKey', source: 'dashboard.exa.ai', option: 'key' },
  docs: { finds: 'the web and news', time: 'exact', location: 'country' },
  baseUrl: 'https://api.exa.ai',
  sources: ['web', 'news'],
  // `site:` becomes a domain list and `related:` a findSimilar request; the query text supports no operators.
  operators: ['site', 'related'],
  operatorsInText: [],
  period: 'exact',
  search: inOneCall({
    call(context) {
      const { baseUrl, key, request } = context
      const scope = scopeOf(request)
      const { path, parameters } = endpointFor(context, scope)
      const json = { ...parameters, ...filtersOf(context, scope) }
      return { url: `${baseUrl}/${path}`, headers: { 'x-api-key': key }, json }
    },
    read: readHits({
      ...resultsShape,
      item: z.object({
        title: text,
        url: z.string(),
        publishedDate: text,
        image: text,
        text,
        highlights: z.array(z.string()).nullish(),
      }),
      toHit: (item, { request }) => ({
        url: item.url,
        title: item.title ?? '',
        description: item.highlights?.join(' … ') ?? item.text,
        date: item.publishedDate,
        ...(request.source === 'news' && { imageUrl: item.image }),
      }),
    }),
  }),
})

function endpointFor({ words, request: { source, category, country } }: Context, { query }: Scope) {
  if (query.related !== undefined) return { path: 'findSimilar', parameters: { url: absoluteUrl(query.related) } }
  const isPdf = query.filetype.includes('pdf')
  const kind = source === 'news' ? 'news' : category === 'research' ? 'research paper' : undefined
  const parameters = {
    query: `${words(query)}${isPdf ? ' PDF' : ''}`,
    type: 'auto',
    ...(kind !== undefined && { category: kind }),
    ...(/^[A-Z]{2}$/.test(country) && { userLocation: country }),
  }
  return { path: 'search', parameters }
}

const absoluteUrl = (site: string) => (/^https?:/i.test(site) ? site : `https://${site}`)

function filtersOf({ range, request: { limit } }: Context, scope: Scope) {
  const { include, exclude } = domainsOf(scope)
  return {
    numResults: Math.min(maxResults, limit * overfetch),
    contents: { highlights: true },
    ...(include.length > 0 ? { includeDomains: include } : exclude.length > 0 && { excludeDomains: exclude }),
    ...(range && { startPublishedDate: isoTime(range.from), endPublishedDate: isoTime(range.to) }),
  }
}
