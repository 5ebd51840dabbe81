import { describe, expect } from 'vitest'
import type { SupportAnswer } from '../../../src/engine/support/ask/ask-support.ts'
import { localTeam } from '../../../src/app/app.ts'
import { startEngine } from '../../e2e/search-engine.ts'
import { answer, html, numberIn, type Route } from '../../helpers/site/route.ts'
import { atLeast, type Case, diagnosed, type Input, linksTo, page, pastOn, report, type Service } from './diagnosed.ts'
import { brokenSite, service } from './kit.ts'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A page that differs by a header of the request. */
const byHeader =
  (header: string, textFor: (value: string) => string): Route =>
  (exchange) =>
    html(page(`<p>${textFor(String(exchange.request.headers[header] ?? ''))}</p>`))(exchange)
const greetings: Readonly<Record<string, string>> = { de: 'Willkommen bei uns.', ja: 'Youkoso.' }

const site = brokenSite({
  routes: {
    '/robots.txt': answer(404, {}),
    '/sitemap.xml': answer(404, {}),
    '/docs/': html(page(linksTo('/docs/one', '/docs/two', '/docs/three', '/docs/four'))),
    '/docs/start': html(page(linksTo('/blog/one', '/blog/two'))),
    '/docs/*': html(page()),
    '/deep/*': (exchange) => html(page(linksTo(`/deep/${numberIn(exchange.url) + 1}`)))(exchange),
    '/blog/*': html(page()),
    '/home': html(page(linksTo('/blog/one', '/news/one', '/news/two'))),
    '/news/*': html(page()),
    '/product': html(page('<p class="price">It costs 40 euros in this shop today.</p>')),
    '/list': html(page(linksTo('/list?page=2', '/list?page=3', '/list?page=4'))),
    '/pictures': html(page(`<img alt="A dot" src="data:image/png;base64,${pixel}">`)),
    '/local': byHeader('accept-language', (value) => greetings[value.slice(0, 2)] ?? 'Welcome to us.'),
    '/sized': byHeader('user-agent', (value) => (/Mobile/.test(value) ? 'Small.' : 'The large page, with a table.')),
    '/report.pdf': answer(200, { 'content-type': 'application/pdf' }, report),
    '/hook': answer(200, {}),
  },
})
const mapped = brokenSite({
  routes: {
    '/robots.txt': ({ response, origin }) => void response.end(`Sitemap: ${origin}/map.xml`),
    '/sitemap.xml': answer(404, {}),
    '/map.xml': ({ response, origin }) =>
      void response.end(`<urlset><url><loc>${origin}/docs/lonely</loc></url></urlset>`),
    '/docs/*': html(page(linksTo('/docs/one', '/docs/two'))),
  },
})

const { scraped, crawled, failed } = pastOn(() => site)

/** A search whose engine knows one old page. */
const searched = (options: Input) => async (): Promise<Service> => {
  const old = { title: 'Lighthouses', content: 'All about them.', publishedDate: '2020-01-01T00:00:00' }
  const engine = await startEngine(() => ({ general: [{ ...old, url: 'https://lights.example.com/' }] }))
  const made = service({ GOSSAMER_SEARXNG_URL: engine.url, GOSSAMER_SEARCH_PROVIDERS: 'searxng' })
  const { output } = await made.call('search', { query: 'lighthouses', ...options })
  expect(output?.['data']).toEqual({ web: [] })
  await engine.stop()
  return made
}

/** A crawl whose webhook receives these events. */
const notified = (events: string[]) => async (): Promise<Service> => {
  const made = service()
  const before = site.requests.length
  await made.crawl({ url: site.url('/list'), webhook: { url: site.url('/hook'), events } })
  await expect.poll(() => site.requests.slice(before).some(({ url }) => url === '/hook')).toBe(true)
  return made
}

/** A call and the question of a team without permissions. */
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

const fromTheSpec: Case[] = [
  [
    'I scraped a PDF and instead of its text I got an endless row of letters and digits that makes no sense. What happened?',
    scraped('/report.pdf', { parsers: [] }),
    { says: [/parsers/i, /pdf/i], fix: { parsers: ['pdf'] } },
  ],
  [
    'My crawl stopped after a single page although the page is full of links.',
    crawled('/docs/start'),
    { says: [/below|outside|path/i, /crawlEntireDomain/], fix: { crawlEntireDomain: true } },
  ],
  [
    'The prices are missing from the scrape of the product page.',
    scraped('/product', { excludeTags: ['.price'] }),
    { says: /excludeTags/, fix: { excludeTags: null } },
  ],
  [
    'My webhook got one call at the end, but none of the pages.',
    notified(['completed']),
    { says: [/events/, /page/], fix: { webhook: { events: ['page', 'completed'] } } },
  ],
  [
    'I want the German text of the page that I scraped, but it comes in English.',
    scraped('/local'),
    { says: [/location/, /language/i], fix: { location: { country: 'DE', languages: ['de'] } } },
  ],
  [
    'In the markdown of my scrape there is a placeholder where the pictures should be.',
    scraped('/pictures'),
    { says: /removeBase64Images/, fix: { removeBase64Images: false } },
  ],
  [
    'My search finds nothing at all, yet I know that there are pages about it.',
    searched({ tbs: 'qdr:h' }),
    { says: /tbs/, fix: { tbs: null } },
  ],
  [
    'I set ignoreRobotsTxt and get 403. How do I switch it on?',
    notGranted('crawl', { ignoreRobotsTxt: true }),
    { says: [/operator|permission/i, /ignoreRobotsTxt/], fix: { ignoreRobotsTxt: null } },
  ],
  [
    'The news section of the site is not among the pages of the crawl.',
    crawled('/home', { excludePaths: ['^/news'], crawlEntireDomain: true }),
    { says: /excludePaths/, fix: { excludePaths: null } },
  ],
  [
    'I only got the first page of the PDF from my scrape.',
    scraped('/report.pdf', { parsers: [{ type: 'pdf', maxPages: 1 }] }),
    { says: /maxPages/, fix: { parsers: ['pdf'] } },
  ],
  [
    'Search comes back empty.',
    searched({ includeDomains: ['example.org'] }),
    { says: /includeDomains/, fix: { includeDomains: null } },
  ],
  [
    'zeroDataRetention is refused. What must I do?',
    notGranted('scrape', { zeroDataRetention: true }),
    { says: [/operator|permission/i, /zeroDataRetention/], fix: { zeroDataRetention: null } },
  ],
  [
    'My webhook is never told that a crawl was started.',
    notified(['page', 'completed']),
    { says: [/events/, /started/], fix: { webhook: { events: ['started', 'page', 'completed'] } } },
  ],
  [
    'I get the small version of the page that is meant for phones when I scrape it.',
    scraped('/sized', { mobile: true }),
    { says: /mobile/, fix: { mobile: false } },
  ],
]

const fromAUsersView: Case[] = [
  [
    'The crawl does not follow the links any further than the pages right below the start.',
    crawled('/deep/', { maxDiscoveryDepth: 1 }),
    { says: /maxDiscoveryDepth/, fix: [{ maxDiscoveryDepth: null }, { maxDiscoveryDepth: atLeast(2) }] },
  ],
  [
    'I interact by a task in words together with some code for the page, and it says bad request.',
    failed('BAD_REQUEST', 'interact', () => ({ jobId: crypto.randomUUID(), code: '1', prompt: 'Click on it.' })),
    { says: [/code/, /prompt/] },
  ],
  [
    'Search will not accept the address of the site I want to stay on.',
    failed('BAD_REQUEST', 'search', () => ({ query: 'boats', includeDomains: ['https://example.org/docs'] })),
    { says: [/includeDomains/, /host/i] },
  ],
  [
    'I scraped the page a second time a moment later and got exactly the same text, although the site has changed.',
    async () => {
      const made = await scraped('/docs/one')()
      await made.call('scrape', { url: site.url('/docs/one') })
      return made
    },
    { says: [/cache/i, /maxAge/], fix: { maxAge: 0 } },
  ],
  [
    'My scrape with a list of steps for the page is rejected.',
    failed('BAD_REQUEST', 'scrape', () => ({
      url: site.url('/docs/one'),
      actions: Array.from({ length: 60 }, () => ({ type: 'wait', milliseconds: 1 })),
    })),
    { says: [/actions/, /50/] },
  ],
]

const beforeAnyRule: Case[] = [
  [
    'Search refuses what I send when I name the sites that I want and also the ones that I do not want.',
    failed('BAD_REQUEST', 'search', () => ({
      query: 'lighthouses',
      includeDomains: ['example.com'],
      excludeDomains: ['example.org'],
    })),
    { says: [/includeDomains/, /excludeDomains/], fix: [null, { excludeDomains: null }, { includeDomains: null }] },
  ],
  [
    'The page that stands only in our sitemap is not among the pages of the crawl.',
    async () => crawled(mapped.url('/docs/start'), { sitemap: 'skip' })(),
    { says: [/sitemap/, /skip|include/], fix: [{ sitemap: 'include' }, { sitemap: null }] },
  ],
  [
    'I cannot cancel my crawl, it answers 409.',
    async () => {
      const made = service()
      const { id } = await made.crawl({ url: mapped.url('/docs/start') })
      expect((await made.call('crawl_cancel', { id })).code).toBe('JOB_IS_OVER')
      return made
    },
    { says: /completed|finished|ended|over/i },
  ],
  [
    'Some of the addresses I gave are not among the results of my batch.',
    async () => {
      const made = service()
      await made.call('batch_scrape', { urls: [site.url('/docs/one'), 'no address', 'ftp://example.com/x'] })
      return made
    },
    { says: /invalid/i, fix: [null, { ignoreInvalidURLs: false }] },
  ],
  [
    'I gave the host and path of the section in includePaths and the crawl came back with nothing.',
    async () => crawled(mapped.url('/docs/start'), { includePaths: [`127.0.0.1:${mapped.port}/docs/`] })(),
    { says: /regexOnFullURL/, fix: { regexOnFullURL: true } },
  ],
  [
    'I scroll in a PDF that I scrape and get an error.',
    failed('SCRAPE_ACTIONS_NOT_SUPPORTED', 'scrape', () => ({
      url: site.url('/report.pdf'),
      actions: [{ type: 'scroll', direction: 'down' }],
    })),
    { says: /actions/, fix: [null, { actions: null }] },
  ],
]

describe('a question devised from the description of the API alone', () => diagnosed(() => site, fromTheSpec))
describe('a question devised in the words of a user', () => diagnosed(() => site, fromAUsersView))
describe('a question devised by authors who had read no rule', () => diagnosed(() => site, beforeAnyRule))
