import { z } from 'zod'
import type { SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search.ts'
import { type Api, callJsonApi, buildUrl } from './shared/call-api.ts'
import { dayOf, rangeOf } from './shared/dates.ts'
import { parseHits, parseResponse } from './shared/hits.ts'
import { createPacer } from './shared/pacer.ts'
import { requireSite, requireWords } from './shared/scope.ts'
import { fromHtml } from './shared/plain-text.ts'
import { toText } from '../query/to-text.ts'
import type { OpenProviderEntry } from './shared/entry.ts'

const operators: ReadonlySet<SearchOperator> = new Set()
const maxResults = 100
const fields = 'DOI,title,abstract,issued,container-title'

const texts = z.array(z.string()).nullish()
const ResponseBody = z.object({ message: z.object({ items: z.array(z.unknown()) }) })
const Work = z.object({
  DOI: z.string(),
  title: texts,
  abstract: z.string().nullish(),
  'container-title': texts,
  issued: z.object({ 'date-parts': z.array(z.array(z.number().nullable())) }).nullish(),
})

/** Works with a DOI: https://api.crossref.org/swagger-ui. With a contact email it answers from its more reliable pool. */
export function crossref(
  api: Api,
  { contactEmail, baseUrl = 'https://api.crossref.org' }: { contactEmail?: string | undefined; baseUrl?: string } = {},
): SearchProvider {
  const pacer = createPacer({ count: contactEmail === undefined ? 1 : 3, perMs: 1000 })
  return {
    name: 'crossref',
    sources: new Set(['web']),
    categories: new Set(['research']),
    operators,
    period: 'by the day',
    weight: 0.6,
    async search(request) {
      requireSite(request, 'doi.org')
      const url = buildUrl(`${baseUrl}/works`, {
        query: requireWords(toText({ ...request.query, isAny: false }, operators)),
        rows: Math.min(maxResults, request.limit),
        select: fields,
        filter: filterOf(request),
        mailto: contactEmail,
        ...(request.period?.sort === 'date' && { sort: 'published', order: 'desc' }),
      })
      await pacer.waitTurn(request)
      const response = await callJsonApi(api, { url, method: 'GET', signal: request.signal })
      return parseHits(parseResponse(response, ResponseBody).message.items, Work, toRawHit)
    },
  }
}

function filterOf({ period }: SearchRequest): string | undefined {
  const range = rangeOf(period)
  return range && `from-pub-date:${dayOf(range.from)},until-pub-date:${dayOf(range.to)}`
}

function toRawHit(work: z.infer<typeof Work>) {
  const dateParts = work.issued?.['date-parts'][0]?.filter((part) => part !== null) ?? []
  const journal = work['container-title']?.[0]
  return {
    url: `https://doi.org/${encodeURI(work.DOI)}`,
    title: fromHtml(work.title?.[0] ?? work.DOI),
    description: fromHtml(work.abstract ?? journal ?? ''),
    date: dateParts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-'),
  }
}

export const crossrefEntry: OpenProviderEntry = {
  rank: 'after results pages',
  uses: 'contactEmail',
  docs: { finds: 'publications with a DOI, for `research`', limits: '1 a second, 3 with `contactEmail`', time: 'days' },
  create: (api, { contactEmail }) => crossref(api, { contactEmail }),
}
