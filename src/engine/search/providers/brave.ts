import { z } from 'zod'
import type { SearchOperator, SearchRequest, SearchSource } from '../../../contracts/search-port.ts'
import type { ApiResponse } from '../../net/http/api-client.ts'
import { limitWindows } from './shared/call-api.ts'
import { dayOf, type Range, queryWithin, requireWords, scopeOf } from './shared/search-scope.ts'
import { type Context, defineProvider, inPages } from './shared/define-provider.ts'
import { fromHtml, number, readHits, resultsShape, text } from './shared/read-hits.ts'

const operators: readonly SearchOperator[] = ['phrase', 'without', 'site', 'filetype', 'inTitle']
const maxLength = { chars: 400, words: 50 }
const perPage: Record<SearchSource, number> = { web: 20, news: 50, images: 200 }
/** Rate limit windows that reset later than this number of seconds are the monthly quota. */
const quotaResetS = 3600

/** Countries and languages that the API accepts; it rejects others. */
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

const Item = z.object({ title: z.string(), url: z.string(), description: text, page_age: text, age: text })
const toHit = ({ title, url, description, page_age: pageAge, age }: z.infer<typeof Item>) => ({
  url,
  title: fromHtml(title),
  description: fromHtml(description ?? ''),
  date: pageAge ?? age,
})

const readers = {
  web: readHits({
    body: z.object({
      type: z.literal('search'),
      query: z.object({ more_results_available: z.boolean().nullish() }).nullish(),
      web: z.object({ results: z.array(z.unknown()) }).nullish(),
    }),
    items: ({ web }) => web?.results ?? [],
    item: Item,
    toHit,
    isLast: ({ query }) => query?.more_results_available === false,
  }),
  news: readHits({
    ...resultsShape,
    item: Item.extend({ thumbnail: z.object({ src: text }).nullish() }),
    toHit: (item) => ({ ...toHit(item), imageUrl: item.thumbnail?.src }),
    isLast: (_, { hits }) => hits < perPage.news,
  }),
  images: readHits({
    ...resultsShape,
    item: z.object({
      title: z.string(),
      url: z.string(),
      properties: z.object({ url: text, width: number, height: number }),
    }),
    toHit: ({ title, url, properties }) => ({
      url,
      title: fromHtml(title),
      imageUrl: properties.url,
      imageWidth: properties.width,
      imageHeight: properties.height,
    }),
  }),
}

/** Brave Search API: https://api-dashboard.search.brave.com/documentation. */
export const brave = defineProvider({
  name: 'brave',
  rank: 'before results pages',
  needs: { setting: 'braveKey', source: 'api-dashboard.search.brave.com', option: 'key' },
  docs: { finds: 'the web, news and images', time: 'days', location: 'country, city, language' },
  baseUrl: 'https://api.search.brave.com',
  sources: ['web', 'news', 'images'],
  operators,
  period: 'by the day',
  supportsLocation: true,
  errorKindOf,
  search: inPages(perPage, {
    call: (context) => ({
      url: `${context.baseUrl}/res/v1/${context.request.source}/search`,
      headers: { 'x-subscription-token': context.key, ...locationHeaders(context.request) },
      parameters: parametersOf(context),
    }),
    read: (body, context) => readers[context.request.source](body, context),
  }),
})

function parametersOf({ request, page, range }: Context): Record<string, string | number | undefined> {
  const { source, country, language, period } = request
  return {
    q: requireWords(queryWithin(scopeOf(request), new Set(operators), maxLength)),
    count: source === 'web' || request.limit > perPage[source] ? perPage[source] : Math.max(20, request.limit),
    country: countries.has(country) ? country : 'ALL',
    search_lang: languageCode(language),
    spellcheck: 'false',
    ...(source !== 'images' && { offset: page, freshness: freshnessOf(period, range), text_decorations: 'false' }),
    ...(source === 'web' && { result_filter: 'web' }),
  }
}

function languageCode(language: string | undefined): string | undefined {
  const code = language?.toLowerCase().replace('_', '-') ?? ''
  const main = code.split('-')[0] ?? ''
  return [code, ownCodes[main] ?? main].find((each) => languages.has(each))
}

function freshnessOf(period: SearchRequest['period'], range: Range | undefined): string | undefined {
  if (period?.preset) return freshness[period.preset]
  return range && `${dayOf(range.from)}to${dayOf(range.to)}`
}

/** Returns headers for the location. They must be ASCII, so other locations are left out. */
function locationHeaders({ location, country }: SearchRequest): Record<string, string> {
  const city = location?.split(',')[0]?.trim() ?? ''
  return /^[\x20-\x7e]+$/.test(city) ? { 'x-loc-city': city, 'x-loc-country': country } : {}
}

/** Distinguishes an exhausted monthly quota from the limit per second by the reset time. */
function errorKindOf({ status, headers }: ApiResponse) {
  const isSpent = limitWindows(headers).some(
    ({ limit, remaining, reset }) => remaining === 0 && limit !== 0 && reset > quotaResetS,
  )
  return status === 429 && isSpent ? 'quota used up' : status === 422 && !isSpent ? 'refused' : undefined
}
