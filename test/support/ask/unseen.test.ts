import { afterAll, beforeAll, expect } from 'vitest'
import { startEngine } from '../../e2e/search-engine.ts'
import { answer, html } from '../../helpers/site/route.ts'
import type { Site } from '../../helpers/site.ts'
import { diagnosed, doing, type Input, linksTo, page, report, type Service, words } from './diagnosed.ts'
import { service, startBrokenSite } from './kit.ts'
import { unseen, unseenLater } from './unseen.ts'

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

const { scraped, crawled } = doing(() => site)
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
  'pages that only the sitemap names': crawled('/docs/start', () => ({ sitemap: 'skip' })),
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
  'addresses that are none, in a batch': async () => {
    const made = service()
    await made.call('batch_scrape', { urls: [site.url('/docs/one'), 'no address', 'ftp://example.com/x'] })
    return made
  },
  'a host in a pattern': crawled('/docs/start', () => ({ includePaths: [`127.0.0.1:${site.port}/docs/`] })),
  'menus in the text': scraped('/with-menu', { onlyMainContent: false }),
  'actions on a PDF': scraped(
    '/report.pdf',
    { actions: [{ type: 'scroll', direction: 'down' }] },
    'SCRAPE_ACTIONS_NOT_SUPPORTED',
  ),
  'events without a signature': crawled('/docs/start', () => ({ webhook: site.url('/hook') })),
}

diagnosed('devised before any rule was read', unseen, done)
diagnosed('devised by who had written some of the rules, and first tried once those were mended', unseenLater, done)
