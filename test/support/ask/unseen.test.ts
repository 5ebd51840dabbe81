import { afterAll, beforeAll, expect } from 'vitest'
import { rawPdf, stream } from '../../document/pdf/raw-pdf.ts'
import { startEngine } from '../../e2e/search-engine.ts'
import { answer, html } from '../../helpers/site/route.ts'
import type { Site } from '../../helpers/site.ts'
import { diagnosed } from './diagnosed.ts'
import { service, startBrokenSite } from './kit.ts'
import { unseen, unseenLater } from './unseen.ts'

const words = 'Some words of the page, enough of them to be read as its content by whoever reads it. '.repeat(5)
const page = (more = '') => `<!doctype html><title>A page</title><main><h1>A page</h1><p>${words}</p>${more}</main>`
const linksTo = (...urls: string[]) => urls.map((url) => `<a href="${url}">To ${url}</a>`).join(' ')

const sheet = '/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >>'
const said = (text: string) => stream(`BT /F1 12 Tf 60 780 Td (${text}) Tj ET`)
const report = rawPdf([
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>',
  `<< ${sheet} /Contents 4 0 R >>`,
  said('The report of the harbour begins with the boats of the year.'),
  '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
  `<< ${sheet} /Contents 7 0 R >>`,
  said('On its second page it says what they brought.'),
])

let site: Site
beforeAll(async () => {
  site = await startBrokenSite({
    routes: {
      '/robots.txt': (exchange) =>
        answer(200, { 'content-type': 'text/plain' }, `Sitemap: ${exchange.origin}/map.xml`)(exchange),
      '/sitemap.xml': answer(404, {}),
      '/map.xml': (exchange) =>
        answer(
          200,
          { 'content-type': 'application/xml' },
          `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${exchange.origin}/docs/lonely</loc></url></urlset>`,
        )(exchange),
      '/docs/*': html(page(linksTo('/docs/one', '/docs/two'))),
      '/long': html(page('<p style="height:4000px">Far down.</p>')),
      '/with-menu': html(
        `<!doctype html><title>A page</title><nav>${linksTo('/a', '/b')}</nav><main><p>${words}</p></main>`,
      ),
      '/report.pdf': answer(200, { 'content-type': 'application/pdf' }, report),
      '/hook': answer(200, {}),
    },
  })
})
afterAll(() => site?.close())

type Service = ReturnType<typeof service>
type Input = Record<string, unknown>

const did =
  (...calls: [operation: string, input: () => Input, code?: string][]) =>
  async (): Promise<Service> => {
    const made = service()
    for (const [operation, input, expected] of calls) {
      const { code } = await made.call(operation, input())
      expect(code).toBe(expected)
    }
    return made
  }
const scraped = (path: string, options: Input, code?: string) =>
  did([
    'scrape',
    () => ({ url: site.url(path), ...options }),
    ...(code === undefined ? ([] as const) : ([code] as const)),
  ])
const crawled = (path: string, options: () => Input) => async (): Promise<Service> => {
  const made = service()
  await made.crawl({ url: site.url(path), ...options() })
  return made
}
const searched = (options: Input, known: number, code?: string) => async (): Promise<Service> => {
  const engine = await startEngine(() => ({
    general: Array.from({ length: known }, (_, at) => ({
      title: 'Lighthouses',
      content: 'All about lighthouses.',
      url: `https://lights.example.com/${at}`,
    })),
  }))
  const made = service({ GOSSAMER_SEARXNG_URL: engine.url, GOSSAMER_SEARCH_PROVIDERS: 'searxng' })
  expect((await made.call('search', { query: 'lighthouses', ...options })).code).toBe(code)
  await engine.stop()
  return made
}
/** In sessions with these options, one after the other. */
const inSession =
  (options: Input, code: Input, times = 1) =>
  async (): Promise<Service> => {
    const made = service()
    for (let time = 0; time < times; time++) {
      const { output } = await made.call('browser_create', { ...options })
      await made.call('browser_execute', { sessionId: output?.['id'], ...code })
      await made.call('browser_close', { sessionId: output?.['id'] })
    }
    return made
  }

const done: Readonly<Record<string, () => Promise<Service>>> = {
  'Python in a session without language': inSession({}, { code: 'for x in range(3):\n    print(x)' }),
  'code cut off by its timeout': inSession({}, { code: 'await new Promise((r) => setTimeout(r, 5000))', timeout: 1 }),
  'includeDomains and excludeDomains at once': searched(
    { includeDomains: ['example.com'], excludeDomains: ['example.org'] },
    1,
    'BAD_REQUEST',
  ),
  'waitFor longer than half of timeout': scraped('/docs/one', { waitFor: 8000, timeout: 10_000 }, 'BAD_REQUEST'),
  'pages that only the sitemap names': crawled('/docs/start', () => ({ sitemap: 'skip' })),
  'only the top of a page in the picture': scraped('/long', { formats: ['screenshot'] }),
  'search without the text of the pages': searched({}, 3),
  'a profile that only reads': inSession(
    { profile: { name: 'shop', saveChanges: false } },
    { code: 'await page.context().addCookies([{ name: "a", value: "b", url: "https://example.com" }])' },
    2,
  ),
  'cancel of a crawl that has ended': async () => {
    const made = service()
    const { id } = await made.crawl({ url: site.url('/docs/start') })
    expect((await made.call('crawl_cancel', { id })).code).toBe('JOB_IS_OVER')
    return made
  },
  'headers keep a page out of the cache': did(
    ['scrape', () => ({ url: site.url('/docs/one'), headers: { Cookie: 'a=b' } })],
    ['scrape', () => ({ url: site.url('/docs/one'), headers: { Cookie: 'a=b' } })],
  ),
  'a PDF costs a credit for each page': scraped('/report.pdf', {}),
  'addresses that are none, in a batch': async () => {
    const made = service()
    await made.call('batch_scrape', { urls: [site.url('/docs/one'), 'no address', 'ftp://example.com/x'] })
    return made
  },
  'one page at a time by maxConcurrency': crawled('/docs/start', () => ({ maxConcurrency: 1 })),
  'a whole address as a pattern': crawled('/docs/start', () => ({ includePaths: [`^${site.url('/docs/')}`] })),
  'links were not asked for': scraped('/docs/one', { formats: ['markdown'] }),
  'menus in the text': scraped('/with-menu', { onlyMainContent: false }),
  'few results by limit': searched({ limit: 3 }, 30),
  'a query of more than 500 characters': searched({ query: 'light '.repeat(100) }, 1, 'BAD_REQUEST'),
  'actions on a PDF': scraped(
    '/report.pdf',
    { actions: [{ type: 'scroll', direction: 'down' }] },
    'SCRAPE_ACTIONS_NOT_SUPPORTED',
  ),
  'events without a signature': crawled('/docs/start', () => ({ webhook: site.url('/hook') })),
}

diagnosed('devised before any rule was read', unseen, done)
diagnosed('devised by who had written some of the rules, and first tried once those were mended', unseenLater, done)
