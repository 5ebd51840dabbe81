import { z } from 'zod'
import type {
  SearchFault,
  SearchOperator,
  SearchProvider,
  SearchRequest,
  SearchSource,
} from '../../../contracts/search.ts'
import type { ApiAnswer } from '../../net/http/api-client.ts'
import { type Api, askJson } from '../provider/ask.ts'
import { rangeOf } from '../provider/dates.ts'
import { hitsFrom, shaped } from '../provider/hits.ts'
import { paged, type ResultPage } from '../provider/pages.ts'
import { scopeOf, someWords } from '../provider/scope.ts'
import { toText } from '../query/to-text.ts'

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
const Answer = z.object({ searchParameters: z.object({}), organic: List, news: List, images: List })
const Item = z.object({
  title: z.string(),
  link: z.string(),
  snippet: text,
  date: text,
  imageUrl: text,
  imageWidth: z.number().nullish(),
  imageHeight: z.number().nullish(),
})

/** Serper, results of Google: https://serper.dev. It takes the operators and time filters of Google as they are. */
export function serper(
  api: Api,
  { key, baseUrl = 'https://google.serper.dev' }: { key: string; baseUrl?: string },
): SearchProvider {
  const pageAt =
    (request: SearchRequest) =>
    async (page: number): Promise<ResultPage> => {
      const { source, signal } = request
      const answer = await askJson(
        api,
        {
          url: `${baseUrl}/${path[source]}`,
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: JSON.stringify(bodyOf(request, page)),
          signal,
        },
        faultOf,
      )
      const items = shaped(answer, Answer)[listName[source]] ?? []
      return { hits: hitsOf(items, source), isLast: items.length === 0 }
    }
  return {
    name: 'serper',
    sources: new Set(['web', 'news', 'images']),
    operators,
    period: 'exact',
    knowsPlaces: true,
    weight: 1,
    search: (request) => paged(request, perPage, pageAt(request)),
  }
}

function bodyOf(request: SearchRequest, page: number) {
  const { query, ...domains } = scopeOf(request)
  const { country, location, language } = request
  const tbs = timeFilter(request)
  return {
    q: someWords(toText(query, operators, domains)),
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
  const recent = period?.bare ? [`qdr:${period.bare}`] : []
  const span = !period?.bare && range ? ['cdr:1', `cd_min:${dayOf(range.from)}`, `cd_max:${dayOf(range.to)}`] : []
  return [...recent, ...span, ...(period?.sort === 'date' ? ['sbd:1'] : [])].join(',')
}

/** M/D/YYYY, in UTC. */
function dayOf(timeMs: number): string {
  const date = new Date(timeMs)
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
}

const hitsOf = (items: readonly unknown[], source: SearchSource) =>
  hitsFrom(items, Item, ({ title, link, snippet, date, ...image }) => ({
    url: link,
    title,
    description: snippet,
    date,
    ...(source === 'images' && image),
    // The pictures beside news come as data, mostly; only addresses are kept.
    ...(source === 'news' && { imageUrl: image.imageUrl }),
  }))

/** It answers 403 for a wrong key and 400 when the credits are gone. */
function faultOf({ status, text: said }: ApiAnswer): SearchFault | undefined {
  if (status === 403) return 'bad key'
  return status === 400 && /credit/i.test(said) ? 'quota used up' : undefined
}
