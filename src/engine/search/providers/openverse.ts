import { z } from 'zod'
import { defineProvider, inPages } from './shared/define-provider.ts'
import { number, readHits, text } from './shared/read-hits.ts'
import { scopeOf } from './shared/search-scope.ts'

/** Larger pages require an account. */
const perPage = 20

/** Openly licensed images: https://api.openverse.org/v1/. */
export const openverse = defineProvider({
  name: 'openverse',
  rank: 'after results pages',
  docs: { finds: 'images under free licences', limits: '20 requests a minute' },
  baseUrl: 'https://api.openverse.org',
  sources: ['images'],
  operators: ['phrase', 'without'],
  period: 'none',
  pace: () => ({ count: 20, perMs: 60_000 }),
  search: inPages(perPage, {
    call: ({ baseUrl, request, page, words }) => ({
      url: `${baseUrl}/v1/images/`,
      parameters: {
        q: words(scopeOf(request).query).replaceAll(' OR ', ' | '),
        page: page + 1,
        page_size: perPage,
      },
    }),
    read: readHits({
      body: z.object({ results: z.array(z.unknown()), page_count: number }),
      items: ({ results }) => results,
      item: z.object({ title: text, url: z.string(), foreign_landing_url: text, width: number, height: number }),
      toHit: (image) => ({
        url: image.foreign_landing_url || image.url,
        title: image.title ?? '',
        imageUrl: image.url,
        imageWidth: image.width,
        imageHeight: image.height,
      }),
      isLast: ({ page_count: pages }, { nth }) => nth + 1 >= (pages ?? 1),
    }),
  }),
})
