import { z } from 'zod'
import type {
  SearchHit,
  SearchOperator,
  SearchProvider,
  SearchRequest,
  SearchSource,
} from '../../../contracts/search.ts'
import type { ApiResponse } from '../../net/http/api-client.ts'
import { type Api, callJsonApi, limitWindows, buildUrl } from './shared/call-api.ts'
import { dayOf, rangeOf } from './shared/dates.ts'
import { type RawHit, parseHits, parseResponse } from './shared/hits.ts'
import { fetchPages, type ResultPage } from './shared/paging.ts'
import { scopeOf, requireWords, queryWithin } from './shared/scope.ts'
import { fromHtml } from './shared/plain-text.ts'
import type { KeyedProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'site', 'filetype', 'inTitle'])
const maxLength = { chars: 400, words: 50 }
const perPage: Record<SearchSource, number> = { web: 20, news: 50, images: 200 }
/** A rate limit window longer than this is the quota of the plan. */
const quotaResetS = 3600

/** Countries and languages it accepts; it rejects others. */
const countries = new Set(
  'AR AU AT BE BR CA CL CN DE DK ES FI FR GB GR HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE CH TR TW US ZA'.split(
    ' ',
  ),
)
const ownCodes: Readonly<Record<string, string>> = { ja: 'jp', zh: 'zh-hans', pt: 'pt-pt', no: 'nb' }
const languages = new Set(
  `ar bn bg ca zh-hans zh-hant hr cs da nl en en-gb et eu fi fr gl de el gu he hi hu is it jp kn ko lv lt ms ml mr nb pl
  pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi`.split(/\s+/),
)
const freshness = { h: 'pd', d: 'pd', w: 'pw', m: 'pm', y: 'py' } as const

const text = z.string().nullish()
const Item = z.object({ title: z.string(), url: z.string(), description: text, page_age: text, age: text })
const Article = Item.extend({ thumbnail: z.object({ src: text }).nullish() })
const Size = z.object({ url: text, width: z.number().nullish(), height: z.number().nullish() })
const Image = z.object({ title: z.string(), url: z.string(), properties: Size })
const Web = z.object({
  type: z.literal('search'),
  query: z.object({ more_results_available: z.boolean().nullish() }).nullish(),
  web: z.object({ results: z.array(z.unknown()) }).nullish(),
})
const List = z.object({ results: z.array(z.unknown()) })

/** Brave Search API: https://api-dashboard.search.brave.com/documentation. */
export function brave(
  api: Api,
  { key, baseUrl = 'https://api.search.brave.com' }: { key: string; baseUrl?: string },
): SearchProvider {
  const fetchPage = (request: SearchRequest) => async (page: number) => {
    const url = buildUrl(`${baseUrl}/res/v1/${request.source}/search`, parametersOf(request, page))
    const headers = { 'x-subscription-token': key, ...locationHeaders(request) }
    const response = await callJsonApi(api, { url, method: 'GET', headers, signal: request.signal }, errorKindOf)
    return readers[request.source](response)
  }
  return {
    name: 'brave',
    sources: new Set(['web', 'news', 'images']),
    operators,
    period: 'by the day',
    supportsLocation: true,
    weight: 1,
    search: (request) => fetchPages(request, perPage[request.source], fetchPage(request)),
  }
}

function parametersOf(request: SearchRequest, page: number): Record<string, string | number | undefined> {
  const { source, country, language } = request
  return {
    q: requireWords(queryWithin(scopeOf(request), operators, maxLength)),
    count: source === 'web' || request.limit > perPage[source] ? perPage[source] : Math.max(20, request.limit),
    country: countries.has(country) ? country : 'ALL',
    search_lang: languageCode(language),
    spellcheck: 'false',
    ...(source !== 'images' && { offset: page, freshness: freshnessOf(request), text_decorations: 'false' }),
    ...(source === 'web' && { result_filter: 'web' }),
  }
}

function languageCode(language: string | undefined): string | undefined {
  const code = language?.toLowerCase().replace('_', '-') ?? ''
  const main = code.split('-')[0] ?? ''
  return [code, ownCodes[main] ?? main].find((each) => languages.has(each))
}

function freshnessOf({ period }: SearchRequest): string | undefined {
  if (period?.preset) return freshness[period.preset]
  const range = rangeOf(period)
  return range && `${dayOf(range.from)}to${dayOf(range.to)}`
}

/** Header values are ASCII; other locations are not sent. */
function locationHeaders({ location, country }: SearchRequest): Record<string, string> {
  const city = location?.split(',')[0]?.trim() ?? ''
  return /^[\x20-\x7e]+$/.test(city) ? { 'x-loc-city': city, 'x-loc-country': country } : {}
}

/** The time until the reset tells a spent monthly quota from a spent second. */
function errorKindOf({ status, headers }: ApiResponse) {
  const isSpent = limitWindows(headers).some(
    ({ limit, remaining, reset }) => remaining === 0 && limit !== 0 && reset > quotaResetS,
  )
  return status === 429 && isSpent ? 'quota used up' : status === 422 && !isSpent ? 'refused' : undefined
}

const readers: Record<SearchSource, (response: unknown) => ResultPage> = {
  web: (response) => {
    const { web, query } = parseResponse(response, Web)
    const hits = parseHits(web?.results ?? [], Item, toRawHit)
    return { hits, isLast: query?.more_results_available === false }
  },
  news: (response) => {
    const hits = parseHits(parseResponse(response, List).results, Article, (item) => ({
      ...toRawHit(item),
      imageUrl: item.thumbnail?.src,
    }))
    return { hits, isLast: hits.length < perPage.news }
  },
  images: (response) => ({ hits: parseImages(parseResponse(response, List).results), isLast: true }),
}

const toRawHit = ({ title, url, description, page_age: pageAge, age }: z.infer<typeof Item>): RawHit => ({
  url,
  title: fromHtml(title),
  description: fromHtml(description ?? ''),
  date: pageAge ?? age,
})

const parseImages = (results: readonly unknown[]): SearchHit[] =>
  parseHits(results, Image, ({ title, url, properties }) => ({
    url,
    title: fromHtml(title),
    imageUrl: properties.url,
    imageWidth: properties.width,
    imageHeight: properties.height,
  }))

export const braveEntry: KeyedProviderEntry = {
  rank: 'before results pages',
  needs: { setting: 'braveKey', source: 'api-dashboard.search.brave.com' },
  docs: { finds: 'the web, news and images', time: 'days', location: 'country, city, language' },
  create: (api, key) => brave(api, { key }),
}
