import { z } from 'zod'
import type {
  ProviderErrorKind,
  SearchOperator,
  SearchProvider,
  SearchRequest,
  SearchSource,
} from '../../../contracts/search.ts'
import type { ApiResponse } from '../../net/http/api-client.ts'
import { type Api, callJsonApi } from './shared/call-api.ts'
import { rangeOf } from './shared/dates.ts'
import { parseHits, parseResponse } from './shared/hits.ts'
import { fetchPages, type ResultPage } from './shared/paging.ts'
import { scopeOf, requireWords } from './shared/scope.ts'
import { toText } from '../query/to-text.ts'
import type { KeyedProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set([
  'phrase',
  'without',
  'site',
  'filetype',
  'inUrl',
  'inTitle',
  'related',
  'imageSize',
  'larger',
] as const)
const perPage = 10
const path: Record<SearchSource, string> = { web: 'search', news: 'news', images: 'images' }
const listName = { web: 'organic', news: 'news', images: 'images' } as const

const text = z.string().nullish()
const List = z.array(z.unknown()).nullish()
const ResponseBody = z.object({ searchParameters: z.object({}), organic: List, news: List, images: List })
const Item = z.object({
  title: z.string(),
  link: z.string(),
  snippet: text,
  date: text,
  imageUrl: text,
  imageWidth: z.number().nullish(),
  imageHeight: z.number().nullish(),
})

/** Serper, results of Google: https://serper.dev. Takes Google's operators and time filters. */
export function serper(
  api: Api,
  { key, baseUrl = 'https://google.serper.dev' }: { key: string; baseUrl?: string },
): SearchProvider {
  const fetchPage =
    (request: SearchRequest) =>
    async (page: number): Promise<ResultPage> => {
      const { source, signal } = request
      const response = await callJsonApi(
        api,
        {
          url: `${baseUrl}/${path[source]}`,
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: JSON.stringify(bodyOf(request, page)),
          signal,
        },
        errorKindOf,
      )
      const items = parseResponse(response, ResponseBody)[listName[source]] ?? []
      return { hits: hitsOf(items, source), isLast: items.length === 0 }
    }
  return {
    name: 'serper',
    sources: new Set(['web', 'news', 'images']),
    operators,
    period: 'exact',
    supportsLocation: true,
    weight: 1,
    search: (request) => fetchPages(request, perPage, fetchPage(request)),
  }
}

function bodyOf(request: SearchRequest, page: number) {
  const { query, ...domains } = scopeOf(request)
  const { country, location, language } = request
  const tbs = timeFilter(request)
  return {
    q: requireWords(toText(query, operators, domains)),
    num: perPage,
    page: page + 1,
    gl: country.toLowerCase(),
    ...(language !== undefined && { hl: language.toLowerCase() }),
    ...(location !== undefined && { location }),
    ...(tbs !== '' && { tbs }),
  }
}

function timeFilter({ period }: SearchRequest): string {
  const range = rangeOf(period)
  const preset = period?.preset ? [`qdr:${period.preset}`] : []
  const span = !period?.preset && range ? ['cdr:1', `cd_min:${dayOf(range.from)}`, `cd_max:${dayOf(range.to)}`] : []
  return [...preset, ...span, ...(period?.sort === 'date' ? ['sbd:1'] : [])].join(',')
}

/** M/D/YYYY, in UTC. */
function dayOf(timeMs: number): string {
  const date = new Date(timeMs)
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
}

const hitsOf = (items: readonly unknown[], source: SearchSource) =>
  parseHits(items, Item, ({ title, link, snippet, date, ...image }) => ({
    url: link,
    title,
    description: snippet,
    date,
    ...(source === 'images' && image),
    // Thumbnails of news are mostly data URLs; only web URLs are kept.
    ...(source === 'news' && { imageUrl: image.imageUrl }),
  }))

/** Status 403 means a wrong key, 400 spent credits. */
function errorKindOf({ status, text: body }: ApiResponse): ProviderErrorKind | undefined {
  if (status === 403) return 'bad key'
  return status === 400 && /credit/i.test(body) ? 'quota used up' : undefined
}

export const serperEntry: KeyedProviderEntry = {
  rank: 'before results pages',
  needs: { setting: 'serperKey', source: 'serper.dev' },
  docs: { finds: 'the web, news and images, from Google', time: 'exact', location: 'country, place, language' },
  create: (api, key) => serper(api, { key }),
}
