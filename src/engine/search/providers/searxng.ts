import { z } from 'zod'
import { ProviderError, type SearchRequest } from '../../../contracts/search-port.ts'
import { parseJson } from './shared/call-api.ts'
import { spanOf, languageOf, requireWords, scopeOf } from './shared/search-scope.ts'
import { type Context, defineProvider, inPages } from './shared/define-provider.ts'
import { fromHtml, readHits, text } from './shared/read-hits.ts'

const categories = { web: 'general', news: 'news', images: 'images' } as const

/**
 * The operator's own SearXNG server: https://docs.searxng.org/dev/search_api.html. Its settings must list `json` under
 * `search.formats`.
 */
export const searxng = defineProvider({
  name: 'searxng',
  rank: 'before results pages',
  needs: { setting: 'searxngUrl', source: 'your own server; may be a private address', option: 'baseUrl' },
  docs: { finds: 'the web, news and images', time: 'day, week, month, year', location: 'language; the city as a word' },
  sources: ['web', 'news', 'images'],
  // SearXNG passes the query through; most engines behind it support these.
  operators: ['phrase', 'without', 'site', 'filetype', 'inTitle'],
  period: 'by the day',
  supportsLocation: true,
  errorKindOf: ({ status }) => (status === 403 ? 'json disabled' : undefined),
  // The page size depends on which engines respond.
  search: inPages('as the first', {
    call: (context) => ({
      url: `${context.baseUrl.replace(/\/(?:search\/?)?$/, '')}/search`,
      parameters: parametersOf(context),
    }),
    read: readHits({
      parse(body) {
        if (!/^\s*</.test(body)) return parseJson(body)
        throw new ProviderError('bot challenge', 'It answered with a page instead of data: its bot limiter may be on.')
      },
      body: z.object({ results: z.array(z.unknown()), unresponsive_engines: z.array(z.unknown()).nullish() }),
      items({ results, unresponsive_engines: unresponsive }) {
        if (results.length === 0 && unresponsive?.length)
          throw new ProviderError(
            'engines unresponsive',
            `None of its engines had an answer; ${unresponsive.length} did not respond.`,
          )
        return results
      },
      item: z.object({
        url: z.string(),
        title: text,
        content: text,
        publishedDate: text,
        img_src: text,
        thumbnail: text,
        resolution: text,
      }),
      toHit(item, { request: { source } }) {
        const [, width, height] = /(\d{1,5})\s*[x×*]\s*(\d{1,5})/i.exec(item.resolution ?? '') ?? []
        return {
          url: item.url,
          title: fromHtml(item.title ?? ''),
          ...(source !== 'images' && { description: fromHtml(item.content ?? ''), date: item.publishedDate }),
          ...(source !== 'web' && { imageUrl: item.img_src || item.thumbnail }),
          ...(source === 'images' && width !== undefined && { imageWidth: Number(width), imageHeight: Number(height) }),
        }
      },
      isLast: (_, { hits }) => hits === 0,
    }),
  }),
})

function parametersOf({ request, page, words: wordsOf }: Context): Record<string, string | number | undefined> {
  const { query, ...domains } = scopeOf(request)
  const words = requireWords(withoutCommands(wordsOf(query, domains)))
  // SearXNG has no location parameter, so the city becomes a search term.
  const [city = ''] = request.location?.split(',') ?? []
  return {
    q: `${words} ${city}`.trim(),
    format: 'json',
    categories: categories[request.source],
    language: languageTag(request),
    time_range: spanOf(request.period),
    ...(page > 0 && { pageno: page + 1 }),
  }
}

/**
 * Returns the language to request; undefined if the server's own setting should apply: without a language, and for US,
 * which is the default country.
 */
function languageTag({ language, country }: SearchRequest): string | undefined {
  if (language === undefined) return country === 'US' ? undefined : `${languageOf({ language, country })}-${country}`
  const [, main = '', region] = /^([a-z]{2,3})(?:[-_]([a-z]{2}))?$/i.exec(language) ?? []
  if (main === '') return undefined
  return region === undefined ? main.toLowerCase() : `${main.toLowerCase()}-${region.toUpperCase()}`
}

/**
 * Quotes words that look like SearXNG commands for engines, languages and time limits (`!x`, `?x`, `:de`, `<3`).
 * SearXNG parses commands within a phrase too, so their sign is removed there; engines ignore it anyway.
 */
function withoutCommands(words: string): string {
  return words
    .split('"')
    .map((part, index) =>
      index % 2 === 1
        ? part.replace(/(?<=\s)[!?:<]+/g, '')
        : part.replace(/(?<!\S)[!?:<]\S*/g, (word) => (/^[!?:<]+$/.test(word) ? '' : `"${word}"`)),
    )
    .join('"')
}
