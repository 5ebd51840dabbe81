import { z } from 'zod'
import type { SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search.ts'
import { type Api, askJson } from '../provider/ask.ts'
import { hitsFrom, shaped } from '../provider/hits.ts'
import { createPacer } from '../provider/pacer.ts'
import { paged, type ResultPage } from '../provider/pages.ts'
import { urlOf } from '../provider/places.ts'
import { scopeOf, someWords } from '../provider/scope.ts'
import { toText } from '../query/to-text.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without'])
/** More needs an account. */
const perPage = 20

const size = z.number().nullish()
const Answer = z.object({ results: z.array(z.unknown()), page_count: z.number().nullish() })
const Picture = z.object({
  title: z.string().nullish(),
  url: z.string(),
  foreign_landing_url: z.string().nullish(),
  width: size,
  height: size,
})

/** Pictures under free licences: https://api.openverse.org/v1/. 20 requests a minute without an account. */
export function openverse(
  api: Api,
  { baseUrl = 'https://api.openverse.org' }: { baseUrl?: string } = {},
): SearchProvider {
  const pacer = createPacer({ count: 20, perMs: 60_000 })
  const pageAt =
    (request: SearchRequest) =>
    async (page: number): Promise<ResultPage> => {
      const q = someWords(toText(scopeOf(request).query, operators).replaceAll(' OR ', ' | '))
      const url = urlOf(`${baseUrl}/v1/images/`, { q, page: page + 1, page_size: perPage })
      await pacer.turn(request)
      const answer = shaped(await askJson(api, { url, method: 'GET', signal: request.signal }), Answer)
      const hits = hitsFrom(answer.results, Picture, (picture) => ({
        url: picture.foreign_landing_url || picture.url,
        title: picture.title ?? '',
        imageUrl: picture.url,
        imageWidth: picture.width,
        imageHeight: picture.height,
      }))
      return { hits, isLast: page + 1 >= (answer.page_count ?? 1) }
    }
  return {
    name: 'openverse',
    sources: new Set(['images']),
    operators,
    period: 'none',
    weight: 0.6,
    search: (request) => paged(request, perPage, pageAt(request)),
  }
}
