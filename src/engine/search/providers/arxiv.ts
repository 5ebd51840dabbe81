import {
  ProviderError,
  type SearchHit,
  type SearchOperator,
  type SearchProvider,
  type SearchQuery,
  type SearchRequest,
} from '../../../contracts/search.ts'
import { type FeedItem, xmlFeed } from '../../document/feed/feed-xml.ts'
import { type Api, callApi, buildUrl } from './shared/call-api.ts'
import { digitsOf, rangeOf } from './shared/dates.ts'
import { toHit } from './shared/hits.ts'
import { createPacer } from './shared/pacer.ts'
import { requireSite, requireWords } from './shared/scope.ts'
import { fromHtml } from './shared/plain-text.ts'
import type { OpenProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'inTitle'])
const maxResults = 100

/** Papers of arXiv: https://info.arxiv.org/help/api/user-manual.html. One request in three seconds. */
export function arxiv(api: Api, { baseUrl = 'https://export.arxiv.org' }: { baseUrl?: string } = {}): SearchProvider {
  const pacer = createPacer({ count: 1, perMs: 3000 })
  return {
    name: 'arxiv',
    sources: new Set(['web']),
    categories: new Set(['research', 'pdf']),
    operators,
    period: 'exact',
    weight: 0.6,
    async search(request) {
      requireSite(request, 'arxiv.org')
      const url = buildUrl(`${baseUrl}/api/query`, {
        search_query: expressionOf(request),
        max_results: Math.min(maxResults, request.limit),
        sortBy: request.period?.sort === 'date' ? 'submittedDate' : 'relevance',
        sortOrder: 'descending',
      })
      await pacer.waitTurn(request)
      const headers = { accept: 'application/atom+xml' }
      const { text } = await callApi(api, { url, method: 'GET', headers, signal: request.signal })
      return hitsOf(text, request)
    },
  }
}

function expressionOf({ query, period }: SearchRequest): string {
  const range = rangeOf(period)
  const times = range ? [`submittedDate:[${minutesOf(range.from)} TO ${minutesOf(range.to)}]`] : []
  const required = [requireWords(wordsOf(query)), ...times].join(' AND ')
  return [required, ...query.without.map((words) => `all:"${withoutSyntax(words)}"`)].join(' ANDNOT ')
}

function wordsOf({ terms, phrases, inTitle, isAny }: SearchQuery): string {
  const words = [...terms.map(withoutSyntax).filter(Boolean), ...phrases.map((phrase) => `"${withoutSyntax(phrase)}"`)]
  const any = words.map((word) => `all:${word}`).join(isAny ? ' OR ' : ' AND ')
  return [
    ...(any === '' ? [] : [words.length > 1 ? `(${any})` : any]),
    ...inTitle.map((title) => `ti:"${withoutSyntax(title)}"`),
  ].join(' AND ')
}

/** arXiv's query syntax has no escapes. */
const withoutSyntax = (text: string) =>
  text
    .replace(/[^\p{L}\p{N}\p{M}.+-]+/gu, ' ')
    .replace(/^[\s+-]+/, '')
    .trim()

const minutesOf = (timeMs: number) => digitsOf(timeMs).slice(0, 12)

function hitsOf(xml: string, { category }: SearchRequest): SearchHit[] {
  const feed = xmlFeed(xml)
  if (!feed) throw new ProviderError('unreadable answer', 'It did not answer with a feed.')
  if (feed.items.some(({ link = '' }) => link.includes('/api/errors')))
    throw new ProviderError('refused', 'It does not take this request.', { pauseMs: 0 })
  const hits = feed.items.flatMap((item) => toHit({ ...toRawHit(item), url: urlOf(item, category) }))
  if (feed.items.length > 0 && hits.length === 0)
    throw new ProviderError('unreadable answer', 'None of its results has a URL.')
  return hits
}

const toRawHit = ({ title, content, date }: FeedItem) => ({
  title: fromHtml(title),
  description: fromHtml(content),
  date,
})

function urlOf({ link = '' }: FeedItem, category: SearchRequest['category']): string {
  const url = link.replace(/^http:/, 'https:')
  return category === 'pdf' ? url.replace('/abs/', '/pdf/') : url
}

export const arxivEntry: OpenProviderEntry = {
  rank: 'after results pages',
  docs: { finds: 'papers for `research`, their PDFs for `pdf`', limits: '1 request in 3 s', time: 'exact' },
  create: (api) => arxiv(api),
}
