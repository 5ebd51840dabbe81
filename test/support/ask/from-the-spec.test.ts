import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SupportAnswer } from '../../../src/engine/support/ask/ask.ts'
import { localTeam } from '../../../src/app/app.ts'
import { answer, html } from '../../helpers/site/route.ts'
import { type Site, startSite } from '../../helpers/site.ts'
import { startEngine } from '../../e2e/search-engine.ts'
import { unforeseen } from './from-the-spec.ts'
import { service } from './kit.ts'

const words = 'Some words of the page, enough of them to be read as its content by whoever reads it. '.repeat(5)
const page = (more = '') =>
  `<!doctype html><title>A page</title><main><h1>A page</h1><p>${words}</p>${more}</main>`
const list = Array.from({ length: 5 }, (_, at) => `<a href="/list?page=${at + 2}">Page ${at + 2}</a>`).join(' ')
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/robots.txt': answer(404, {}),
      '/sitemap.xml': answer(404, {}),
      '/docs/start': html(page('<a href="/blog/one">One</a> <a href="/blog/two">Two</a>')),
      '/blog/*': html(page()),
      '/product': html(page(`<p class="price">It costs 40 euros in this shop today.</p>`)),
      '/list': html(page(list)),
      '/pictures': html(page(`<img alt="A dot" src="data:image/png;base64,${pixel}">`)),
      '/local': async (exchange) => {
        const isGerman = /^de/.test(exchange.request.headers['accept-language'] ?? '')
        await html(page(isGerman ? '<p>Willkommen bei uns.</p>' : '<p>Welcome to us.</p>'))(exchange)
      },
      '/prodcuts': answer(404, { 'content-type': 'text/html' }, page('<p>Sorry, nothing here.</p>')),
      '/hook': answer(200, {}),
    },
  })
})
afterAll(() => site?.close())

const made: Record<string, () => Promise<SupportAnswer | undefined>> = {}
const happens = (name: string, make: (asks: string) => Promise<SupportAnswer | undefined>) => {
  const { asks = '' } = unforeseen.find((each) => each.name === name) ?? {}
  made[name] = () => make(asks)
}

happens('PDF comes as base64', async (asks) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/files/text.pdf'), parsers: [] })
  return ask(asks)
})
happens('minAge without a copy', async (asks) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/product'), minAge: 1000 })
  return ask(asks)
})
happens('links lead beside the start', async (asks) => {
  const { crawl, ask } = service()
  await crawl({ url: site.url('/docs/start') })
  return ask(asks)
})
happens('excludeTags takes what is wanted', async (asks) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/product'), excludeTags: ['.price'] })
  return ask(asks)
})
happens('pages told apart by the query only', async (asks) => {
  const { crawl, ask } = service()
  await crawl({ url: site.url('/list'), ignoreQueryParameters: true })
  return ask(asks)
})
happens('slow by delay', async (asks) => {
  const { crawl, ask } = service()
  await crawl({ url: site.url('/list'), delay: 1 })
  return ask(asks)
})
happens('events not subscribed', async (asks) => {
  const { crawl, ask } = service()
  await crawl({ url: site.url('/list'), webhook: { url: site.url('/hook'), events: ['completed'] } })
  await expect.poll(() => site.requests.filter(({ url }) => url === '/hook').length).toBe(1)
  return ask(asks)
})
happens('wrong language', async (asks) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/local') })
  return ask(asks)
})
happens('inline pictures replaced', async (asks) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/pictures') })
  return ask(asks)
})
happens('mistyped path', async (asks) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/prodcuts') })
  return ask(asks)
})
happens('time filter too narrow', async (asks) => {
  const engine = await startEngine(() => ({
    general: [{ url: site.url('/product'), title: 'Lighthouses', content: 'Old.', publishedDate: '2020-01-01T00:00:00' }],
  }))
  const { call, ask } = service({ GOSSAMER_SEARXNG_URL: engine.url, GOSSAMER_SEARCH_PROVIDERS: 'searxng' })
  const { output } = await call('search', { query: 'lighthouses', tbs: 'qdr:h' })
  expect(output?.['data']).toEqual({ web: [] })
  await engine.stop()
  return ask(asks)
})
happens('permission of the operator', async (asks) => {
  const { call, ask } = service()
  const team = { ...localTeam, permissions: [] }
  const { code } = await call('crawl', { url: site.url('/list'), ignoreRobotsTxt: true }, { team })
  expect(code).toBe('PERMISSION_REQUIRED')
  return ask(asks)
})

test.each(unforeseen)('$name', { timeout: 60_000 }, async ({ name, says, fix }) => {
  const answered = await made[name]?.()
  console.log(name, JSON.stringify(answered, null, 1))
  for (const part of says) expect(answered?.answer).toMatch(part)
  expect(answered?.fixParameters).toEqual(fix)
  expect(answered?.feedback).toBeNull()
})
