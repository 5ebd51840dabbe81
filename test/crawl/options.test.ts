import { describe, expect, test } from 'vitest'
import { startCrawlSite } from '../helpers/crawl-site.ts'
import type { Expected } from '../helpers/site/crawl-key.ts'
import { judge } from '../helpers/site/crawl-judge.ts'
import type { CrawlWish } from '../helpers/site/crawl-rules.ts'
import { forAll } from '../helpers/for-all.ts'
import { useTestNames, startCrawling, type JobResults } from './kit.ts'

useTestNames()
const site = forAll(() => startCrawlSite({ slowMs: 1, retryAfterS: 0 }))
const crawling = forAll(() =>
  startCrawling({ GOSSAMER_ALLOW_HOSTS: '127.0.0.1,localhost', GOSSAMER_MAX_CONCURRENCY: '64' }),
)

type More = Record<string, unknown>
/** A name, the options that select pages, and the options that do not. */
type Row = [name: string, wish: CrawlWish, more?: More]

/** Start addresses with few pages below them, so that a row need not crawl all of the site. */
const docs = { path: '/docs/', sitemap: 'skip' } as const
const odd = { path: '/odd/', sitemap: 'skip' } as const

const rows: Row[] = [
  ['nothing but the address', {}],
  ['an IP address', { host: '127.0.0.1' }],
  ['a start with www.', { host: 'www.site.test', ...docs }],
  ['another site', { host: 'other.test' }],

  ['depth 0', { maxDiscoveryDepth: 0 }],
  ['depth 0 without the sitemap', { maxDiscoveryDepth: 0, sitemap: 'skip' }],
  ['depth 2', { maxDiscoveryDepth: 2 }],
  ['depth 3 below a folder', { ...docs, maxDiscoveryDepth: 3 }],

  ['sitemap skip', { sitemap: 'skip' }],
  ['sitemap only', { sitemap: 'only' }],
  ['sitemap only below a folder that has one', { path: '/docs/', sitemap: 'only' }],

  ['includePaths that match the start', { ...docs, includePaths: ['^/docs/(?:$|harbour)'] }],
  ['includePaths that do not match the start', { includePaths: ['^/blog/'] }],
  ['excludePaths', { ...docs, excludePaths: ['part-\\d', '/ledger/$'] }],
  ['includePaths and excludePaths', { ...docs, includePaths: ['^/docs/'], excludePaths: ['harbour-[1-4]'] }],
  ['a pattern with look-ahead', { ...docs, excludePaths: ['^/docs/(?!harbour|$)'] }],
  ['regexOnFullURL over the query', { path: '/shop/', regexOnFullURL: true, excludePaths: ['page=3'] }],
  ['a deep start', { path: '/docs/harbour/harbour-1' }],
  ['a deep start with crawlEntireDomain', { path: '/docs/harbour/', crawlEntireDomain: true }],
  ['a start that is redirected', { path: '/odd/moved-301', sitemap: 'skip' }],
  ['a start that is redirected to what a sitemap names', { path: '/odd/moved-302' }],
  ['a start that is redirected three times', { path: '/odd/chain', sitemap: 'skip' }],
  ['a start that is redirected in a circle', { path: '/odd/loop', sitemap: 'skip' }],
  ['a start that is redirected to what robots.txt forbids', { path: '/odd/into-private', sitemap: 'skip' }],
  ['a start that is missing', { path: '/odd/missing-1', sitemap: 'skip' }],
  ['a start that robots.txt forbids', { path: '/private/' }],
  ['a start that is a document', { path: '/files/report.pdf', sitemap: 'skip' }],

  ['allowSubdomains', { ...odd, allowSubdomains: true }],
  ['allowExternalLinks', { ...odd, allowExternalLinks: true }],

  ['ignoreQueryParameters', { path: '/shop/', ignoreQueryParameters: true }],
  ['similar addresses kept apart', { ...odd, deduplicateSimilarURLs: false }],
  ['ignoreRobotsTxt', { ignoreRobotsTxt: true, sitemap: 'skip' }],
  ['rules for another agent', { robotsAgent: 'slowbot', path: '/blog/' }],
  ['one page at a time', { ...docs, excludePaths: ['part-'] }, { maxConcurrency: 1 }],
  ['a part of each page', docs, { scrapeOptions: { includeTags: ['h1'], excludeTags: ['ul'] } }],
  ['nothing kept', docs, { zeroDataRetention: true }],
]

const input = ({ host = 'site.test', path = '/', robotsAgent, ...rules }: CrawlWish, more: More = {}): More => ({
  url: site.url(path, host),
  ...rules,
  ...(robotsAgent !== undefined && { robotsUserAgent: robotsAgent }),
  ...more,
})

const byReason = (reasons: Iterable<string>): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => [reason, all.length]))

/** Links other than web addresses are not counted. */
function reasonsOf({ pages, skipped }: Expected): Record<string, number> {
  const duplicate = pages.reduce((sum, { named }) => sum + Math.max(0, named - 1), 0)
  const rest = [...skipped.values()].filter((reason) => reason !== 'invalid')
  return { ...byReason(rest), ...(duplicate > 0 && { duplicate }) }
}

const documents = ({ data }: JobResults) => data.map(({ metadata }) => metadata.url)
const errors = (results: JobResults) => results.errors.map(({ url }) => url)

function wrongStatuses(expected: Expected, { data }: JobResults): string[] {
  const known = new Map(
    expected.pages.flatMap(({ urls, status }) => urls.map((url) => [expected.identity(url), status])),
  )
  return data.flatMap(({ metadata: { url, statusCode } }) =>
    known.get(expected.identity(url)) === statusCode ? [] : [`${url} ${statusCode}`],
  )
}

describe.concurrent('a crawl with', () => {
  test.each(rows)('%s', async (_, wish, more) => {
    const expected = site.expected(wish)
    const results = await crawling.run(input(wish, more))
    const { status } = results
    expect(judge(expected, { documents: documents(results), errors: errors(results) })).toEqual({
      missing: [],
      unexpected: [],
      twice: [],
      trapped: {},
    })
    expect(wrongStatuses(expected, results)).toEqual([])
    expect(errors(results).toSorted()).toEqual(expected.failed.toSorted())
    expect(results.skipped).toEqual(reasonsOf(expected))
    expect(results.robotsBlocked.toSorted()).toEqual(expected.robotsBlocked.toSorted())
    expect(status).toMatchObject({
      status: 'completed',
      completed: expected.count,
      failed: expected.failed.length,
      total: expected.count + expected.failed.length,
    })
    expect(status.creditsUsed).toBe(results.data.reduce((sum, { metadata }) => sum + metadata.creditsUsed, 0))
  })

  test.each<[number, CrawlWish]>([
    [1, {}],
    [2, { sitemap: 'skip' }],
    [7, { ...odd }],
    [20, { path: '/docs/' }],
    [50, { maxDiscoveryDepth: 2 }],
    [30, { allowExternalLinks: true, ...odd }],
    [10_000, docs],
  ])('a limit of %i returns the first pages of the unlimited crawl', async (limit, wish) => {
    const expected = site.expected({ ...wish, limit })
    const results = await crawling.run(input({ ...wish, limit }))
    const taken = [...documents(results), ...errors(results)]
    expect(taken).toHaveLength(expected.count)
    expect(judge(expected, { documents: documents(results), errors: errors(results) })).toMatchObject({
      unexpected: [],
      twice: [],
    })
    expect(results.status).toMatchObject({ status: 'completed', total: expected.count })
  })
})
