import { z } from 'zod'
import type { SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search.ts'
import { type Api, askJson } from '../provider/ask.ts'
import { dayOf, rangeOf } from '../provider/dates.ts'
import { hitsFrom, shaped } from '../provider/hits.ts'
import { createPacer } from '../provider/pacer.ts'
import { urlOf } from '../provider/places.ts'
import { requireSite, someWords } from '../provider/scope.ts'
import { fromHtml } from '../provider/text.ts'
import { toText } from '../query/to-text.ts'

const operators: ReadonlySet<SearchOperator> = new Set()
const maxResults = 100
const fields = 'DOI,title,abstract,issued,container-title'

const texts = z.array(z.string()).nullish()
const Answer = z.object({ message: z.object({ items: z.array(z.unknown()) }) })
const Work = z.object({
  DOI: z.string(),
  title: texts,
  abstract: z.string().nullish(),
  'container-title': texts,
  issued: z.object({ 'date-parts': z.array(z.array(z.number().nullable())) }).nullish(),
})

/** Works with a DOI: https://api.crossref.org/swagger-ui. With an address to write to it answers from its steadier servers. */
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
      const url = urlOf(`${baseUrl}/works`, {
        query: someWords(toText({ ...request.query, isAny: false }, operators)),
        rows: Math.min(maxResults, request.limit),
        select: fields,
        filter: filterOf(request),
        mailto: contactEmail,
        ...(request.period?.sort === 'date' && { sort: 'published', order: 'desc' }),
      })
      await pacer.turn(request)
      const answer = await askJson(api, { url, method: 'GET', signal: request.signal })
      return hitsFrom(shaped(answer, Answer).message.items, Work, draftOf)
    },
  }
}

function filterOf({ period }: SearchRequest): string | undefined {
  const range = rangeOf(period)
  return range && `from-pub-date:${dayOf(range.from)},until-pub-date:${dayOf(range.to)}`
}

function draftOf(work: z.infer<typeof Work>) {
  const parts = work.issued?.['date-parts'][0]?.filter((part) => part !== null) ?? []
  const place = work['container-title']?.[0]
  return {
    url: `https://doi.org/${encodeURI(work.DOI)}`,
    title: fromHtml(work.title?.[0] ?? work.DOI),
    description: fromHtml(work.abstract ?? place ?? ''),
    date: parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-'),
  }
}
