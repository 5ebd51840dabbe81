import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createFetcher } from '../../src/engine/net/http/client.ts'
import { readSitemaps, type SitemapsRequest } from '../../src/engine/net/sitemap/read-sitemaps.ts'
import { sitemapUrls } from '../../src/engine/net/sitemap/sitemap-entries.ts'
import { type Site, startSite } from '../helpers/site.ts'
import { answer, type Route, type Routes } from '../helpers/site/route.ts'
import { forTest } from '../helpers/for-all.ts'
import { ruleForAll } from './rule-for-all.ts'

const xml = (body: string | Uint8Array) => answer(200, { 'content-type': 'application/xml' }, body)
const locs = (tag: string, paths: readonly string[]) =>
  paths.map((path) => `<${tag}><loc>${path}</loc></${tag}>`).join('')
const urlset = (...paths: string[]) => `<urlset>${locs('url', paths)}</urlset>`
const index = (...paths: string[]) => `<sitemapindex>${locs('sitemap', paths)}</sitemapindex>`

async function siteWith(routes: Routes): Promise<Site> {
  return forTest(await startSite({ routes }))
}

/** The contents of the sitemaps at these paths. */
async function read(site: Site, paths: readonly string[], request: Partial<SitemapsRequest> = {}) {
  const fetcher = forTest(createFetcher({ ruleOf: ruleForAll(['127.0.0.1']), userAgent: 'gossamer-test/1' }))
  const notes: string[] = []
  const found: string[] = []
  const batches = readSitemaps(fetcher.fetchPage, {
    urls: paths.map(site.url),
    teamId: 'team',
    headers: {},
    skipTlsVerification: false,
    signal: new AbortController().signal,
    maxUrls: 1_000_000,
    note: (text) => notes.push(text),
    ...request,
  })
  for await (const batch of batches) found.push(...batch.map(({ url }) => url.replace(site.origin, '')))
  return { found, notes }
}
const seen = (site: Site) => site.requests.map((request) => request.headers)
const requestedPaths = (site: Site) => site.requests.map(({ url }) => url)

test('an index leads to its files, compressed or not, including nested ones', async () => {
  const site = await siteWith({
    '/sm/index.xml': xml(index('/sm/a.xml.gz', '/sm/inner.xml', '/sm/c.txt')),
    '/sm/a.xml.gz': answer(200, { 'content-type': 'application/x-gzip' }, gzipSync(urlset('/a1', '/a2'))),
    '/sm/inner.xml': xml(index('/sm/d.xml')),
    '/sm/c.txt': ({ response, origin }) => void response.end(`${origin}/c1\n`),
    '/sm/d.xml': xml(urlset('/d1')),
  })
  expect(await read(site, ['/sm/index.xml'])).toEqual({ found: ['/a1', '/a2', '/c1', '/d1'], notes: [] })
})

test('pages are in the order of the files, whichever arrives first', async () => {
  const slowFirst: Route = (exchange) => {
    setTimeout(() => void xml(urlset('/slow'))(exchange), 100)
  }
  const site = await siteWith({ '/sm/slow.xml': slowFirst, '/sm/quick.xml': xml(urlset('/quick')) })
  expect((await read(site, ['/sm/slow.xml', '/sm/quick.xml'])).found).toEqual(['/slow', '/quick'])
})

test('at most four files are fetched at a time', async () => {
  let open = 0
  let most = 0
  const counted: Route = (exchange) => {
    open += 1
    most = Math.max(most, open)
    setTimeout(() => {
      open -= 1
      void xml(urlset(exchange.url.pathname))(exchange)
    }, 20)
  }
  const files = Array.from({ length: 12 }, (_, at) => `/sm/part/${at}`)
  const site = await siteWith({ '/sm/index.xml': xml(index(...files)), '/sm/part/*': counted })
  expect((await read(site, ['/sm/index.xml'])).found).toEqual(files)
  expect(most).toBe(4)
})

test('cycles end, and each file is fetched once', async () => {
  const site = await siteWith({
    '/sm/a.xml': xml(index('/sm/b.xml', '/sm/a.xml', '/sm/b.xml#again')),
    '/sm/b.xml': xml(index('/sm/a.xml') + urlset('/page')),
  })
  await read(site, ['/sm/a.xml', '/sm/a.xml'])
  expect(requestedPaths(site)).toEqual(['/sm/a.xml', '/sm/b.xml'])
})

test('indexes are followed three deep', async () => {
  const site = await siteWith({
    '/sm/deep/*': ({ response, url }) => void response.end(index(`/sm/deep/${Number(url.pathname.slice(9)) + 1}`)),
  })
  const { notes } = await read(site, ['/sm/deep/0'])
  expect(requestedPaths(site)).toEqual(['/sm/deep/0', '/sm/deep/1', '/sm/deep/2', '/sm/deep/3'])
  expect(notes).toEqual(['Sitemaps are nested more than 3 indexes deep; deeper ones were skipped.'])
})

test('at most 500 files of sitemap indexes are fetched', async () => {
  const files = Array.from({ length: 600 }, (_, at) => `/sm/part/${at}`)
  const site = await siteWith({
    '/sm/index.xml': xml(index(...files)),
    '/sm/part/*': ({ response, url }) => void response.end(urlset(url.pathname)),
  })
  const { found, notes } = await read(site, ['/sm/index.xml'])
  expect(found).toEqual(files.slice(0, 500))
  expect(notes).toEqual(['The sitemaps name more than 500 others; the rest was skipped.'])
})

test('a file with another status of success is read', async () => {
  const site = await siteWith({ '/sm/a.xml': answer(203, { 'content-type': 'application/xml' }, urlset('/a')) })
  expect(await read(site, ['/sm/a.xml'])).toEqual({ found: ['/a'], notes: [] })
})

describe('a file that fails is recorded and the others are read', () => {
  test.each([
    ['/status/404', 'A sitemap returned status 404 and was skipped.'],
    ['/status/500', 'A sitemap returned status 500 and was skipped.'],
    ['/hang', 'A sitemap did not load within 0.2 s and was skipped.'],
    ['/drip', 'A sitemap did not load within 0.2 s and was skipped.'],
    ['/plain', 'A sitemap holds no URLs: the site answered with something else.'],
    ['/redirect/loop', 'A sitemap could not be fetched and was skipped. The site redirects in a loop.'],
  ])('%s: %s', async (path, note) => {
    const site = await siteWith({ '/sm/a.xml': xml(urlset('/a')) })
    expect(await read(site, [path, '/sm/a.xml'], { fileTimeoutMs: 200 })).toEqual({ found: ['/a'], notes: [note] })
  })

  test('and its address is recorded separately from the text', async () => {
    const site = await siteWith({})
    const places: string[] = []
    await read(site, ['/status/404'], { note: (_, url) => void places.push(url) })
    expect(places).toEqual([site.url('/status/404')])
  })
})

test('private addresses in an index are not fetched', async () => {
  const site = await siteWith({ '/sm/index.xml': xml(index('http://10.0.0.1/s.xml', 'file:///etc/passwd')) })
  const { notes } = await read(site, ['/sm/index.xml'])
  expect(notes).toEqual([expect.stringMatching(/^A sitemap could not be fetched and was skipped\. The address is/)])
})

describe('headers', () => {
  const headers = { Authorization: 'Bearer x', Cookie: 'id=1', 'X-Plain': 'stays' }

  test('are sent to their own origin, and only harmless ones to others', async () => {
    const other = await siteWith({ '/sm/other.xml': xml(urlset('/o')) })
    const site = await siteWith({ '/sm/index.xml': xml(index(other.url('/sm/other.xml'))) })
    await read(site, ['/sm/index.xml'], { headers, origin: site.origin })
    expect(seen(site)[0]).toMatchObject({ authorization: 'Bearer x', cookie: 'id=1', 'x-plain': 'stays' })
    expect(seen(other)[0]).toMatchObject({ 'x-plain': 'stays' })
    expect(Object.keys(seen(other)[0]!)).not.toEqual(expect.arrayContaining([expect.stringMatching(/auth|cookie/)]))
  })

  test('with credentials are not sent if their site is unknown', async () => {
    const site = await siteWith({ '/sm/a.xml': xml(urlset('/a')) })
    await read(site, ['/sm/a.xml'], { headers })
    expect(seen(site)[0]).not.toHaveProperty('authorization')
  })
})

describe('reading ends', () => {
  const manyPages = urlset(...Array.from({ length: 5000 }, (_, at) => `/p/${at}`))

  test('at the requested number of pages, without further requests', async () => {
    const site = await siteWith({ '/sm/a.xml': xml(manyPages), '/sm/never/*': xml(urlset('/never')) })
    const later = Array.from({ length: 20 }, (_, at) => `/sm/never/${at}`)
    const { found } = await read(site, ['/sm/a.xml', ...later], { maxUrls: 1500 })
    expect(found).toEqual(Array.from({ length: 1500 }, (_, at) => `/p/${at}`))
    expect(requestedPaths(site).length).toBeLessThanOrEqual(5)
  })

  test('when the consumer stops, and pending requests are aborted', async () => {
    const site = await siteWith({ '/sm/a.xml': xml(manyPages) })
    const fetcher = forTest(createFetcher({ ruleOf: ruleForAll(['127.0.0.1']), userAgent: 'gossamer-test/1' }))
    const signals: AbortSignal[] = []
    const batches = readSitemaps(
      (request) => {
        signals.push(request.signal)
        return fetcher.fetchPage(request)
      },
      {
        urls: [site.url('/sm/a.xml'), site.url('/hang')],
        teamId: 'team',
        headers: {},
        skipTlsVerification: false,
        signal: new AbortController().signal,
        maxUrls: 9999,
        note: () => {},
      },
    )
    for await (const batch of batches) {
      expect(batch).toHaveLength(1000)
      break
    }
    expect(signals).toHaveLength(2)
    expect(signals.every(({ aborted }) => aborted)).toBe(true)
  })

  test('with the reason of the caller', async () => {
    const control = new AbortController()
    const site = await siteWith({ '/sm/a.xml': () => control.abort(new Error('enough')) })
    await expect(read(site, ['/sm/a.xml'], { signal: control.signal })).rejects.toThrow('enough')
  })
})

const at = (...paths: string[]) => paths.map((path) => `https://site.example${path}`)

describe('possible URLs of sitemaps', () => {
  test.each([
    ['https://site.example', at('/sitemap.xml', '/sitemap_index.xml')],
    ['https://site.example/docs', at('/docs/sitemap.xml', '/sitemap.xml', '/sitemap_index.xml')],
    ['https://site.example/docs/?page=1#top', at('/docs/sitemap.xml', '/sitemap.xml', '/sitemap_index.xml')],
    ['https://site.example/docs/index.html', at('/docs/sitemap.xml', '/sitemap.xml', '/sitemap_index.xml')],
    ['https://site.example/docs/v1.2/', at('/docs/v1.2/sitemap.xml', '/sitemap.xml', '/sitemap_index.xml')],
    ['https://site.example/index.html', at('/sitemap.xml', '/sitemap_index.xml')],
    ['https://me:pw@a.test:81/', ['https://a.test:81/sitemap.xml', 'https://a.test:81/sitemap_index.xml']],
    ['nowhere', []],
  ])('for %s are %j', (start, expected) => expect(sitemapUrls(start, [])).toEqual(expected))

  test('start with those of robots.txt, each once', () => {
    const named = ['https://cdn.example/map.xml', ...at('/sitemap.xml'), 'https://cdn.example/map.xml', 'x']
    expect(sitemapUrls('https://site.example/a/', named)).toEqual([
      'https://cdn.example/map.xml',
      ...at('/sitemap.xml', '/a/sitemap.xml', '/sitemap_index.xml'),
    ])
  })
})
