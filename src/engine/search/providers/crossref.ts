import { z } from 'zod'
import { dayOf } from './shared/search-scope.ts'
import { defineProvider, inOneCall } from './shared/define-provider.ts'
import { fromHtml, readHits, text } from './shared/read-hits.ts'

const maxResults = 100
const texts = z.array(z.string()).nullish()

/**
 * Publications with a DOI: https://api.crossref.org/swagger-ui. With a contact email requests use its more reliable
 * pool.
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
