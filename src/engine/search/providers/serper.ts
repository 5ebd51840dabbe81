import { z } from 'zod'
import type { ProviderErrorKind, SearchSource } from '../../../contracts/search-port.ts'
import type { ApiResponse } from '../../net/http/api-client.ts'
import { type Context, defineProvider, inPages } from './shared/define-provider.ts'
import { number, readHits, text } from './shared/read-hits.ts'
import { scopeOf } from './shared/search-scope.ts'

const perPage = 10
const path: Record<SearchSource, string> = { web: 'search', news: 'news', images: 'images' }
const listName = { web: 'organic', news: 'news', images: 'images' } as const
const list = z.array(z.unknown()).nullish()

/** Serper, Google results: https://serper.dev. Supports Google's operators and time filters. */
export const serper = defineProvider({
  name: 'serper',
  rank: 'before results pages',
  needs: { setting: 'serperKey', source: 'serper.dev', option: 'key' },
  docs: { finds: 'the web, news and images, from Google', time: 'exact', location: 'country, place, language' },
  baseUrl: 'https://google.serper.dev',
  sources: ['web', 'news', 'images'],
  operators: ['phrase', 'without', 'site', 'filetype', 'inUrl', 'inTitle', 'related', 'imageSize', 'larger'],
  period: 'exact',
  supportsLocation: true,
  errorKindOf,
  search: inPages(perPage, {
    call: (context) => ({
      url: `${context.baseUrl}/${path[context.request.source]}`,
      headers: { 'x-api-key': context.key },
      json: bodyOf(context),
    }),
    read: readHits({
      body: z.object({ searchParameters: z.object({}), organic: list, news: list, images: list }),
      items: (body, { request }) => body[listName[request.source]] ?? [],
      item: z.object({
        title: z.string(),
        link: z.string(),
        snippet: text,
        date: text,
        imageUrl: text,
        imageWidth: number,
        imageHeight: number,
      }),
      toHit: ({ title, link, snippet, date, ...image }, { request: { source } }) => ({
        url: link,
        title,
        description: snippet,
        date,
        ...(source === 'images' && image),
        // Thumbnails of news are mostly data URLs; only web URLs are kept.
        ...(source === 'news' && { imageUrl: image.imageUrl }),
      }),
      isLast: (_, { hits }) => hits === 0,
    }),
  }),
})

function bodyOf(context: Context) {
  const { request, page, words } = context
  const { query, ...domains } = scopeOf(request)
  const { country, location, language } = request
  const tbs = timeFilter(context)
  return {
    q: words(query, domains),
    num: perPage,
    page: page + 1,
    gl: country.toLowerCase(),
    ...(language !== undefined && { hl: language.toLowerCase() }),
    ...(location !== undefined && { location }),
    ...(tbs !== '' && { tbs }),
  }
}

function timeFilter({ request: { period }, range, newestFirst }: Context): string {
  const preset = period?.preset ? [`qdr:${period.preset}`] : []
  const span = !period?.preset && range ? ['cdr:1', `cd_min:${dayOf(range.from)}`, `cd_max:${dayOf(range.to)}`] : []
  return [...preset, ...span, ...(newestFirst ? ['sbd:1'] : [])].join(',')
}

/** Formats a date as M/D/YYYY in UTC. */
function dayOf(timeMs: number): string {
  const date = new Date(timeMs)
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
}

/** Returns the kind of an error: status 403 means a wrong key, 400 exhausted credits. */
function errorKindOf({ status, text: body }: ApiResponse): ProviderErrorKind | undefined {
  if (status === 403) return 'bad key'
  return status === 400 && /credit/i.test(body) ? 'quota used up' : undefined
}
