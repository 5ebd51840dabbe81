import { z } from 'zod'
import { ProviderError, type SearchQuery } from '../../../contracts/search-port.ts'
import { parseJson } from './shared/call-api.ts'
import { dayOf, requireWords } from './shared/search-scope.ts'
import { type Call, type Context, defineProvider, inOneCall } from './shared/define-provider.ts'
import { parseResponse, readHits, text, fromHtml } from './shared/read-hits.ts'

const maxResults = 100

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
  const words = [...terms.map(withoutSyntax).filter(Boolean), ...phrases.map((phrase) => `"${withoutSyntax(phrase)}"`)]
  const required = [
    words.length > 1 && isAny ? `(${words.join(' OR ')})` : words.join(' AND '),
    ...inTitle.map((title) => `"${withoutSyntax(title)}"[ti]`),
  ].filter(Boolean)
  return required.length === 0
    ? ''
    : [required.join(' AND '), ...without.map((word) => `"${withoutSyntax(word)}"`)].join(' NOT ')
}

/** Brackets and quotes are part of its query syntax. */
const withoutSyntax = (words: string) => words.replace(/["()[\]:]+/g, ' ').trim()

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
