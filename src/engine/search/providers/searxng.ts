import { z } from 'zod'
import { SearchError, type SearchOperator, type SearchProvider, type SearchRequest } from '../../../contracts/search.ts'
import type { ApiAnswer } from '../../net/http/api-client.ts'
import { type Api, ask, jsonOf } from '../provider/ask.ts'
import { spanOf } from '../provider/dates.ts'
import { type Draft, hitsFrom, shaped } from '../provider/hits.ts'
import { paged, type ResultPage } from '../provider/pages.ts'
import { languageOf, urlOf } from '../provider/places.ts'
import { scopeOf, someWords } from '../provider/scope.ts'
import { fromHtml } from '../provider/text.ts'
import { toText } from '../query/to-text.ts'

/** It hands the query on as it is; the engines behind it know these mostly. */
const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'site', 'filetype', 'inTitle'])
/** What its engines give together for one page, about. */
const perPage = 20
const categories = { web: 'general', news: 'news', images: 'images' } as const

const text = z.string().nullish()
const Answer = z.object({ results: z.array(z.unknown()), unresponsive_engines: z.array(z.unknown()).nullish() })
const Item = z.object({
  url: z.string(),
  title: text,
  content: text,
  publishedDate: text,
  img_src: text,
  thumbnail: text,
  resolution: text,
})

/** A SearXNG of the operator's own: https://docs.searxng.org/dev/search_api.html. Its settings have to list `json` under `search.formats`. */
export function searxng(api: Api, { baseUrl }: { baseUrl: string }): SearchProvider {
  const endpoint = `${baseUrl.replace(/\/(?:search\/?)?$/, '')}/search`
  const pageAt = (request: SearchRequest) => async (page: number) => {
    const url = urlOf(endpoint, parametersOf(request, page))
    return pageOf(await ask(api, { url, method: 'GET', signal: request.signal }, faultOf), request)
  }
  return {
    name: 'searxng',
    sources: new Set(['web', 'news', 'images']),
    operators,
    period: 'by the day',
    knowsPlaces: true,
    weight: 1,
    search: (request) => paged(request, perPage, pageAt(request)),
  }
}

function parametersOf(request: SearchRequest, page: number): Record<string, string | number | undefined> {
  const { query, ...domains } = scopeOf(request)
  const words = someWords(withoutCommands(toText(query, operators, domains)))
  // It has no place to search from, so the place is a word like others.
  const [place = ''] = request.location?.split(',') ?? []
  return {
    q: `${words} ${place}`.trim(),
    format: 'json',
    categories: categories[request.source],
    language: languageTag(request),
    time_range: spanOf(request.period),
    ...(page > 0 && { pageno: page + 1 }),
  }
}

/** Without a wish its own setting holds; the country of requests is US where nobody said another. */
function languageTag({ language, country }: SearchRequest): string | undefined {
  if (language === undefined) return country === 'US' ? undefined : `${languageOf({ language, country })}-${country}`
  const [, main = '', region] = /^([a-z]{2,3})(?:[-_]([a-z]{2}))?$/i.exec(language) ?? []
  if (main === '') return undefined
  return region === undefined ? main.toLowerCase() : `${main.toLowerCase()}-${region.toUpperCase()}`
}

/**
 * Words that begin like its commands for engines, languages and time limits (`!x`, `?x`, `:de`, `<3`) go in quotes.
 * Within a phrase, where it would see them as well, the sign goes: engines ignore it.
 */
function withoutCommands(words: string): string {
  return words
    .split('"')
    .map((part, index) =>
      index % 2 === 1
        ? part.replace(/(?<=\s)[!?:<]+/g, '')
        : part.replace(/(?<!\S)[!?:<]\S*/g, (word) => (/^[!?:<]+$/.test(word) ? '' : `"${word}"`)),
    )
    .join('"')
}

function faultOf({ status }: ApiAnswer) {
  return status === 403 ? 'json disabled' : undefined
}

function pageOf({ text: body }: ApiAnswer, { source }: SearchRequest): ResultPage {
  if (/^\s*</.test(body))
    throw new SearchError('bot challenge', 'It answered with a page instead of data: its bot limiter may be on.')
  const { results, unresponsive_engines: unresponsive } = shaped(jsonOf(body), Answer)
  if (results.length === 0 && (unresponsive?.length ?? 0) > 0)
    throw new SearchError(
      'engines unresponsive',
      `None of its engines had an answer; ${unresponsive?.length} did not respond.`,
    )
  const hits = hitsFrom(results, Item, (item) => (source === 'images' ? pictureOf(item) : draftOf(item, source)))
  return { hits, isLast: hits.length === 0 }
}

const draftOf = (item: z.infer<typeof Item>, source: SearchRequest['source']): Draft => ({
  url: item.url,
  title: fromHtml(item.title ?? ''),
  description: fromHtml(item.content ?? ''),
  date: item.publishedDate,
  ...(source === 'news' && { imageUrl: item.img_src || item.thumbnail }),
})

function pictureOf(item: z.infer<typeof Item>): Draft {
  const [, width, height] = /(\d{1,5})\s*[x×*]\s*(\d{1,5})/i.exec(item.resolution ?? '') ?? []
  return {
    url: item.url,
    title: fromHtml(item.title ?? ''),
    imageUrl: item.img_src || item.thumbnail,
    ...(width !== undefined && { imageWidth: Number(width), imageHeight: Number(height) }),
  }
}
