import { describe, expect, test } from 'vitest'
import { openWorld, codes, page, range, status, text } from './faults-kit.ts'
import { type Answer, nowhere, pathsOf, sendPage } from './kit.ts'

const { crawler, siteOf } = openWorld()

describe.concurrent('the start page of a crawl', () => {
  test.each([
    ['whose host nobody knows', `http://${nowhere}/`, 'SCRAPE_DNS_RESOLUTION_ERROR'],
    ['that is private', 'http://127.0.0.2/', 'SCRAPE_ADDRESS_REFUSED'],
    ['whose host refuses connections', 'http://127.0.0.1:9/', 'SCRAPE_ALL_ENGINES_FAILED'],
  ])('%s fails the crawl with a reason', async (_, url, code) => {
    const { status: end, data } = await crawler().run({ url })
    expect(end).toMatchObject({ status: 'failed', completed: 0, error: expect.stringContaining(code) })
    expect(data).toEqual([])
  })

  test('that cannot be read counts as failed, with a warning that does not advise crawlEntireDomain', async () => {
    const site = await siteOf({
      '/robots.txt': status(404),
      '/docs/': (_, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4 no'),
    })
    const { status: end } = await crawler().run({ url: site.url('/docs/'), sitemap: 'skip' })
    expect(end).toMatchObject({ completed: 0, failed: 1 })
    expect(end.warning).toMatch(/^The start page could not be read: .*\.$/)
    expect(end.warning).not.toContain('crawlEntireDomain')
  })

  test.each([
    ['answers with an error', status(500)],
    [
      'sends a broken file',
      (_, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
    ],
  ] satisfies [string, Answer][])(
    'that matches no includePaths and %s appears only among the errors',
    async (_, start) => {
      const site = await siteOf({
        '/robots.txt': text('Sitemap: /sitemap.xml'),
        '/sitemap.xml': ({ origin }, response) =>
          response.end(`<urlset><url><loc>${origin}/blog/a</loc></url></urlset>`),
        '/': start,
        '/blog/a': page(),
      })
      const results = await crawler().run({ url: site.url('/'), includePaths: ['^/blog/'], limit: 1 })
      expect(results.status).toMatchObject({ status: 'completed', completed: 1, failed: 0, total: 1, creditsUsed: 1 })
      expect(pathsOf(results)).toEqual(['/blog/a'])
      expect(results.errors).toEqual([expect.objectContaining({ url: site.url('/'), timestamp: expect.any(String) })])
      expect(results.status.warning).toContain('The start page could not be read')
    },
  )

  test('with credentials in its URL sends them to the whole site, and no output shows them', async () => {
    const credentials = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`
    const guarded =
      (links: readonly string[]): Answer =>
      ({ pathname }, response, { headers }) =>
        headers.authorization === credentials ? sendPage(response, pathname, links) : response.writeHead(401).end()
    const site = await siteOf({ '/robots.txt': status(404), '/': guarded(['/a']), '/a': guarded([]) })
    const results = await crawler().run({ url: site.url('/').replace('//', '//ann:p%40ss@'), sitemap: 'skip' })
    expect(results.data.map(({ metadata }) => metadata.statusCode)).toEqual([200, 200])
    expect(JSON.stringify(results)).not.toContain('ss@')
  })

  test('without pages below it returns a hint', async () => {
    const site = await siteOf({ '/docs/': ['/other'], '*': page() })
    const { status: end } = await crawler().run({ url: site.url('/docs/') })
    expect(end).toMatchObject({ completed: 1, skipped: { outOfScope: 1 } })
    expect(end.warning).toContain('crawlEntireDomain')
  })
})

describe.concurrent('a page of a crawl', () => {
  test('that cannot be read is listed among the errors and counted, and the crawl completes', async () => {
    const large = Buffer.alloc(1_000_000, 'words and ')
    const site = await siteOf({
      '/': ['/circle', '/cut', '/huge', '/gone', '/fine'],
      '/circle': (url, response) =>
        response.writeHead(302, { location: `/circle?${Number(url.search.slice(1)) + 1}` }).end(),
      '/cut': (_, response) => response.destroy(),
      '/huge': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        for (const part of range(60).map(() => large)) response.write(part)
        response.end()
      },
      '/gone': status(410, { 'content-type': 'text/html' }),
      '/fine': page(),
    })
    const results = await crawler().run({ url: site.url('/') })
    expect(results.status).toMatchObject({ status: 'completed', completed: 3, failed: 3, total: 6, creditsUsed: 3 })
    expect(pathsOf(results)).toEqual(['/', '/fine', '/gone'])
    expect(codes(results).toSorted()).toEqual([
      ['/circle', 'SCRAPE_SITE_ERROR'],
      ['/cut', 'SCRAPE_ALL_ENGINES_FAILED'],
      ['/huge', 'SCRAPE_SITE_ERROR'],
    ])
    expect(site.count('/cut')).toBeGreaterThan(1)
  })

  test('that times out lists the earlier attempts', async () => {
    const site = await siteOf({
      '/': ['/slow'],
      '/slow': (_, response) => response.socket?.write('HTTP/1.1 200 OK\r\nx-odd: a\x01b\r\n\r\n'),
    })
    const { errors } = await crawler().run({ url: site.url('/'), sitemap: 'skip', scrapeOptions: { timeout: 1000 } })
    expect(errors).toMatchObject([
      {
        code: 'SCRAPE_TIMEOUT',
        attempts: [
          { way: 'HTTP', code: 'SCRAPE_SITE_ERROR', error: expect.stringContaining('not valid HTTP') },
          { way: 'tolerant HTTP', code: 'SCRAPE_TIMEOUT', timestamp: expect.any(String) },
        ],
      },
    ])
  })

  test('that answers busy is requested again after Retry-After, and no page of its host before then', async () => {
    let isBusy = true
    const site = await siteOf({
      '/': ['/busy', '/a', '/b'],
      '/busy': ({ pathname }, response) => {
        if (!isBusy) return sendPage(response, pathname, [])
        isBusy = false
        return response.writeHead(429, { 'retry-after': '1' }).end()
      },
      '*': page(),
    })
    const results = await crawler().run({ url: site.url('/'), sitemap: 'skip', maxConcurrency: 1 })
    expect(results.data.map(({ metadata }) => metadata.statusCode)).toEqual([200, 200, 200, 200])
    const busyAt = site.visits.findIndex(({ url }) => url.endsWith('/busy'))
    const [busy, next] = site.visits.slice(busyAt)
    expect((next?.at ?? 0) - (busy?.at ?? 0)).toBeGreaterThanOrEqual(1000)
  })

  test.each([429, 503])('that keeps answering %i is returned after three attempts', async (code) => {
    const site = await siteOf({ '/': ['/busy'], '/busy': status(code, { 'retry-after': '0' }), '*': status(404) })
    const results = await crawler().run({ url: site.url('/') })
    expect(results.data.map(({ metadata }) => metadata.statusCode).toSorted()).toEqual([200, code])
    expect(results.errors).toEqual([])
    expect(site.count('/busy')).toBe(3)
  })
})
