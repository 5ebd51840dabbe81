import { afterAll, beforeAll } from 'vitest'
import { answer, html, numberIn } from '../../helpers/site/route.ts'
import type { Site } from '../../helpers/site.ts'
import { did, diagnosed, doing, linksTo, page, type Service } from './diagnosed.ts'
import { fromAUsersView } from './from-a-users-view.ts'
import { startBrokenSite } from './kit.ts'

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
    },
  })
})
afterAll(() => site?.close())

const { crawled } = doing(() => site)
const nobodys = '0190c2a0-0000-7000-8000-000000000000'

const done: Readonly<Record<string, () => Promise<Service>>> = {
  'pages that the crawl found too deep': crawled('/deep/', () => ({ maxDiscoveryDepth: 1 })),
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
  'too much clicking for one call': did([
    'scrape',
    () => ({
      url: site.url('/docs/one'),
      actions: Array.from({ length: 60 }, () => ({ type: 'wait', milliseconds: 1 })),
    }),
    'BAD_REQUEST',
  ]),
}

diagnosed('devised from a user’s view of the public API', fromAUsersView, done)
