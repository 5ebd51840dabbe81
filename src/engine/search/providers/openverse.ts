import { z } from 'zod'
import type { SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search.ts'
import { type Api, callJsonApi, buildUrl } from './shared/call-api.ts'
import { parseHits, parseResponse } from './shared/hits.ts'
import { createPacer } from './shared/pacer.ts'
import { fetchPages, type ResultPage } from './shared/paging.ts'
import { scopeOf, requireWords } from './shared/scope.ts'
import { toText } from '../query/to-text.ts'
import type { OpenProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without'])
/** Larger pages need an account. */
const perPage = 20

const size = z.number().nullish()
const ResponseBody = z.object({ results: z.array(z.unknown()), page_count: z.number().nullish() })
const Image = z.object({
  title: z.string().nullish(),
  url: z.string(),
  foreign_landing_url: z.string().nullish(),
  width: size,
  height: size,
})

/** Openly licensed images: https://api.openverse.org/v1/. 20 requests a minute without an account. */
export function openverse(
  api: Api,
  { baseUrl = 'https://api.openverse.org' }: { baseUrl?: string } = {},
): SearchProvider {
  const pacer = createPacer({ count: 20, perMs: 60_000 })
  const fetchPage =
    (request: SearchRequest) =>
    async (page: number): Promise<ResultPage> => {
      const q = requireWords(toText(scopeOf(request).query, operators).replaceAll(' OR ', ' | '))
      const url = buildUrl(`${baseUrl}/v1/images/`, { q, page: page + 1, page_size: perPage })
      await pacer.waitTurn(request)
      const response = parseResponse(
        await callJsonApi(api, { url, method: 'GET', signal: request.signal }),
        ResponseBody,
      )
      const hits = parseHits(response.results, Image, (image) => ({
        url: image.foreign_landing_url || image.url,
        title: image.title ?? '',
        imageUrl: image.url,
        imageWidth: image.width,
        imageHeight: image.height,
      }))
      return { hits, isLast: page + 1 >= (response.page_count ?? 1) }
    }
  return {
    name: 'openverse',
    sources: new Set(['images']),
    operators,
    period: 'none',
    weight: 0.6,
    search: (request) => fetchPages(request, perPage, fetchPage(request)),
  }
}

export const openverseEntry: OpenProviderEntry = {
  rank: 'after results pages',
  docs: { finds: 'images under free licences', limits: '20 requests a minute' },
  create: (api) => openverse(api),
}
