import { ProviderError } from '../../../contracts/search-port.ts'
import { type Span, spanOf, languageOf, scopeOf } from './shared/search-scope.ts'
import { type Context, defineProvider, inOneCall } from './shared/define-provider.ts'
import { fromHtml, feedShape, readHits } from './shared/read-hits.ts'

const intervals: Partial<Record<Span, string>> = { day: '7', week: '8', month: '9' }

/** Bing News RSS feed, which needs no key: about a dozen articles. */
export const newsRss = defineProvider({
  name: 'bing-news',
  rank: 'after results pages',
  docs: { finds: "Bing's news feed, about a dozen articles", time: 'day, week, month', location: 'language, country' },
  baseUrl: 'https://www.bing.com',
  sources: ['news'],
  operators: ['phrase', 'without', 'site'],
  period: 'by the day',
  search: inOneCall({
    call: (context) => ({
      url: `${context.baseUrl}/news/search`,
      headers: { accept: 'application/rss+xml, application/xml;q=0.9' },
      parameters: parametersOf(context),
    }),
    read: readHits({
      ...feedShape,
      parse(text) {
        if (/^\s*(?:<!doctype html|<html)/i.test(text))
          throw new ProviderError('bot challenge', 'It answered with a page instead of a feed.')
        return feedShape.parse(text)
      },
      toHit: ({ title, link = '', content, date }) => ({
        url: targetOf(link),
        title: fromHtml(title),
        description: fromHtml(content),
        date,
      }),
    }),
  }),
})

function parametersOf({ request, words, newestFirst }: Context): Record<string, string | undefined> {
  const { query, ...domains } = scopeOf(request)
  const interval = intervals[spanOf(request.period) ?? 'year']
  const order = newestFirst ? ['sortbydate="1"'] : []
  const filters = [...(interval === undefined ? [] : [`interval="${interval}"`]), ...order]
  return {
    q: words(query, domains),
    format: 'rss',
    setmkt: `${languageOf(request)}-${request.country}`,
    qft: filters.length === 0 ? undefined : filters.join(' '),
  }
}

/** Links point to a click tracker. */
function targetOf(link: string): string {
  const url = URL.parse(link)
  return (url?.pathname.endsWith('/apiclick.aspx') && url.searchParams.get('url')) || link
}
