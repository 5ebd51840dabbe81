import { describe, expect, test } from 'vitest'
import { openWorld, page, range, slowly, status, text } from './faults-kit.ts'
import { type Answer, pathsOf, sendPage } from './kit.ts'

const { crawler, siteOf } = openWorld()

const sitemap = (paths: readonly string[], origin: string) =>
  `<urlset>${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')}</urlset>`

describe.concurrent('robots.txt', () => {
  test.each([500, 503])('with status %i forbids the whole site, with a warning', async (code) => {
    const site = await siteOf({ '/robots.txt': status(code), '*': page('/a') })
    const { data, status: end, robotsBlocked } = await crawler().run({ url: site.url('/') })
    expect(data).toEqual([])
    expect(end).toMatchObject({ status: 'completed', total: 0, warning: expect.stringContaining('robots.txt') })
    expect(robotsBlocked).toEqual([site.url('/')])
    expect(site.visits.map(({ url }) => url)).toEqual([site.url('/robots.txt'), site.url('/robots.txt')])
  })

  test('with Retry-After is requested again after that time', async () => {
    let failures = 1
    const site = await siteOf({
      '/robots.txt': (_, response) =>
        failures-- > 0 ? response.writeHead(503, { 'retry-after': '2' }).end() : response.end(''),
      '/': page(),
    })
    expect(pathsOf(await crawler().run({ url: site.url('/'), sitemap: 'skip' }))).toEqual(['/'])
    const [first, second, ...others] = site.visits.filter(({ url }) => url.endsWith('/robots.txt')).map(({ at }) => at)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1990)
    expect(others).toEqual([])
  })

  test('that never responds forbids the whole site after a timeout', async () => {
    const site = await siteOf({ '/robots.txt': () => {}, '*': page() })
    const { data, status: end } = await crawler().run({ url: site.url('/') })
    expect(data).toEqual([])
    expect(end).toMatchObject({ status: 'completed', warning: expect.stringContaining('robots.txt') })
  })

  test('sets the Crawl-delay, one page at a time', async () => {
    const { seen, answer } = slowly(5)
    const site = await siteOf({
      '/robots.txt': text('User-agent: *\nCrawl-delay: 0.2'),
      '/': ['/a', '/b', '/c'],
      '*': answer,
    })
    await crawler().run({ url: site.url('/'), sitemap: 'skip' })
    const times = site.visits.filter(({ url }) => !url.endsWith('robots.txt')).map(({ at }) => at)
    expect(times).toHaveLength(4)
    expect(times.slice(1).every((at, index) => at - (times[index] ?? 0) >= 190)).toBe(true)
    expect(seen.most).toBe(1)
  })

  test('on another site sets the Crawl-delay there', async () => {
    const site = await siteOf({
      '/robots.txt': ({ hostname }, response) =>
        response.end(hostname === 'other.test' ? 'User-agent: *\nCrawl-delay: 0.2' : ''),
      '/': ({ port }, response) => sendPage(response, 'start', [`http://other.test:${port}/there`]),
      '/there': ['/a', '/b', '/c'],
      '*': page(),
    })
    const wish = { url: site.url('/', 'site.test'), allowExternalLinks: true, sitemap: 'skip' }
    expect((await crawler().run(wish)).data).toHaveLength(5)
    const abroad = site.visits.filter(({ url }) => /other.test.*(?<!robots\.txt)$/.test(url)).map(({ at }) => at)
    expect(abroad).toHaveLength(4)
    expect(abroad.slice(1).every((at, index) => at - (abroad[index] ?? 0) >= 190)).toBe(true)
  })

  test('forbids URLs, and the crawl visits none of them', async () => {
    const site = await siteOf({
      '/robots.txt': text('User-agent: *\nDisallow: /no\nDisallow: /*?secret'),
      '/': ['/no', '/no/more', '/yes?secret=1', '/yes', '/into', '//other.test/no'],
      '/into': status(302, { location: '/no/behind' }),
      '*': page('/no/deeper'),
    })
    const results = await crawler().run({ url: site.url('/'), sitemap: 'skip' })
    expect(pathsOf(results)).toEqual(['/', '/yes'])
    expect(results.robotsBlocked).toEqual(
      ['/into', '/no', '/no/deeper', '/no/more', '/yes?secret=1'].map((path) => site.url(path)),
    )
    expect(results.status.warning).toContain('robots.txt forbids 5 addresses')
    expect(site.visits.filter(({ url }) => /no|secret/.test(url))).toEqual([])
  })

  test('is requested once per crawl, under the agent name that it is read for', async () => {
    const site = await siteOf({ '/robots.txt': text('User-agent: *\nDisallow: /no'), '/': ['/a', '/no'], '/a': page() })
    const results = await crawler().run({ url: site.url('/'), robotsUserAgent: 'Harbour/1.0' })
    expect(results.robotsBlocked).toEqual([site.url('/no')])
    const robotsVisits = site.visits.filter(({ url }) => url.endsWith('robots.txt'))
    expect(robotsVisits.map(({ headers }) => headers['user-agent'])).toEqual(['Harbour/1.0'])
  })
})

describe.concurrent('a sitemap', () => {
  test('with very many pages is read as far as the limit needs', async () => {
    const parts = range(12).map((at) => `/part/${at}.xml`)
    const index = (origin: string) => parts.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join('')
    const site = await siteOf({
      '/robots.txt': ({ origin }, response) => response.end(`Sitemap: ${origin}/sitemap.xml`),
      '/sitemap.xml': ({ origin }, response) => response.end(`<sitemapindex>${index(origin)}</sitemapindex>`),
      ...Object.fromEntries(
        parts.map((path): [string, Answer] => [
          path,
          ({ origin }, response) =>
            response.end(
              sitemap(
                range(3000).map((at) => `${path}/${at}`),
                origin,
              ),
            ),
        ]),
      ),
      '*': page(),
    })
    const results = await crawler().run({ url: site.url('/'), limit: 10 })
    expect(results.data).toHaveLength(10)
    const read = site.visits.map(({ url }) => new URL(url).pathname).filter((path) => path.endsWith('.xml'))
    expect(read).toEqual(['/sitemap.xml', '/part/0.xml'])
  })

  test('that never responds does not delay a crawl that has all its pages', async () => {
    const site = await siteOf({
      '/robots.txt': status(404),
      '/sitemap.xml': () => {},
      '/': range(10).map((at) => `/a/${at}`),
      '*': page(),
    })
    expect((await crawler().run({ url: site.url('/'), limit: 5 })).status).toMatchObject({ completed: 5, total: 5 })
  }, 10_000)

  test('that is broken is reported, and the crawl continues by links', async () => {
    const site = await siteOf({
      '/robots.txt': ({ origin }, response) => response.end(`Sitemap: ${origin}/map.xml`),
      '/map.xml': status(500),
      '/': ['/a'],
      '/a': page(),
    })
    const results = await crawler().run({ url: site.url('/') })
    expect(pathsOf(results)).toEqual(['/', '/a'])
    expect(results.status.warning).toContain('sitemap')
  })
})
