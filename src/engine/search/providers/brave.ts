import { z } from 'zod'
import type {
  SearchHit,
  SearchOperator,
  SearchProvider,
  SearchRequest,
  SearchSource,
} from '../../../contracts/search.ts'
import type { ApiAnswer } from '../../net/http/api-client.ts'
import { type Api, askJson, limitWindows } from '../provider/ask.ts'
import { dayOf, rangeOf } from '../provider/dates.ts'
import { type Draft, hitsFrom, shaped } from '../provider/hits.ts'
import { paged, type ResultPage } from '../provider/pages.ts'
import { urlOf } from '../provider/places.ts'
import { scopeOf, someWords, textWithin } from '../provider/scope.ts'
import { fromHtml } from '../provider/text.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'site', 'filetype', 'inTitle'])
const longest = { chars: 400, words: 50 }
const perPage: Record<SearchSource, number> = { web: 20, news: 50, images: 200 }
/** A window of the limits that is longer than this is the quota of the plan. */
const quotaResetS = 3600

/** Countries and languages it can be told; it refuses others. */
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
const Picture = z.object({ title: z.string(), url: z.string(), properties: Size })
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
  const pageAt = (request: SearchRequest) => async (page: number) => {
    const url = urlOf(`${baseUrl}/res/v1/${request.source}/search`, parametersOf(request, page))
    const headers = { 'x-subscription-token': key, ...placeHeaders(request) }
    const answer = await askJson(api, { url, method: 'GET', headers, signal: request.signal }, faultOf)
    return readers[request.source](answer)
  }
  return {
    name: 'brave',
    sources: new Set(['web', 'news', 'images']),
    operators,
    period: 'by the day',
    knowsPlaces: true,
    weight: 1,
    search: (request) => paged(request, perPage[request.source], pageAt(request)),
  }
}

function parametersOf(request: SearchRequest, page: number): Record<string, string | number | undefined> {
  const { source, country, language } = request
  return {
    q: someWords(textWithin(scopeOf(request), operators, longest)),
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
  if (period?.bare) return freshness[period.bare]
  const range = rangeOf(period)
  return range && `${dayOf(range.from)}to${dayOf(range.to)}`
}

/** Header values are ASCII; a place that is not stays out. */
function placeHeaders({ location, country }: SearchRequest): Record<string, string> {
  const city = location?.split(',')[0]?.trim() ?? ''
  return /^[\x20-\x7e]+$/.test(city) ? { 'x-loc-city': city, 'x-loc-country': country } : {}
}

/** A spent month is told from a spent second by the time until it is over. */
function faultOf({ status, headers }: ApiAnswer) {
  const isSpent = limitWindows(headers).some(
    ({ limit, remaining, reset }) => remaining === 0 && limit !== 0 && reset > quotaResetS,
  )
  return status === 429 && isSpent ? 'quota used up' : status === 422 && !isSpent ? 'refused' : undefined
}

const readers: Record<SearchSource, (answer: unknown) => ResultPage> = {
  web: (answer) => {
    const { web, query } = shaped(answer, Web)
    const hits = hitsFrom(web?.results ?? [], Item, draftOf)
    return { hits, isLast: query?.more_results_available === false }
  },
  news: (answer) => {
    const hits = hitsFrom(shaped(answer, List).results, Article, (item) => ({
      ...draftOf(item),
      imageUrl: item.thumbnail?.src,
    }))
    return { hits, isLast: hits.length < perPage.news }
  },
  images: (answer) => ({ hits: hitsFromPictures(shaped(answer, List).results), isLast: true }),
}

const draftOf = ({ title, url, description, page_age: pageAge, age }: z.infer<typeof Item>): Draft => ({
  url,
  title: fromHtml(title),
  description: fromHtml(description ?? ''),
  date: pageAge ?? age,
})

const hitsFromPictures = (results: readonly unknown[]): SearchHit[] =>
  hitsFrom(results, Picture, ({ title, url, properties }) => ({
    url,
    title: fromHtml(title),
    imageUrl: properties.url,
    imageWidth: properties.width,
    imageHeight: properties.height,
  }))
