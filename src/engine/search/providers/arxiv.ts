import { ProviderError, type SearchQuery } from '../../../contracts/search-port.ts'
import { digitsOf, type Range, requireWords } from './shared/search-scope.ts'
import { defineProvider, inOneCall } from './shared/define-provider.ts'
import { fromHtml, feedShape, readHits } from './shared/read-hits.ts'

const maxResults = 100

/** arXiv papers: https://info.arxiv.org/help/api/user-manual.html. */
export const arxiv = defineProvider({
  name: 'arxiv',
  rank: 'after results pages',
  docs: { finds: 'papers for `research`, their PDFs for `pdf`', limits: '1 request in 3 s', time: 'exact' },
  baseUrl: 'https://export.arxiv.org',
  sources: ['web'],
  categories: ['research', 'pdf'],
  operators: ['phrase', 'without', 'inTitle'],
  period: 'exact',
  site: 'arxiv.org',
  pace: () => ({ count: 1, perMs: 3000 }),
  search: inOneCall({
    call: ({ baseUrl, request, range, newestFirst }) => ({
      url: `${baseUrl}/api/query`,
      headers: { accept: 'application/atom+xml' },
      parameters: {
        search_query: expressionOf(request.query, range),
        max_results: Math.min(maxResults, request.limit),
        sortBy: newestFirst ? 'submittedDate' : 'relevance',
        sortOrder: 'descending',
      },
    }),
    read: readHits({
      ...feedShape,
      toHit({ title, link = '', content, date }, { request }) {
        if (link.includes('/api/errors'))
          throw new ProviderError('refused', 'It does not take this request.', { pauseMs: 0 })
        const url = link.replace(/^http:/, 'https:')
        return {
          url: request.category === 'pdf' ? url.replace('/abs/', '/pdf/') : url,
          title: fromHtml(title),
          description: fromHtml(content),
          date,
        }
      },
    }),
  }),
})

function expressionOf(query: SearchQuery, range: Range | undefined): string {
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
