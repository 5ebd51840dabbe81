import { z } from 'zod'
import type { SearchQuery } from '../../../contracts/search-port.ts'
import { defineProvider, inOneCall, inPages } from './shared/define-provider.ts'
import { contactHeader, number, parseMediaWiki, readHits, text } from './shared/read-hits.ts'
import { scopeOf } from './shared/search-scope.ts'

const maxResults = 50

const Info = z.object({ url: z.string(), descriptionurl: z.string(), width: z.number(), height: z.number() })
const Page = z.object({ title: z.string(), index: z.number(), imageinfo: z.tuple([Info], z.unknown()) })

/** Wikimedia Commons images with exact sizes: https://www.mediawiki.org/wiki/Help:CirrusSearch. */
export const commons = defineProvider({
  name: 'commons',
  rank: 'after results pages',
  uses: 'contactEmail',
  docs: { finds: 'images with exact sizes' },
  baseUrl: 'https://commons.wikimedia.org',
  sources: ['images'],
  operators: ['phrase', 'without', 'inTitle', 'imageSize', 'larger'],
  operatorsInText: ['phrase', 'without', 'inTitle'],
  period: 'none',
  site: 'commons.wikimedia.org',
  search: inOneCall({
    call: ({ baseUrl, contactEmail, words, request: { query, limit } }) => ({
      url: `${baseUrl}/w/api.php`,
      headers: contactHeader(contactEmail),
      parameters: {
        action: 'query',
        format: 'json',
        formatversion: 2,
        generator: 'search',
        gsrnamespace: 6,
        gsrsearch: `filetype:bitmap|drawing ${words(query)}${sizesOf(query)}`,
        gsrlimit: Math.min(maxResults, limit),
        prop: 'imageinfo',
        iiprop: 'url|size',
      },
    }),
    read: readHits({
      parse: parseMediaWiki,
      // A response without images has no `query`.
      body: z.union([
        z.object({ query: z.object({ pages: z.array(z.unknown()) }) }),
        z.object({ batchcomplete: z.literal(true) }),
      ]),
      // The generator returns pages sorted by id; `index` is the rank.
      items: (found) => ('query' in found ? found.query.pages.toSorted((a, b) => rankOf(a) - rankOf(b)) : []),
      item: Page,
      toHit: ({ title, imageinfo: [info] }) => ({
        url: info.descriptionurl,
        title: title.replace(/^[^:]+:/, '').replace(/\.\w{2,5}$/, ''),
        imageUrl: info.url,
        imageWidth: info.width,
        imageHeight: info.height,
      }),
    }),
  }),
})

/** Returns the size filters of Commons. `filew:>n` excludes n itself. */
function sizesOf({ imageSize, larger }: SearchQuery): string {
  const exact = imageSize ? ` filew:${imageSize.width} fileh:${imageSize.height}` : ''
  return larger ? `${exact} filew:>${larger.width - 1} fileh:>${larger.height - 1}` : exact
}

const rankOf = (page: unknown): number => Page.pick({ index: true }).safeParse(page).data?.index ?? Infinity

/** Maximum page size without an account. */
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
