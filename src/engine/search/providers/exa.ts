import { z } from 'zod'
import type { SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search.ts'
import { type Api, askJson } from '../provider/ask.ts'
import { isoTime, rangeOf } from '../provider/dates.ts'
import { hitsFrom, shaped } from '../provider/hits.ts'
import { domainsOf, type Scope, scopeOf, someWords } from '../provider/scope.ts'
import { toText } from '../query/to-text.ts'

/** `site:` goes into its lists of domains, `related:` to a search of its own; of operators in the text it knows none. */
const operators: ReadonlySet<SearchOperator> = new Set(['site', 'related'])
const inText: ReadonlySet<SearchOperator> = new Set()
const maxResults = 100
/** More than wanted, because some are taken out afterwards. */
const spare = 2

const text = z.string().nullish()
const Answer = z.object({ results: z.array(z.unknown()) })
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
      const { path, what } = askedFor(request, scope)
      const answer = await askJson(api, {
        url: `${baseUrl}/${path}`,
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ ...what, ...filtersOf(request, scope) }),
        signal: request.signal,
      })
      return hitsFrom(shaped(answer, Answer).results, Item, (item) => ({
        url: item.url,
        title: item.title ?? '',
        description: item.highlights?.join(' … ') ?? item.text,
        date: item.publishedDate,
        ...(request.source === 'news' && { imageUrl: item.image }),
      }))
    },
  }
}

function askedFor({ source, category, country }: SearchRequest, { query }: Scope) {
  if (query.related !== undefined) return { path: 'findSimilar', what: { url: addressOf(query.related) } }
  const isPdf = query.filetype.includes('pdf')
  const kind = source === 'news' ? 'news' : category === 'research' ? 'research paper' : undefined
  const what = {
    query: `${someWords(toText(query, inText))}${isPdf ? ' PDF' : ''}`,
    type: 'auto',
    ...(kind !== undefined && { category: kind }),
    ...(/^[A-Z]{2}$/.test(country) && { userLocation: country }),
  }
  return { path: 'search', what }
}

const addressOf = (place: string) => (/^https?:/i.test(place) ? place : `https://${place}`)

function filtersOf({ limit, period }: SearchRequest, scope: Scope) {
  const { include, exclude } = domainsOf(scope)
  const range = rangeOf(period)
  return {
    numResults: Math.min(maxResults, limit * spare),
    contents: { highlights: true },
    ...(include.length > 0 ? { includeDomains: include } : exclude.length > 0 && { excludeDomains: exclude }),
    ...(range && { startPublishedDate: isoTime(range.from), endPublishedDate: isoTime(range.to) }),
  }
}
