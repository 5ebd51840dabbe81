import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { mapSite } from '../../../src/engine/crawl/map/map-site.ts'
import { readHtml } from '../../../src/engine/html/page/read-parts.ts'
import { createFetcher } from '../../../src/engine/net/http/client.ts'
import { MapInput } from '../../../src/schema/crawl-schema.ts'
import { fakeCtx, fakeWorld } from '../../helpers/fakes.ts'
import { siteForAll } from '../../helpers/for-all.ts'
import { answer, html } from '../../helpers/site/route.ts'
import { linking } from './world.ts'
import { ruleForAll } from '../../net/rule-for-all.ts'

const fetcher = createFetcher({ ruleOf: ruleForAll(['127.0.0.1']), userAgent: 'test' })
const world = fakeWorld()
const ports = {
  ...world.ports,
  fetchPage: fetcher.fetchPage,
  readHtml: async (request: Parameters<typeof readHtml>[0]) => readHtml(request),
}
const busy = { now: 0, most: 0 }
const site = siteForAll({
  routes: {
    '/map-site/': html(
      linking({ old: 'Moved', gone: 'Gone', '/map-site/long-gone': 'Long gone', film: 'Film' }, 'Home'),
    ),
    '/sitemap.xml': answer(404, {}),
    '/sitemap_index.xml': answer(404, {}),
    '/map-site/old': answer(301, { location: '/map-site/new' }),
    '/map-site/new': html(linking({}, 'New')),
    '/map-site/gone': answer(410, { 'content-type': 'text/html' }, 'gone'),
    '/map-site/long-gone': answer(404, { 'content-type': 'text/html' }, 'x'.repeat(600_000)),
    '/map-site/film': answer(200, { 'content-type': 'video/mp4' }, 'film'),
    '/map-site/listed/*': async ({ response }) => {
      busy.now += 1
      busy.most = Math.max(busy.most, busy.now)
      await new Promise((resolve) => setImmediate(resolve))
      busy.now -= 1
      response.writeHead(200, { 'content-type': 'text/html' }).end(linking({}, 'Listed'))
    },
    '/robots.txt': ({ response, origin }) => void response.end(`Sitemap: ${origin}/map-site/index.xml.gz\n`),
    '/map-site/index.xml.gz': ({ response, origin }) =>
      void response.end(
        gzipSync(`<sitemapindex><sitemap><loc>${origin}/map-site/1.xml</loc></sitemap></sitemapindex>`),
      ),
    '/map-site/1.xml': ({ response, origin }) =>
      void response.end(
        `<urlset>${Array.from({ length: 120 }, (_, at) => `<url><loc>${origin}/map-site/listed/${at}</loc></url>`).join('')}</urlset>`,
      ),
  },
})
afterAll(() => fetcher.close())

const paths = async (input: Partial<MapInput>) => {
  const links = await mapSite(ports, MapInput.parse({ url: site.url('/map-site/'), ...input }), fakeCtx())
  return links.map(({ url }) => url.replace(site.origin, ''))
}

test('a site over real HTTP is mapped by compressed sitemaps and links', async () => {
  const found = await paths({})
  expect(found.slice(0, 3)).toEqual(['/map-site/', '/map-site/listed/0', '/map-site/listed/1'])
  expect(found.slice(-4)).toEqual(['/map-site/old', '/map-site/gone', '/map-site/long-gone', '/map-site/film'])
  expect(found.length).toBe(125)
})

test('links are verified eight at a time, and long pages that report a 404 count as missing', async () => {
  busy.most = 0
  const found = await paths({ verifyLinks: true })
  expect(found.slice(-2)).toEqual(['/map-site/old', '/map-site/film'])
  expect(found.length).toBe(123)
  expect(busy.most).toBeLessThanOrEqual(8)
})

test('missing pages are left out if links are followed', async () => {
  const found = await paths({ sitemap: 'skip' })
  expect(found).toEqual(['/map-site/', '/map-site/old', '/map-site/film'])
})
