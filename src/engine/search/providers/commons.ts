import { z } from 'zod'
import type { SearchHit, SearchOperator, SearchProvider, SearchQuery } from '../../../contracts/search.ts'
import { buildUrl, type Api } from './shared/call-api.ts'
import { parseHits, parseResponse } from './shared/hits.ts'
import { callMediaWiki, contactHeader } from './shared/mediawiki.ts'
import { requireSite, requireWords } from './shared/scope.ts'
import { toText } from '../query/to-text.ts'
import type { OpenProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'inTitle', 'imageSize', 'larger'])
const inText: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'inTitle'])
const maxResults = 50

/** A response without images has no `query`. */
const ResponseBody = z.union([
  z.object({ query: z.object({ pages: z.array(z.unknown()) }) }),
  z.object({ batchcomplete: z.literal(true) }),
])
const Info = z.object({ url: z.string(), descriptionurl: z.string(), width: z.number(), height: z.number() })
const Page = z.object({ title: z.string(), index: z.number(), imageinfo: z.tuple([Info], z.unknown()) })

/** Images of Wikimedia Commons, with their exact sizes: https://www.mediawiki.org/wiki/Help:CirrusSearch. */
export function commons(
  api: Api,
  {
    contactEmail,
    baseUrl = 'https://commons.wikimedia.org',
  }: { contactEmail?: string | undefined; baseUrl?: string } = {},
): SearchProvider {
  return {
    name: 'commons',
    sources: new Set(['images']),
    operators,
    period: 'none',
    weight: 0.6,
    async search(request) {
      requireSite(request, 'commons.wikimedia.org')
      const url = buildUrl(`${baseUrl}/w/api.php`, {
        action: 'query',
        format: 'json',
        formatversion: 2,
        generator: 'search',
        gsrnamespace: 6,
        gsrsearch: `filetype:bitmap|drawing ${requireWords(toText(request.query, inText))}${sizesOf(request.query)}`,
        gsrlimit: Math.min(maxResults, request.limit),
        prop: 'imageinfo',
        iiprop: 'url|size',
      })
      const headers = contactHeader(contactEmail)
      const response = await callMediaWiki(api, { url, method: 'GET', headers, signal: request.signal })
      return parseImages(response)
    },
  }
}

/** `filew:>n` means more than n. */
function sizesOf({ imageSize, larger }: SearchQuery): string {
  const exact = imageSize ? ` filew:${imageSize.width} fileh:${imageSize.height}` : ''
  return larger ? `${exact} filew:>${larger.width - 1} fileh:>${larger.height - 1}` : exact
}

/** The generator returns pages in the order of their ids; `index` is the rank. */
function parseImages(response: unknown): SearchHit[] {
  const found = parseResponse(response, ResponseBody)
  const pages = 'query' in found ? found.query.pages : []
  const ranked = pages.toSorted((a, b) => rankOf(a) - rankOf(b))
  return parseHits(ranked, Page, ({ title, imageinfo: [info] }) => ({
    url: info.descriptionurl,
    title: title.replace(/^[^:]+:/, '').replace(/\.\w{2,5}$/, ''),
    imageUrl: info.url,
    imageWidth: info.width,
    imageHeight: info.height,
  }))
}

const rankOf = (page: unknown): number => Page.pick({ index: true }).safeParse(page).data?.index ?? Infinity

export const commonsEntry: OpenProviderEntry = {
  rank: 'after results pages',
  uses: 'contactEmail',
  docs: { finds: 'images with exact sizes' },
  create: (api, { contactEmail }) => commons(api, { contactEmail }),
}
