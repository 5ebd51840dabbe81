import { z } from 'zod'
import type { SearchOperator, SearchProvider, SearchQuery, SearchRequest } from '../../../contracts/search.ts'
import { type Api, askJson } from '../provider/ask.ts'
import { rangeOf } from '../provider/dates.ts'
import { hitsFrom, shaped } from '../provider/hits.ts'
import { paged, type ResultPage } from '../provider/pages.ts'
import { urlOf } from '../provider/places.ts'
import { scopeOf, someWords } from '../provider/scope.ts'
import { fromHtml } from '../provider/text.ts'
import { toText } from '../query/to-text.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without'])
const perPage = 50

const text = z.string().nullish()
const count = z.number().nullish()
const Answer = z.object({ hits: z.array(z.unknown()), nbPages: z.number().nullish() })
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
  const pageAt =
    (request: SearchRequest) =>
    async (page: number): Promise<ResultPage> => {
      const url = urlOf(`${baseUrl}/api/v1/${request.period?.sort === 'date' ? 'search_by_date' : 'search'}`, {
        // It has no OR, but words that may be missing.
        query: someWords(toText({ ...scopeOf(request).query, isAny: false }, operators)),
        optionalWords: optionalOf(request.query),
        tags: 'story',
        advancedSyntax: 'true',
        hitsPerPage: perPage,
        page,
        numericFilters: timesOf(request),
      })
      const answer = shaped(await askJson(api, { url, method: 'GET', signal: request.signal }), Answer)
      return { hits: hitsFrom(answer.hits, Story, draftOf), isLast: page + 1 >= (answer.nbPages ?? 1) }
    }
  return {
    name: 'hacker-news',
    sources: new Set(['web']),
    operators,
    period: 'exact',
    weight: 0.6,
    search: (request) => paged(request, perPage, pageAt(request)),
  }
}

const optionalOf = ({ isAny, terms, phrases }: SearchQuery) =>
  isAny ? [...terms, ...phrases.flatMap((phrase) => phrase.split(/\s+/))].join(',') : undefined

function timesOf({ period }: SearchRequest): string | undefined {
  const range = rangeOf(period)
  return range && `created_at_i>=${Math.floor(range.from / 1000)},created_at_i<=${Math.ceil(range.to / 1000)}`
}

const draftOf = (story: z.infer<typeof Story>) => ({
  url: story.url || `https://news.ycombinator.com/item?id=${story.objectID}`,
  title: story.title,
  description: story.story_text
    ? fromHtml(story.story_text)
    : `Hacker News: ${story.points ?? 0} points, ${story.num_comments ?? 0} comments`,
  date: story.created_at,
})
