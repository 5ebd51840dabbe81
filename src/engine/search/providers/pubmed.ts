import { z } from 'zod'
import {
  ProviderError,
  type SearchHit,
  type SearchOperator,
  type SearchProvider,
  type SearchQuery,
  type SearchRequest,
} from '../../../contracts/search.ts'
import { type Api, callJsonApi, buildUrl } from './shared/call-api.ts'
import { dayOf, rangeOf } from './shared/dates.ts'
import { parseHits, parseResponse } from './shared/hits.ts'
import { createPacer } from './shared/pacer.ts'
import { requireSite, requireWords } from './shared/scope.ts'
import { fromHtml } from './shared/plain-text.ts'
import type { OpenProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set(['phrase', 'without', 'inTitle'])
const maxResults = 100

const text = z.string().nullish()
const Found = z.object({ esearchresult: z.object({ idlist: z.array(z.string()).nullish(), ERROR: text }) })
const Summaries = z.object({ result: z.looseObject({ uids: z.array(z.string()) }) })
const Summary = z.object({
  uid: z.string(),
  title: z.string(),
  source: text,
  sortpubdate: text,
  authors: z.array(z.object({ name: z.string() })).nullish(),
})

/** Medical papers: https://www.ncbi.nlm.nih.gov/books/NBK25499/. Two requests a search, three in a second. */
export function pubmed(
  api: Api,
  {
    contactEmail,
    baseUrl = 'https://eutils.ncbi.nlm.nih.gov',
  }: { contactEmail?: string | undefined; baseUrl?: string } = {},
): SearchProvider {
  const pacer = createPacer({ count: 3, perMs: 1000 })
  const callEutils = async (name: string, parameters: Parameters<typeof buildUrl>[1], request: SearchRequest) => {
    const common = { db: 'pubmed', retmode: 'json', tool: 'gossamer', email: contactEmail }
    await pacer.waitTurn(request)
    return callJsonApi(api, {
      url: buildUrl(`${baseUrl}/entrez/eutils/${name}.fcgi`, { ...common, ...parameters }),
      method: 'GET',
      signal: request.signal,
    })
  }
  return {
    name: 'pubmed',
    sources: new Set(['web']),
    categories: new Set(['research']),
    operators,
    period: 'by the day',
    weight: 0.6,
    async search(request) {
      requireSite(request, 'pubmed.ncbi.nlm.nih.gov')
      const ids = parseIds(await callEutils('esearch', parametersOf(request), request))
      return ids.length === 0 ? [] : parseSummaries(await callEutils('esummary', { id: ids.join(',') }, request))
    },
  }
}

function parametersOf({ query, period, limit }: SearchRequest): Record<string, string | number | undefined> {
  const range = rangeOf(period)
  return {
    term: requireWords(termOf(query)),
    retmax: Math.min(maxResults, limit),
    sort: period?.sort === 'date' ? 'pub_date' : 'relevance',
    ...(range && { datetype: 'pdat', mindate: slashed(range.from), maxdate: slashed(range.to) }),
  }
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

function parseIds(response: unknown): readonly string[] {
  const { idlist, ERROR: error } = parseResponse(response, Found).esearchresult
  if (error) throw new ProviderError('refused', 'It does not take this request.', { pauseMs: 0 })
  if (!idlist) throw new ProviderError('unreadable answer', 'Its answer does not have the documented shape.')
  return idlist
}

function parseSummaries(response: unknown): SearchHit[] {
  const { uids, ...byId } = parseResponse(response, Summaries).result
  const summaries = uids.map((uid) => byId[uid])
  return parseHits(summaries, Summary, ({ uid, title, source, sortpubdate, authors }) => ({
    url: `https://pubmed.ncbi.nlm.nih.gov/${uid}/`,
    title: fromHtml(title),
    description: [authorsOf(authors ?? []), source].filter(Boolean).join('. '),
    date: sortpubdate?.slice(0, 10).replaceAll('/', '-'),
  }))
}

const authorsOf = (authors: readonly { name: string }[]) =>
  authors.length > 3 ? `${authors[0]?.name} et al` : authors.map(({ name }) => name).join(', ')

export const pubmedEntry: OpenProviderEntry = {
  rank: 'after results pages',
  uses: 'contactEmail',
  docs: { finds: 'medical papers, for `research`', limits: '3 requests a second; a search is two', time: 'days' },
  create: (api, { contactEmail }) => pubmed(api, { contactEmail }),
}
