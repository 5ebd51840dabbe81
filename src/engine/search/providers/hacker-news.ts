import { z } from 'zod'
import type { SearchOperator, SearchProvider, SearchQuery, SearchRequest } from '../../../contracts/search.ts'
import { type Api, callJsonApi, buildUrl } from './shared/call-api.ts'
import { rangeOf } from './shared/dates.ts'
import { parseHits, parseResponse } from './shared/hits.ts'
import { fetchPages, type ResultPage } from './shared/paging.ts'
import { scopeOf, requireWords } from './shared/scope.ts'
import { fromHtml } from './shared/plain-text.ts'
import { toText } from '../query/to-text.ts'
import type { OpenProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without'])
const perPage = 50

const text = z.string().nullish()
const count = z.number().nullish()
const ResponseBody = z.object({ hits: z.array(z.unknown()), nbPages: z.number().nullish() })
const Story = z.object({
  objectID: z.string(),
  title: z.string(),
  url: text,
  created_at: text,
  story_text: text,
  points: count,
  num_comments: count,
})

/** Stories of Hacker News, which link to all the web: https://hn.algolia.com/api. */
export function hackerNews(
  api: Api,
  { baseUrl = 'https://hn.algolia.com' }: { baseUrl?: string } = {},
): SearchProvider {
  const fetchPage =
    (request: SearchRequest) =>
    async (page: number): Promise<ResultPage> => {
      const url = buildUrl(`${baseUrl}/api/v1/${request.period?.sort === 'date' ? 'search_by_date' : 'search'}`, {
        // Algolia has no OR, but words can be optional.
        query: requireWords(toText({ ...scopeOf(request).query, isAny: false }, operators)),
        optionalWords: optionalOf(request.query),
        tags: 'story',
        advancedSyntax: 'true',
        hitsPerPage: perPage,
        page,
        numericFilters: timesOf(request),
      })
      const response = parseResponse(
        await callJsonApi(api, { url, method: 'GET', signal: request.signal }),
        ResponseBody,
      )
      return { hits: parseHits(response.hits, Story, toRawHit), isLast: page + 1 >= (response.nbPages ?? 1) }
    }
  return {
    name: 'hacker-news',
    sources: new Set(['web']),
    operators,
    period: 'exact',
    weight: 0.6,
    search: (request) => fetchPages(request, perPage, fetchPage(request)),
  }
}

const optionalOf = ({ isAny, terms, phrases }: SearchQuery) =>
  isAny ? [...terms, ...phrases.flatMap((phrase) => phrase.split(/\s+/))].join(',') : undefined

function timesOf({ period }: SearchRequest): string | undefined {
  const range = rangeOf(period)
  return range && `created_at_i>=${Math.floor(range.from / 1000)},created_at_i<=${Math.ceil(range.to / 1000)}`
}

const toRawHit = (story: z.infer<typeof Story>) => ({
  url: story.url || `https://news.ycombinator.com/item?id=${story.objectID}`,
  title: story.title,
  description: story.story_text
    ? fromHtml(story.story_text)
    : `Hacker News: ${story.points ?? 0} points, ${story.num_comments ?? 0} comments`,
  date: story.created_at,
})

export const hackerNewsEntry: OpenProviderEntry = {
  rank: 'after results pages',
  docs: { finds: 'pages that Hacker News stories link to', time: 'exact' },
  create: (api) => hackerNews(api),
}
