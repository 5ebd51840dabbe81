import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SupportAnswer } from '../../../src/engine/support/ask/ask-support.ts'
import { localTeam } from '../../../src/app/app.ts'
import { rawPdf, stream } from '../../document/pdf/raw-pdf.ts'
import { startEngine } from '../../e2e/search-engine.ts'
import { answer, html, type Route } from '../../helpers/site/route.ts'
import type { Site } from '../../helpers/site.ts'
import { unforeseen, unforeseenLater } from './from-the-spec.ts'
import { service, startBrokenSite } from './kit.ts'

const words = 'Some words of the page, enough of them to be read as its content by whoever reads it. '.repeat(5)
const page = (more = '') => `<!doctype html><title>A page</title><main><h1>A page</h1><p>${words}</p>${more}</main>`
const linksTo = (...urls: string[]) => urls.map((url) => `<a href="${url}">To ${url}</a>`).join(' ')
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

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

type Service = ReturnType<typeof service>
type Input = Record<string, unknown>

/** What the user did before asking. */
const scraped = (path: string, options: Input) => async (): Promise<Service> => {
  const made = service()
  await made.call('scrape', { url: site.url(path), ...options })
  return made
}
const crawled = (path: string, options: Input) => async (): Promise<Service> => {
  const made = service()
  await made.crawl({ url: site.url(path), ...options })
  return made
}
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
/** By a team to which the operator has granted nothing. */
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
  'minAge without a copy': scraped('/product', { minAge: 1000 }),
  'links lead beside the start': crawled('/docs/start', {}),
  'excludeTags takes what is wanted': scraped('/product', { excludeTags: ['.price'] }),
  'pages told apart by the query only': crawled('/list', { ignoreQueryParameters: true }),
  'slow by delay': crawled('/list', { delay: 1 }),
  'events not subscribed': told(['completed']),
  'wrong language': scraped('/local', {}),
  'inline pictures replaced': scraped('/pictures', {}),
  'mistyped path': scraped('/prodcuts', {}),
  'time filter too narrow': searched({ tbs: 'qdr:h' }),
  'permission of the operator': notGranted('crawl', { ignoreRobotsTxt: true }),
  'excludePaths takes a section': crawled('/home', { excludePaths: ['^/news'], crawlEntireDomain: true }),
  'PDF cut at maxPages': scraped('/report.pdf', { parsers: [{ type: 'pdf', maxPages: 1 }] }),
  'slow by waitFor': scraped('/product', { waitFor: 4000 }),
  'domain without results': searched({ includeDomains: ['example.org'] }),
  'as seen from another country': scraped('/local', {}),
  'zero data retention that is not granted': notGranted('scrape', { zeroDataRetention: true }),
  'includeTags takes too little': scraped('/product', { includeTags: ['h1'] }),
  'begin of a job is not told': told(['page', 'completed']),
  'another host is left out': crawled('/two-sites', { crawlEntireDomain: true }),
  'the page for phones': scraped('/sized', { mobile: true }),
}

/** What means the same as leaving the parameter out. */
const isNeutral = (value: unknown) =>
  value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0)
const expectedFix = (fix: Input | null) =>
  fix &&
  Object.fromEntries(
    Object.entries(fix).map(([name, value]) => [name, value === null ? expect.toSatisfy(isNeutral) : value]),
  )

describe.each([
  ['devised from the description of the API alone', unforeseen],
  ['devised before the first figure was acted on', unforeseenLater],
])('a situation %s', (_, situations) => {
  test.each(situations)('$name', { timeout: 90_000 }, async ({ name, asks, says, fix }) => {
    const made = await done[name]?.()
    const answered = await made?.ask(asks)
    for (const part of says) expect(answered?.answer).toMatch(part)
    expect(answered?.fixParameters ?? null).toEqual(expectedFix(fix))
    expect(answered?.feedback).toBeNull()
  })
})
