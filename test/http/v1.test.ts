import { describe, expect, it } from 'vitest'
import { batchOptions, crawlOptions, mapOptions, scrapeOptions, searchOptions, withV1 } from '../../src/surfaces/v1.ts'
import { createRouter } from '../../src/kernel/route.ts'
import { operations } from '../../src/operations/index.ts'
import { CrawlInput } from '../../src/schema/crawl-schema.ts'

const url = 'https://example.com/docs/a'

it.each([
  [{ formats: ['markdown', 'screenshot@fullPage'] }, { formats: ['markdown', { type: 'screenshot', fullPage: true }] }],
  [
    { formats: ['json', 'extract'], jsonOptions: { prompt: 'All', systemPrompt: 'Be brief.' } },
    { formats: [{ type: 'json', prompt: 'All' }] },
  ],
  [{ formats: ['extract'], extract: { schema: {} } }, { formats: [{ type: 'json', schema: {} }] }],
  [
    { formats: ['markdown', 'changeTracking'], changeTrackingOptions: { modes: ['git-diff'], tag: null } },
    { formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }] },
  ],
  [{ parsePDF: true, geolocation: { country: 'DE' } }, { location: { country: 'DE' } }],
  [
    { onlyMainContent: false, waitFor: 5, agent: { model: 'x' } },
    { onlyMainContent: false, waitFor: 5, agent: { model: 'x' } },
  ],
])('options of a scrape in version 1 are converted: %j become %j', (sent, expected) => {
  expect(scrapeOptions({ url, ...sent })).toEqual({ url, ...expected })
})

describe('options of a crawl in version 1', () => {
  it.each([
    [{ ignoreSitemap: true }, { sitemap: 'skip' }],
    [{ allowBackwardLinks: false, crawlEntireDomain: true }, { crawlEntireDomain: true }],
    [
      { scrapeOptions: { formats: ['content'], parsePDF: false } },
      { scrapeOptions: { formats: ['markdown'], parsers: [] } },
    ],
  ])('%j become %j', (sent, expected) => expect(crawlOptions({ url, ...sent })).toEqual({ url, ...expected }))

  it.each([
    [{ maxDepth: 0 }, ['/docs/a', '/docs/b', '/docs/'], ['/docs/a/b', '/docs/a//b/']],
    [{ maxDepth: 1 }, ['/docs/a/b', '/docs/a/b/'], ['/docs/a/b/c']],
  ])('with %j exclude deeper pages', (sent, reached, excluded) => {
    const { excludePaths } = CrawlInput.parse(crawlOptions({ url, excludePaths: ['/x'], ...sent }))
    expect(excludePaths?.[0]).toBe('/x')
    const isExcluded = (path: string) => new RegExp(excludePaths?.[1] ?? '').test(path)
    expect(reached.filter(isExcluded)).toEqual([])
    expect(excluded.filter((path) => !isExcluded(path))).toEqual([])
    const whole = CrawlInput.parse(crawlOptions({ url: 'example.com/docs/a', regexOnFullURL: true, ...sent }))
    const isWholeExcluded = (path: string) =>
      new RegExp(whole.excludePaths?.[0] ?? '').test(`https://example.com${path}?q=/1/2/3`)
    expect(reached.filter(isWholeExcluded)).toEqual([])
    expect(excluded.filter((path) => !isWholeExcluded(path))).toEqual([])
  })
})

it.each([
  [mapOptions({ url, ignoreSitemap: true, useIndex: false }), { url, sitemap: 'skip', ignoreCache: true }],
  [mapOptions({ url, sitemapOnly: true, ignoreSitemap: true }), { url, sitemap: 'only' }],
  [
    searchOptions({ query: 'a', lang: 'en', scrapeOptions: { formats: [] } }),
    { query: 'a', limit: 5, scrapeOptions: { formats: [] } },
  ],
  [batchOptions({ urls: [url], webhook: null }), { urls: [url], ignoreInvalidURLs: false }],
])('options in version 1 become %j', (translated, expected) => expect(translated).toEqual(expected))

describe('a route of version 1', () => {
  const router = withV1(createRouter(operations))
  const found = (method: string, path: string) => router(method, new URL(path, 'http://localhost'))

  it.each([
    ['POST', '/v1/scrape', 'scrape'],
    ['GET', '/v1/crawl/ongoing', 'crawl_active'],
    ['DELETE', '/v1/batch/scrape/a', 'batch_cancel'],
    ['DELETE', '/v1/crawl/a/errors', 'crawl_errors'],
  ])('%s %s calls the operation %s', (method, path, name) => {
    expect(found(method, path)).toMatchObject({ operation: { name } })
  })

  it.each([
    ['POST', '/v1/browser'],
    ['GET', '/v1/team/activity'],
    ['POST', '/v1/deep-research'],
  ])('%s %s does not exist', (method, path) => expect(found(method, path)).toBeUndefined())

  const answer = (method: string, path: string, output: object) => {
    const match = found(method, path)
    return match && 'output' in match ? match.output({ ...output }) : undefined
  }

  it('answers in the shape of version 1', () => {
    expect(answer('POST', '/v1/crawl', { id: 'a', url: 'https://api.example/v2/x/v2/crawl/a' })).toEqual({
      id: 'a',
      url: 'https://api.example/v2/x/v1/crawl/a',
    })
    expect(answer('GET', '/v1/crawl/a', { data: [{ json: { b: 1 } }], next: 'http://h/v2/crawl/a?skip=1' })).toEqual({
      data: [{ json: { b: 1 }, extract: { b: 1 } }],
      next: 'http://h/v1/crawl/a?skip=1',
    })
    expect(answer('POST', '/v1/map', { id: 'a', links: [{ url, title: 'A' }] })).toEqual({ id: 'a', links: [url] })
    expect(answer('POST', '/v1/search', { data: { web: [{ url }], news: [] } })).toEqual({ data: [{ url }] })
    expect(answer('GET', '/v1/team/credit-usage', { data: { remainingCredits: 1 } })).toEqual({
      data: { remaining_credits: 1 },
    })
    expect(answer('POST', '/v2/map', { links: [{ url }] })).toEqual({ links: [{ url }] })
  })
})
