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
const [guide = '', blog = '', kitchen = '', report = '', download = '', evil = ''] = library.map(({ url }) => url)

type Case = [typed: string, query: Partial<SearchQuery>, found: readonly string[], more?: Partial<IndexQuery>]

const period = (from: number | undefined, to: number | undefined, sort: 'relevance' | 'date' = 'relevance') => ({
  period: { from, to, preset: undefined, sort },
})

const cases: readonly Case[] = [
  ['kitchen', { terms: ['kitchen'] }, [kitchen]],
  ['Kitchens (another form)', { terms: ['Kitchens'] }, [kitchen]],
  ['webhook signed', { terms: ['webhook', 'signed'] }, [guide, blog]],
  ['the kitchen of a', { terms: ['the', 'kitchen', 'of', 'a'] }, [kitchen]],
  ['"exponential schedule"', { phrases: ['exponential schedule'] }, [guide, blog]],
  ['"schedule exponential"', { phrases: ['schedule exponential'] }, []],
  ['"shared secret" retries', { terms: ['retries'], phrases: ['shared secret'] }, [guide]],
  ['schedule -webhook', { terms: ['schedule'], without: ['webhook'] }, [kitchen, download]],
  ['schedule -"shared kitchen"', { terms: ['schedule'], without: ['shared kitchen'] }, [guide, blog, download]],
  ['-schedule', { without: ['schedule'] }, [report, evil]],
  ['kitchen OR jitter', { terms: ['kitchen', 'jitter'], isAny: true }, [kitchen, blog]],
  ['site:example.com', { site: ['example.com'] }, [blog, guide]],
  ['site:docs.example.com', { site: ['docs.example.com'] }, [guide]],
  ['site:www.example.com', { site: ['www.example.com'] }, [blog, guide]],
  ['site:example.com/blog', { site: ['example.com/blog'] }, [blog]],
  ['site:example.com/blo', { site: ['example.com/blo'] }, []],
  [
    'schedule site:example.com/blog OR site:notexample.com',
    { terms: ['schedule'], site: ['example.com/blog', 'notexample.com'] },
    [kitchen, blog],
  ],
  ['schedule -site:example.com', { terms: ['schedule'], notSite: ['example.com'] }, [download, kitchen]],
  [
    'schedule -site:example.com/blog',
    { terms: ['schedule'], notSite: ['example.com/blog'] },
    [guide, kitchen, download],
  ],
  ['filetype:pdf', { filetype: ['pdf'] }, [report, download]],
  ['secret filetype:pdf', { terms: ['secret'], filetype: ['pdf'] }, [download]],
  ['deliveries -filetype:pdf', { terms: ['deliveries'], notFiletype: ['pdf'] }, [blog]],
  ['filetype:pdf OR filetype:docx', { filetype: ['pdf', 'docx'] }, [report, download]],
  ['inurl:blog', { inUrl: ['blog'] }, [blog]],
  ['inurl:guide/webhooks', { inUrl: ['guide/webhooks'] }, [guide]],
  ['allinurl: example secret', { inUrl: ['notexample', 'secret'] }, [kitchen]],
  ['secret -inurl:secret', { terms: ['secret'], notInUrl: ['secret'] }, [guide, blog, download]],
  ['intitle:report', { inTitle: ['report'] }, [report, download]],
  ['allintitle: annual report', { inTitle: ['annual', 'report'] }, [report]],
  ['report -intitle:quarterly', { terms: ['report'], notInTitle: ['quarterly'] }, [report]],
  [
    'schedule, within includeDomains',
    { terms: ['schedule'] },
    [guide, blog, download],
    { includeDomains: ['example.com', 'example.org'] },
  ],
  [
    'schedule, without excludeDomains',
    { terms: ['schedule'] },
    [kitchen],
    { excludeDomains: ['example.com', 'example.org'] },
  ],
  ['schedule, since a moment', { terms: ['schedule'] }, [blog, kitchen], period(fetchedAt + 2 * dayMs, undefined)],
  ['schedule, between two moments', { terms: ['schedule'] }, [blog], period(fetchedAt + dayMs, fetchedAt + 3 * dayMs)],
  ['an image size', { imageSize: { width: 1, height: 1 } }, []],
  ['nothing', {}, []],
  ['signs only', { terms: ['++', '"', '*'] }, []],
]

/** The contract of every page index: the pages found for a query, their order, and for which team. */
export function describePageIndexQueries(open: OpenPageIndex): void {
  describe('a query of the page index', () => {
    const alone = openShared(open, library)
    const others = library.map((page) => ({ ...page, teamId: 'others', title: `Theirs: ${page.title ?? ''}` }))
    const among = openShared(open, [...library, ...others])

    test.each(cases)('finds pages of its team only: %s', async (_, query, found, more) => {
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
