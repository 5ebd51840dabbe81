import { afterAll, beforeAll, expect } from 'vitest'
import { startEngine } from '../../e2e/search-engine.ts'
import { answer, html } from '../../helpers/site/route.ts'
import type { Site } from '../../helpers/site.ts'
import { diagnosed, doing, type Input, linksTo, page, report, type Service } from './diagnosed.ts'
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
      '/report.pdf': answer(200, { 'content-type': 'application/pdf' }, report),
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
const done: Readonly<Record<string, () => Promise<Service>>> = {
  'includeDomains and excludeDomains at once': searched(
    { includeDomains: ['example.com'], excludeDomains: ['example.org'] },
    1,
    'BAD_REQUEST',
  ),
  'pages that only the sitemap names': crawled('/docs/start', () => ({ sitemap: 'skip' })),
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
  'actions on a PDF': scraped(
    '/report.pdf',
    { actions: [{ type: 'scroll', direction: 'down' }] },
    'SCRAPE_ACTIONS_NOT_SUPPORTED',
  ),
}

diagnosed('devised before any rule was read', unseen, done)
diagnosed('devised by who had written some of the rules, and first tried once those were mended', unseenLater, done)
