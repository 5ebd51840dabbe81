import {
  ProviderError,
  type SearchHit,
  type SearchOperator,
  type SearchProvider,
  type SearchRequest,
} from '../../../contracts/search.ts'
import { xmlFeed } from '../../document/feed/feed-xml.ts'
import { type Api, callApi, buildUrl } from './shared/call-api.ts'
import { type Span, spanOf } from './shared/dates.ts'
import { toHit } from './shared/hits.ts'
import { languageOf } from './shared/locale.ts'
import { scopeOf, requireWords } from './shared/scope.ts'
import { fromHtml } from './shared/plain-text.ts'
import { toText } from '../query/to-text.ts'
import type { OpenProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'site'])
const intervals: Partial<Record<Span, string>> = { day: '7', week: '8', month: '9' }

/** The RSS feed of Bing News, which needs no key: about a dozen articles. */
export function newsRss(api: Api, { baseUrl = 'https://www.bing.com' }: { baseUrl?: string } = {}): SearchProvider {
  return {
    name: 'bing-news',
    sources: new Set(['news']),
    operators,
    period: 'by the day',
    weight: 0.6,
    async search(request) {
      const url = buildUrl(`${baseUrl}/news/search`, parametersOf(request))
      const headers = { accept: 'application/rss+xml, application/xml;q=0.9' }
      const { text } = await callApi(api, { url, method: 'GET', headers, signal: request.signal })
      return parseArticles(text)
    },
  }
}

function parametersOf(request: SearchRequest): Record<string, string | undefined> {
  const { query, ...domains } = scopeOf(request)
  const interval = intervals[spanOf(request.period) ?? 'year']
  const order = request.period?.sort === 'date' ? ['sortbydate="1"'] : []
  const filters = [...(interval === undefined ? [] : [`interval="${interval}"`]), ...order]
  return {
    q: requireWords(toText(query, operators, domains)),
    format: 'rss',
    setmkt: `${languageOf(request)}-${request.country}`,
    qft: filters.length === 0 ? undefined : filters.join(' '),
  }
}

function parseArticles(text: string): SearchHit[] {
  if (/^\s*(?:<!doctype html|<html)/i.test(text))
    throw new ProviderError('bot challenge', 'It answered with a page instead of a feed.')
  const feed = xmlFeed(text)
  if (!feed) throw new ProviderError('unreadable answer', 'It did not answer with a feed.')
  const hits = feed.items.flatMap(({ title, link = '', content, date }) =>
    toHit({ url: targetOf(link), title: fromHtml(title), description: fromHtml(content), date }),
  )
  if (feed.items.length > 0 && hits.length === 0)
    throw new ProviderError('unreadable answer', 'None of its results has a URL.')
  return hits
}

/** Links go through a click tracker. */
function targetOf(link: string): string {
  const url = URL.parse(link)
  return (url?.pathname.endsWith('/apiclick.aspx') && url.searchParams.get('url')) || link
}

export const newsRssEntry: OpenProviderEntry = {
  rank: 'after results pages',
  docs: { finds: "Bing's news feed, about a dozen articles", time: 'day, week, month', location: 'language, country' },
  create: (api) => newsRss(api),
}
