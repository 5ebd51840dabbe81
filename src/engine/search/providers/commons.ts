import { z } from 'zod'
import type { SearchHit, SearchOperator, SearchProvider, SearchQuery } from '../../../contracts/search.ts'
import type { Api } from '../provider/ask.ts'
import { hitsFrom, shaped } from '../provider/hits.ts'
import { askMediaWiki, contactHeader } from '../provider/mediawiki.ts'
import { urlOf } from '../provider/places.ts'
import { requireSite, someWords } from '../provider/scope.ts'
import { toText } from '../query/to-text.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'inTitle', 'imageSize', 'larger'])
const inText: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'inTitle'])
const maxResults = 50

/** Without any picture there is no `query`. */
const Answer = z.union([
  z.object({ query: z.object({ pages: z.array(z.unknown()) }) }),
  z.object({ batchcomplete: z.literal(true) }),
])
const Info = z.object({ url: z.string(), descriptionurl: z.string(), width: z.number(), height: z.number() })
const Page = z.object({ title: z.string(), index: z.number(), imageinfo: z.tuple([Info], z.unknown()) })

/** Pictures of Wikimedia Commons, with their exact sizes: https://www.mediawiki.org/wiki/Help:CirrusSearch. */
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
      const url = urlOf(`${baseUrl}/w/api.php`, {
        action: 'query',
        format: 'json',
        formatversion: 2,
        generator: 'search',
        gsrnamespace: 6,
        gsrsearch: `filetype:bitmap|drawing ${someWords(toText(request.query, inText))}${sizesOf(request.query)}`,
        gsrlimit: Math.min(maxResults, request.limit),
        prop: 'imageinfo',
        iiprop: 'url|size',
      })
      const headers = contactHeader(contactEmail)
      const answer = await askMediaWiki(api, { url, method: 'GET', headers, signal: request.signal })
      return picturesIn(answer)
    },
  }
}

/** `filew:>n` means more than n. */
function sizesOf({ imageSize, larger }: SearchQuery): string {
  const exact = imageSize ? ` filew:${imageSize.width} fileh:${imageSize.height}` : ''
  return larger ? `${exact} filew:>${larger.width - 1} fileh:>${larger.height - 1}` : exact
}

/** The generator answers in the order of page ids; `index` is the rank. */
function picturesIn(answer: unknown): SearchHit[] {
  const found = shaped(answer, Answer)
  const pages = 'query' in found ? found.query.pages : []
  const ranked = pages.toSorted((a, b) => rankOf(a) - rankOf(b))
  return hitsFrom(ranked, Page, ({ title, imageinfo: [info] }) => ({
    url: info.descriptionurl,
    title: title.replace(/^[^:]+:/, '').replace(/\.\w{2,5}$/, ''),
    imageUrl: info.url,
    imageWidth: info.width,
    imageHeight: info.height,
  }))
}

const rankOf = (page: unknown): number => Page.pick({ index: true }).safeParse(page).data?.index ?? Infinity
