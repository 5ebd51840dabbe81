import { ProviderError, type SearchQuery } from '../../../contracts/search-port.ts'
import { dayOf, digitsOf, type Range, requireWords } from './shared/search-scope.ts'
import { type Call, type Context, defineProvider, inOneCall } from './shared/define-provider.ts'
import { feedShape, fromHtml, parseResponse, readHits, text } from './shared/read-hits.ts'
import { z } from 'zod'
import { parseJson } from './shared/call-api.ts'

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
  return [required, ...query.without.map((words) => `all:"${withoutArxivSyntax(words)}"`)].join(' ANDNOT ')
}

function wordsOf({ terms, phrases, inTitle, isAny }: SearchQuery): string {
  const words = [
    ...terms.map(withoutArxivSyntax).filter(Boolean),
    ...phrases.map((phrase) => `"${withoutArxivSyntax(phrase)}"`),
  ]
  const any = words.map((word) => `all:${word}`).join(isAny ? ' OR ' : ' AND ')
  return [
    ...(any === '' ? [] : [words.length > 1 ? `(${any})` : any]),
    ...inTitle.map((title) => `ti:"${withoutArxivSyntax(title)}"`),
  ].join(' AND ')
}

/** Removes characters of arXiv's query syntax, which has no escapes. */
const withoutArxivSyntax = (words: string) =>
  words
    .replace(/[^\p{L}\p{N}\p{M}.+-]+/gu, ' ')
    .replace(/^[\s+-]+/, '')
    .trim()

const minutesOf = (timeMs: number) => digitsOf(timeMs).slice(0, 12)

const texts = z.array(z.string()).nullish()

/**
 * Publications with a DOI: https://api.crossref.org/swagger-ui. Requests with a contact email use a more reliable pool.
 */
export const crossref = defineProvider({
  name: 'crossref',
  rank: 'after results pages',
  uses: 'contactEmail',
  docs: { finds: 'publications with a DOI, for `research`', limits: '1 a second, 3 with `contactEmail`', time: 'days' },
  baseUrl: 'https://api.crossref.org',
  sources: ['web'],
  categories: ['research'],
  operators: [],
  period: 'by the day',
  site: 'doi.org',
  pace: ({ contactEmail }) => ({ count: contactEmail === undefined ? 1 : 3, perMs: 1000 }),
  search: inOneCall({
    call: ({ baseUrl, contactEmail, words, range, newestFirst, request: { query, limit } }) => ({
      url: `${baseUrl}/works`,
      parameters: {
        query: words({ ...query, isAny: false }),
        rows: Math.min(maxResults, limit),
        select: 'DOI,title,abstract,issued,container-title',
        filter: range && `from-pub-date:${dayOf(range.from)},until-pub-date:${dayOf(range.to)}`,
        mailto: contactEmail,
        ...(newestFirst && { sort: 'published', order: 'desc' }),
      },
    }),
    read: readHits({
      body: z.object({ message: z.object({ items: z.array(z.unknown()) }) }),
      items: ({ message }) => message.items,
      item: z.object({
        DOI: z.string(),
        title: texts,
        abstract: text,
        'container-title': texts,
        issued: z.object({ 'date-parts': z.array(z.array(z.number().nullable())) }).nullish(),
      }),
      toHit({ DOI, title, abstract, issued, 'container-title': journals }) {
        const dateParts = issued?.['date-parts'][0]?.filter((part) => part !== null) ?? []
        return {
          url: `https://doi.org/${encodeURI(DOI)}`,
          title: fromHtml(title?.[0] ?? DOI),
          description: fromHtml(abstract ?? journals?.[0] ?? ''),
          date: dateParts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-'),
        }
      },
    }),
  }),
})

const Found = z.object({ esearchresult: z.object({ idlist: z.array(z.string()).nullish(), ERROR: text }) })

/** Medical papers: https://www.ncbi.nlm.nih.gov/books/NBK25499/. Each search is two requests. */
export const pubmed = defineProvider({
  name: 'pubmed',
  rank: 'after results pages',
  uses: 'contactEmail',
  docs: { finds: 'medical papers, for `research`', limits: '3 requests a second; a search is two', time: 'days' },
  baseUrl: 'https://eutils.ncbi.nlm.nih.gov',
  sources: ['web'],
  categories: ['research'],
  operators: ['phrase', 'without', 'inTitle'],
  period: 'by the day',
  site: 'pubmed.ncbi.nlm.nih.gov',
  pace: () => ({ count: 3, perMs: 1000 }),
  async search(request, ask) {
    const ids = await ask({ call: findCall, read: readIds }, request)
    return ids.length === 0 ? [] : summariesOf(ids)(request, ask)
  },
})

const callFor = ({ baseUrl, contactEmail }: Context, name: string, parameters: Call['parameters']): Call => ({
  url: `${baseUrl}/entrez/eutils/${name}.fcgi`,
  parameters: { db: 'pubmed', retmode: 'json', tool: 'gossamer', email: contactEmail, ...parameters },
})

function findCall(context: Context): Call {
  const { range, newestFirst, request } = context
  return callFor(context, 'esearch', {
    term: requireWords(termOf(request.query)),
    retmax: Math.min(maxResults, request.limit),
    sort: newestFirst ? 'pub_date' : 'relevance',
    ...(range && { datetype: 'pdat', mindate: slashed(range.from), maxdate: slashed(range.to) }),
  })
}

const slashed = (timeMs: number) => dayOf(timeMs).replaceAll('-', '/')

function termOf({ terms, phrases, without, inTitle, isAny }: SearchQuery): string {
  const words = [
    ...terms.map(withoutPubmedSyntax).filter(Boolean),
    ...phrases.map((phrase) => `"${withoutPubmedSyntax(phrase)}"`),
  ]
  const required = [
    words.length > 1 && isAny ? `(${words.join(' OR ')})` : words.join(' AND '),
    ...inTitle.map((title) => `"${withoutPubmedSyntax(title)}"[ti]`),
  ].filter(Boolean)
  return required.length === 0
    ? ''
    : [required.join(' AND '), ...without.map((word) => `"${withoutPubmedSyntax(word)}"`)].join(' NOT ')
}

/** Removes the brackets, quotes and colons of PubMed's query syntax. */
const withoutPubmedSyntax = (words: string) => words.replace(/["()[\]:]+/g, ' ').trim()

function readIds(body: string): readonly string[] {
  const { idlist, ERROR: error } = parseResponse(parseJson(body), Found).esearchresult
  if (error) throw new ProviderError('refused', 'It does not take this request.', { pauseMs: 0 })
  if (!idlist) throw new ProviderError('unreadable answer', 'Its answer does not have the documented shape.')
  return idlist
}

const summariesOf = (ids: readonly string[]) =>
  inOneCall({
    call: (context) => callFor(context, 'esummary', { id: ids.join(',') }),
    read: readHits({
      body: z.object({ result: z.looseObject({ uids: z.array(z.string()) }) }),
      items: ({ result: { uids, ...byId } }) => uids.map((uid) => byId[uid]),
      item: z.object({
        uid: z.string(),
        title: z.string(),
        source: text,
        sortpubdate: text,
        authors: z.array(z.object({ name: z.string() })).nullish(),
      }),
      toHit: ({ uid, title, source, sortpubdate, authors }) => ({
        url: `https://pubmed.ncbi.nlm.nih.gov/${uid}/`,
        title: fromHtml(title),
        description: [authorsOf(authors ?? []), source].filter(Boolean).join('. '),
        date: sortpubdate?.slice(0, 10).replaceAll('/', '-'),
      }),
    }),
  })

const authorsOf = (authors: readonly { name: string }[]) =>
  authors.length > 3 ? `${authors[0]?.name} et al` : authors.map(({ name }) => name).join(', ')
