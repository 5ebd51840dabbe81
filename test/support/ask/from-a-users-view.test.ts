import { afterAll, beforeAll, expect } from 'vitest'
import { answer, html, numberIn } from '../../helpers/site/route.ts'
import type { Site } from '../../helpers/site.ts'
import { diagnosed } from './diagnosed.ts'
import { fromAUsersView } from './from-a-users-view.ts'
import { service, startBrokenSite } from './kit.ts'

const words = 'Some words of the page, enough of them to be read as its content by whoever reads it. '.repeat(5)
const page = (more = '') => `<!doctype html><title>A page</title><main><h1>A page</h1><p>${words}</p>${more}</main>`
const linksTo = (...urls: string[]) => urls.map((url) => `<a href="${url}">To ${url}</a>`).join(' ')

let site: Site
beforeAll(async () => {
  site = await startBrokenSite({
    routes: {
      '/robots.txt': answer(404, {}),
      '/sitemap.xml': answer(404, {}),
      '/docs/': html(page(linksTo('/docs/one', '/docs/two', '/docs/three', '/docs/four'))),
      '/docs/*': html(page()),
      '/deep/*': async (exchange) => {
        const next = numberIn(exchange.url) + 1
        await html(page(linksTo(`/deep/${next}`)))(exchange)
      },
      '/shop/': html(page(linksTo('http://help.localhost:1/a', 'http://help.localhost:1/b'))),
    },
  })
})
afterAll(() => site?.close())

type Service = ReturnType<typeof service>
type Input = Record<string, unknown>

/** The calls, each with the error that it ends in. */
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
const crawled = (input: () => Input) => async (): Promise<Service> => {
  const made = service()
  await made.crawl(input())
  return made
}
const nobodys = '0190c2a0-0000-7000-8000-000000000000'

const done: Readonly<Record<string, () => Promise<Service>>> = {
  'pages that the crawl found too deep': crawled(() => ({ url: site.url('/deep/'), maxDiscoveryDepth: 1 })),
  'a browser without a live view': did(['browser_create', () => ({ streamWebView: false })]),
  'a limit of results that is not allowed': did(['search', () => ({ query: 'boats', limit: 500 }), 'BAD_REQUEST']),
  'a session that would live too long': did(['browser_create', () => ({ ttl: 86_400 }), 'BAD_REQUEST']),
  'neither code nor prompt': did([
    'interact',
    () => ({ jobId: nobodys, code: '1', prompt: 'Click on it.' }),
    'BAD_REQUEST',
  ]),
  'whole address in includeDomains': did([
    'search',
    () => ({ query: 'boats', includeDomains: ['https://example.org/docs'] }),
    'BAD_REQUEST',
  ]),
  'copies of two days': did(
    ['scrape', () => ({ url: site.url('/docs/one') })],
    ['scrape', () => ({ url: site.url('/docs/one') })],
  ),
  'the crawl is cut at its limit': crawled(() => ({ url: site.url('/docs/'), limit: 2 })),
  'a crawl that leaves out other subdomains': crawled(() => ({
    url: site.url('/shop/').replace('127.0.0.1', 'localhost'),
  })),
  'ads in the page': did(['scrape', () => ({ url: site.url('/docs/one'), blockAds: false })]),
  'too much clicking for one call': did([
    'scrape',
    () => ({
      url: site.url('/docs/one'),
      actions: Array.from({ length: 60 }, () => ({ type: 'wait', milliseconds: 1 })),
    }),
    'BAD_REQUEST',
  ]),
  'an id of nothing': did(['crawl_status', () => ({ id: nobodys }), 'JOB_NOT_FOUND']),
}

diagnosed('devised from a user’s view of the public API', fromAUsersView, done)
