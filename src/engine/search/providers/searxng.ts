import { z } from 'zod'
import {
  ProviderError,
  type SearchOperator,
  type SearchProvider,
  type SearchRequest,
} from '../../../contracts/search.ts'
import type { ApiResponse } from '../../net/http/api-client.ts'
import { type Api, callApi, parseJson, buildUrl } from './shared/call-api.ts'
import { spanOf } from './shared/dates.ts'
import { type RawHit, parseHits, parseResponse } from './shared/hits.ts'
import { fetchPages, type ResultPage } from './shared/paging.ts'
import { languageOf } from './shared/locale.ts'
import { scopeOf, requireWords } from './shared/scope.ts'
import { fromHtml } from './shared/plain-text.ts'
import { toText } from '../query/to-text.ts'
import type { KeyedProviderEntry } from './shared/entry.ts'

/** SearXNG passes the query through; most engines behind it support these. */
const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'site', 'filetype', 'inTitle'])
const categories = { web: 'general', news: 'news', images: 'images' } as const

const text = z.string().nullish()
const ResponseBody = z.object({ results: z.array(z.unknown()), unresponsive_engines: z.array(z.unknown()).nullish() })
const Item = z.object({
  url: z.string(),
  title: text,
  content: text,
  publishedDate: text,
  img_src: text,
  thumbnail: text,
  resolution: text,
})

/** The operator's own SearXNG: https://docs.searxng.org/dev/search_api.html. Its settings must list `json` under `search.formats`. */
export function searxng(api: Api, { baseUrl }: { baseUrl: string }): SearchProvider {
  const endpoint = `${baseUrl.replace(/\/(?:search\/?)?$/, '')}/search`
  const fetchPage = (request: SearchRequest) => async (page: number) => {
    const url = buildUrl(endpoint, parametersOf(request, page))
    return parsePage(await callApi(api, { url, method: 'GET', signal: request.signal }, errorKindOf), request)
  }
  return {
    name: 'searxng',
    sources: new Set(['web', 'news', 'images']),
    operators,
    period: 'by the day',
    supportsLocation: true,
    weight: 1,
    // How much a page holds depends on which engines answer.
    search: (request) => fetchPages(request, 'as the first', fetchPage(request)),
  }
}

function parametersOf(request: SearchRequest, page: number): Record<string, string | number | undefined> {
  const { query, ...domains } = scopeOf(request)
  const words = requireWords(withoutCommands(toText(query, operators, domains)))
  // SearXNG has no location parameter, so the city becomes a search term.
  const [city = ''] = request.location?.split(',') ?? []
  return {
    q: `${words} ${city}`.trim(),
    format: 'json',
    categories: categories[request.source],
    language: languageTag(request),
    time_range: spanOf(request.period),
    ...(page > 0 && { pageno: page + 1 }),
  }
}

/** Without a language its own setting applies; US is the default country of requests and counts as none. */
function languageTag({ language, country }: SearchRequest): string | undefined {
  if (language === undefined) return country === 'US' ? undefined : `${languageOf({ language, country })}-${country}`
  const [, main = '', region] = /^([a-z]{2,3})(?:[-_]([a-z]{2}))?$/i.exec(language) ?? []
  if (main === '') return undefined
  return region === undefined ? main.toLowerCase() : `${main.toLowerCase()}-${region.toUpperCase()}`
}

/**
 * Quotes words that look like SearXNG commands for engines, languages and time limits (`!x`, `?x`, `:de`, `<3`). Within
 * a phrase, where it would still see them, the sign is removed: engines ignore it.
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

function errorKindOf({ status }: ApiResponse) {
  return status === 403 ? 'json disabled' : undefined
}

function parsePage({ text: body }: ApiResponse, { source }: SearchRequest): ResultPage {
  if (/^\s*</.test(body))
    throw new ProviderError('bot challenge', 'It answered with a page instead of data: its bot limiter may be on.')
  const { results, unresponsive_engines: unresponsive } = parseResponse(parseJson(body), ResponseBody)
  if (results.length === 0 && (unresponsive?.length ?? 0) > 0)
    throw new ProviderError(
      'engines unresponsive',
      `None of its engines had an answer; ${unresponsive?.length} did not respond.`,
    )
  const hits = parseHits(results, Item, (item) => (source === 'images' ? toImageHit(item) : toRawHit(item, source)))
  return { hits, isLast: hits.length === 0 }
}

const toRawHit = (item: z.infer<typeof Item>, source: SearchRequest['source']): RawHit => ({
  url: item.url,
  title: fromHtml(item.title ?? ''),
  description: fromHtml(item.content ?? ''),
  date: item.publishedDate,
  ...(source === 'news' && { imageUrl: item.img_src || item.thumbnail }),
})

function toImageHit(item: z.infer<typeof Item>): RawHit {
  const [, width, height] = /(\d{1,5})\s*[x×*]\s*(\d{1,5})/i.exec(item.resolution ?? '') ?? []
  return {
    url: item.url,
    title: fromHtml(item.title ?? ''),
    imageUrl: item.img_src || item.thumbnail,
    ...(width !== undefined && { imageWidth: Number(width), imageHeight: Number(height) }),
  }
}

export const searxngEntry: KeyedProviderEntry = {
  rank: 'before results pages',
  needs: { setting: 'searxngUrl', source: 'your own server; may be a private address' },
  docs: { finds: 'the web, news and images', time: 'day, week, month, year', location: 'language; the city as a word' },
  create: (api, baseUrl) => searxng(api, { baseUrl }),
}
