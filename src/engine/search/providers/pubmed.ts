import { z } from 'zod'
import {
  SearchError,
  type SearchHit,
  type SearchOperator,
  type SearchProvider,
  type SearchQuery,
  type SearchRequest,
} from '../../../contracts/search.ts'
import { type Api, askJson } from '../provider/ask.ts'
import { dayOf, rangeOf } from '../provider/dates.ts'
import { hitsFrom, shaped } from '../provider/hits.ts'
import { createPacer } from '../provider/pacer.ts'
import { urlOf } from '../provider/places.ts'
import { requireSite, someWords } from '../provider/scope.ts'
import { fromHtml } from '../provider/text.ts'

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
  const askFor = async (name: string, parameters: Parameters<typeof urlOf>[1], request: SearchRequest) => {
    const known = { db: 'pubmed', retmode: 'json', tool: 'gossamer', email: contactEmail }
    await pacer.turn(request)
    return askJson(api, {
      url: urlOf(`${baseUrl}/entrez/eutils/${name}.fcgi`, { ...known, ...parameters }),
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
      const ids = idsIn(await askFor('esearch', parametersOf(request), request))
      return ids.length === 0 ? [] : summariesIn(await askFor('esummary', { id: ids.join(',') }, request))
    },
  }
}

function parametersOf({ query, period, limit }: SearchRequest): Record<string, string | number | undefined> {
  const range = rangeOf(period)
  return {
    term: someWords(termOf(query)),
    retmax: Math.min(maxResults, limit),
    sort: period?.sort === 'date' ? 'pub_date' : 'relevance',
    ...(range && { datetype: 'pdat', mindate: slashed(range.from), maxdate: slashed(range.to) }),
  }
}

const slashed = (timeMs: number) => dayOf(timeMs).replaceAll('-', '/')

function termOf({ terms, phrases, without, inTitle, isAny }: SearchQuery): string {
  const words = [...terms.map(bare).filter(Boolean), ...phrases.map((phrase) => `"${bare(phrase)}"`)]
  const wanted = [
    words.length > 1 && isAny ? `(${words.join(' OR ')})` : words.join(' AND '),
    ...inTitle.map((title) => `"${bare(title)}"[ti]`),
  ].filter(Boolean)
  return wanted.length === 0 ? '' : [wanted.join(' AND '), ...without.map((word) => `"${bare(word)}"`)].join(' NOT ')
}

/** Brackets and quotes are its syntax. */
const bare = (words: string) => words.replace(/["()[\]:]+/g, ' ').trim()

function idsIn(answer: unknown): readonly string[] {
  const { idlist, ERROR: error } = shaped(answer, Found).esearchresult
  if (error) throw new SearchError('refused', 'It does not take this request.', { pauseMs: 0 })
  if (!idlist) throw new SearchError('unreadable answer', 'Its answer does not have the documented shape.')
  return idlist
}

function summariesIn(answer: unknown): SearchHit[] {
  const { uids, ...byId } = shaped(answer, Summaries).result
  const summaries = uids.map((uid) => byId[uid])
  return hitsFrom(summaries, Summary, ({ uid, title, source, sortpubdate, authors }) => ({
    url: `https://pubmed.ncbi.nlm.nih.gov/${uid}/`,
    title: fromHtml(title),
    description: [authorsOf(authors ?? []), source].filter(Boolean).join('. '),
    date: sortpubdate?.slice(0, 10).replaceAll('/', '-'),
  }))
}

const authorsOf = (authors: readonly { name: string }[]) =>
  authors.length > 3 ? `${authors[0]?.name} et al` : authors.map(({ name }) => name).join(', ')
