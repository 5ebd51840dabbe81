import { describe, expect, test } from 'vitest'
import type { IndexQuery } from '../../src/contracts/stored-pages.ts'
import type { SearchQuery } from '../../src/contracts/search-port.ts'
import { indexQuery, dayMs, fetchedAt, type Known, type OpenPageIndex, openShared } from './page-index-world.ts'

const library: readonly Known[] = [
  {
    url: 'https://docs.example.com/guide/webhooks',
    title: 'Webhooks guide',
    text: 'Signing a webhook with a shared secret. Retries follow an exponential schedule.',
  },
  {
    url: 'https://example.com/blog/retries',
    title: 'How we retry',
    text: 'Our exponential schedule for webhook deliveries, and a secret about jitter.',
    fetchedAt: fetchedAt + 2 * dayMs,
  },
  {
    url: 'https://notexample.com/secret',
    title: 'Shared kitchens',
    text: 'A shared kitchen has a schedule. The recipe is a secret.',
    fetchedAt: fetchedAt + 4 * dayMs,
  },
  {
    url: 'https://files.example.org/report.pdf',
    title: 'Annual report',
    text: 'Deliveries grew, retries fell.',
    contentType: 'application/pdf',
  },
  {
    url: 'https://files.example.org/download?id=7',
    title: 'Quarterly report about deliveries',
    text: 'The annual schedule is secret.',
    contentType: 'application/pdf',
  },
  {
    url: 'https://example.com.evil.org/example/com',
    title: 'Nothing of the kind',
    text: 'An address that looks like another.',
  },
]
const [guide, blog, kitchen, report, download, evil] = library.map(({ url }) => url) as [
  string,
  string,
  string,
  string,
  string,
  string,
]

type Case = { typed: string; query: Partial<SearchQuery>; more?: Partial<IndexQuery>; found: readonly string[] }

const period = (from: number | undefined, to: number | undefined, sort: 'relevance' | 'date' = 'relevance') => ({
  period: { from, to, preset: undefined, sort },
})

const cases: readonly Case[] = [
  { typed: 'kitchen', query: { terms: ['kitchen'] }, found: [kitchen] },
  { typed: 'Kitchens (another form)', query: { terms: ['Kitchens'] }, found: [kitchen] },
  { typed: 'webhook signed', query: { terms: ['webhook', 'signed'] }, found: [guide, blog] },
  { typed: 'the kitchen of a', query: { terms: ['the', 'kitchen', 'of', 'a'] }, found: [kitchen] },
  { typed: '"exponential schedule"', query: { phrases: ['exponential schedule'] }, found: [guide, blog] },
  { typed: '"schedule exponential"', query: { phrases: ['schedule exponential'] }, found: [] },
  { typed: '"shared secret" retries', query: { terms: ['retries'], phrases: ['shared secret'] }, found: [guide] },
  { typed: 'schedule -webhook', query: { terms: ['schedule'], without: ['webhook'] }, found: [kitchen, download] },
  {
    typed: 'schedule -"shared kitchen"',
    query: { terms: ['schedule'], without: ['shared kitchen'] },
    found: [guide, blog, download],
  },
  { typed: '-schedule', query: { without: ['schedule'] }, found: [report, evil] },
  { typed: 'kitchen OR jitter', query: { terms: ['kitchen', 'jitter'], isAny: true }, found: [kitchen, blog] },
  { typed: 'site:example.com', query: { site: ['example.com'] }, found: [blog, guide] },
  { typed: 'site:docs.example.com', query: { site: ['docs.example.com'] }, found: [guide] },
  { typed: 'site:www.example.com', query: { site: ['www.example.com'] }, found: [blog, guide] },
  { typed: 'site:example.com/blog', query: { site: ['example.com/blog'] }, found: [blog] },
  { typed: 'site:example.com/blo', query: { site: ['example.com/blo'] }, found: [] },
  {
    typed: 'schedule site:example.com/blog OR site:notexample.com',
    query: { terms: ['schedule'], site: ['example.com/blog', 'notexample.com'] },
    found: [kitchen, blog],
  },
  {
    typed: 'schedule -site:example.com',
    query: { terms: ['schedule'], notSite: ['example.com'] },
    found: [download, kitchen],
  },
  {
    typed: 'schedule -site:example.com/blog',
    query: { terms: ['schedule'], notSite: ['example.com/blog'] },
    found: [guide, kitchen, download],
  },
  { typed: 'filetype:pdf', query: { filetype: ['pdf'] }, found: [report, download] },
  { typed: 'secret filetype:pdf', query: { terms: ['secret'], filetype: ['pdf'] }, found: [download] },
  { typed: 'deliveries -filetype:pdf', query: { terms: ['deliveries'], notFiletype: ['pdf'] }, found: [blog] },
  { typed: 'filetype:pdf OR filetype:docx', query: { filetype: ['pdf', 'docx'] }, found: [report, download] },
  { typed: 'inurl:blog', query: { inUrl: ['blog'] }, found: [blog] },
  { typed: 'inurl:guide/webhooks', query: { inUrl: ['guide/webhooks'] }, found: [guide] },
  { typed: 'allinurl: example secret', query: { inUrl: ['notexample', 'secret'] }, found: [kitchen] },
  { typed: 'secret -inurl:secret', query: { terms: ['secret'], notInUrl: ['secret'] }, found: [guide, blog, download] },
  { typed: 'intitle:report', query: { inTitle: ['report'] }, found: [report, download] },
  { typed: 'allintitle: annual report', query: { inTitle: ['annual', 'report'] }, found: [report] },
  { typed: 'report -intitle:quarterly', query: { terms: ['report'], notInTitle: ['quarterly'] }, found: [report] },
  {
    typed: 'schedule, within includeDomains',
    query: { terms: ['schedule'] },
    more: { includeDomains: ['example.com', 'example.org'] },
    found: [guide, blog, download],
  },
  {
    typed: 'schedule, without excludeDomains',
    query: { terms: ['schedule'] },
    more: { excludeDomains: ['example.com', 'example.org'] },
    found: [kitchen],
  },
  {
    typed: 'schedule, since a moment',
    query: { terms: ['schedule'] },
    more: period(fetchedAt + 2 * dayMs, undefined),
    found: [blog, kitchen],
  },
  {
    typed: 'schedule, between two moments',
    query: { terms: ['schedule'] },
    more: period(fetchedAt + dayMs, fetchedAt + 3 * dayMs),
    found: [blog],
  },
  { typed: 'an image size', query: { imageSize: { width: 1, height: 1 } }, found: [] },
  { typed: 'nothing', query: {}, found: [] },
  { typed: 'signs only', query: { terms: ['++', '"', '*'] }, found: [] },
]

/** The contract of every page index: the pages found for a query, their order, and for which team. */
export function describePageIndexQueries(open: OpenPageIndex): void {
  describe('a query of the page index', () => {
    const alone = openShared(open, library)
    const others = library.map((page) => ({ ...page, teamId: 'others', title: `Theirs: ${page.title ?? ''}` }))
    const among = openShared(open, [...library, ...others])

    test.each(cases)('finds pages of its team only: $typed', async ({ query, more, found }) => {
      const hits = await among().search(indexQuery(query, more))
      expect(hits.map(({ url }) => url).toSorted()).toEqual(found.toSorted())
      expect(hits.filter(({ title }) => title.startsWith('Theirs'))).toEqual([])
      expect(await among().search(indexQuery(query, { ...more, teamId: 'another' }))).toEqual([])
    })

    describe('the order', () => {
      test('is by relevance, a title counting most', async () => {
        const hits = await alone().search(indexQuery({ terms: ['deliveries'] }))
        expect(hits[0]?.url).toBe(download)
        expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
      })

      test('puts pages with all words before those with some', async () => {
        const hits = await alone().search(indexQuery({ terms: ['shared', 'recipe', 'report'] }))
        const all = await alone().search(indexQuery({ terms: ['shared', 'recipe'] }))
        expect(all[0]?.url).toBe(kitchen)
        expect(hits.map(({ url }) => url).toSorted()).toEqual([kitchen, guide, report, download].toSorted())
      })

      test('is by date when requested, or when the query has no words', async () => {
        const byDate = await alone().search(indexQuery({ terms: ['schedule'] }, period(undefined, undefined, 'date')))
        expect(byDate.slice(0, 2).map(({ url }) => url)).toEqual([kitchen, blog])
        const bySite = await alone().search(indexQuery({ site: ['example.com'] }))
        expect(bySite.map(({ url }) => url)).toEqual([blog, guide])
      })

      test('ends at the limit', async () => {
        expect(await alone().search(indexQuery({ terms: ['schedule'] }, { limit: 2 }))).toHaveLength(2)
      })
    })

    test.each([
      '" OR scope : "t',
      'x" OR title : "report',
      'NEAR(a b)',
      'title : report',
      '{title} : report',
      '^report',
      'report*',
      '-report',
      "'; DROP TABLE page_text; --",
      'a AND',
      'NOT',
      '(((',
      'null\0byte',
    ])('the query %s is read as words, not as syntax', async (text) => {
      for (const query of [
        { terms: [text] },
        { phrases: [text] },
        { inTitle: [text] },
        { inUrl: [text] },
        { site: [text] },
      ])
        await expect(alone().search(indexQuery(query))).resolves.toBeInstanceOf(Array)
      await expect(
        alone().search(indexQuery({ terms: ['schedule'], without: [text], notSite: [text] })),
      ).resolves.toBeInstanceOf(Array)
      expect(await alone().search(indexQuery({ phrases: [text] }, { teamId: 'another' }))).toEqual([])
      expect(await alone().search(indexQuery({ terms: ['schedule'] }))).toHaveLength(4)
    })
  })
}
