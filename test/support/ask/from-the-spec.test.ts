import { afterAll, beforeAll, expect } from 'vitest'
import type { SupportAnswer } from '../../../src/engine/support/ask/ask-support.ts'
import { localTeam } from '../../../src/app/app.ts'
import { startEngine } from '../../e2e/search-engine.ts'
import { answer, html, type Route } from '../../helpers/site/route.ts'
import type { Site } from '../../helpers/site.ts'
import { diagnosed, doing, type Input, linksTo, page, report, type Service } from './diagnosed.ts'
import { unforeseen, unforeseenLater } from './from-the-spec.ts'
import { service, startBrokenSite } from './kit.ts'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A page that differs by a header of the request. */
const byHeader =
  (header: string, textFor: (value: string) => string): Route =>
  (exchange) =>
    html(page(`<p>${textFor(String(exchange.request.headers[header] ?? ''))}</p>`))(exchange)
const greetings: Readonly<Record<string, string>> = { de: 'Willkommen bei uns.', ja: 'Youkoso.' }

let site: Site
beforeAll(async () => {
  site = await startBrokenSite({
    routes: {
      '/robots.txt': answer(404, {}),
      '/sitemap.xml': answer(404, {}),
      '/docs/start': html(page(linksTo('/blog/one', '/blog/two'))),
      '/blog/*': html(page()),
      '/home': html(page(linksTo('/blog/one', '/news/one', '/news/two'))),
      '/news/*': html(page()),
      '/product': html(page('<p class="price">It costs 40 euros in this shop today.</p>')),
      '/list': html(page(linksTo('/list?page=2', '/list?page=3', '/list?page=4'))),
      '/pictures': html(page(`<img alt="A dot" src="data:image/png;base64,${pixel}">`)),
      '/local': byHeader('accept-language', (value) => greetings[value.slice(0, 2)] ?? 'Welcome to us.'),
      '/sized': byHeader('user-agent', (value) => (/Mobile/.test(value) ? 'Small.' : 'The large page, with a table.')),
      '/prodcuts': answer(404, { 'content-type': 'text/html' }, page('<p>Sorry, nothing here.</p>')),
      '/report.pdf': answer(200, { 'content-type': 'application/pdf' }, report),
      '/two-sites': (exchange) => {
        const other = exchange.origin.replace('127.0.0.1', 'localhost')
        return html(page(linksTo(...['one', 'two', 'three'].map((name) => `${other}/blog/${name}`))))(exchange)
      },
      '/hook': answer(200, {}),
    },
  })
})
afterAll(() => site?.close())

const { scraped, crawled } = doing(() => site)
const told = (events: string[]) => async (): Promise<Service> => {
  const made = service()
  const before = site.requests.length
  await made.crawl({ url: site.url('/list'), webhook: { url: site.url('/hook'), events } })
  await expect.poll(() => site.requests.slice(before).some(({ url }) => url === '/hook')).toBe(true)
  return made
}
const searched = (options: Input) => async (): Promise<Service> => {
  const old = { title: 'Lighthouses', content: 'All about them.', publishedDate: '2020-01-01T00:00:00' }
  const engine = await startEngine(() => ({ general: [{ ...old, url: 'https://lights.example.com/' }] }))
  const made = service({ GOSSAMER_SEARXNG_URL: engine.url, GOSSAMER_SEARCH_PROVIDERS: 'searxng' })
  const { output } = await made.call('search', { query: 'lighthouses', ...options })
  expect(output?.['data']).toEqual({ web: [] })
  await engine.stop()
  return made
}
/** Asked by a team without permissions. */
const notGranted = (operation: string, options: Input) => async (): Promise<Service> => {
  const made = service()
  const team = { ...localTeam, permissions: [] }
  const { code } = await made.call(operation, { url: site.url('/list'), ...options }, { team })
  expect(code).toBe('PERMISSION_REQUIRED')
  return {
    ...made,
    ask: async (question) =>
      (await made.call('support_ask', { question }, { team })).output as SupportAnswer | undefined,
  }
}

const done: Readonly<Record<string, () => Promise<Service>>> = {
  'PDF comes as base64': scraped('/report.pdf', { parsers: [] }),
  'links lead beside the start': crawled('/docs/start'),
  'excludeTags takes what is wanted': scraped('/product', { excludeTags: ['.price'] }),
  'events not subscribed': told(['completed']),
  'wrong language': scraped('/local', {}),
  'inline pictures replaced': scraped('/pictures', {}),
  'time filter too narrow': searched({ tbs: 'qdr:h' }),
  'permission of the operator': notGranted('crawl', { ignoreRobotsTxt: true }),
  'excludePaths takes a section': crawled('/home', () => ({ excludePaths: ['^/news'], crawlEntireDomain: true })),
  'PDF cut at maxPages': scraped('/report.pdf', { parsers: [{ type: 'pdf', maxPages: 1 }] }),
  'domain without results': searched({ includeDomains: ['example.org'] }),
  'zero data retention that is not granted': notGranted('scrape', { zeroDataRetention: true }),
  'begin of a job is not told': told(['page', 'completed']),
  'the page for phones': scraped('/sized', { mobile: true }),
}

diagnosed('devised from the description of the API alone', unforeseen, done)
diagnosed('devised before the first figure was acted on', unforeseenLater, done)
