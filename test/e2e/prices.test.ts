import { expect, test } from 'vitest'
import { endpoints } from '../../src/schema/team.ts'
import { makePdf } from '../document/pdf/make-pdf.ts'
import { gives, startModelServer } from '../helpers/model-server.ts'
import { call as send, read } from '../helpers/api.ts'
import { forAll, serverForAll, siteForAll } from '../helpers/for-all.ts'
import { answer, html, type Route } from '../helpers/site/route.ts'
import { startEngine } from './search-engine.ts'

type Call = (path: string, body: object, method?: 'POST' | 'DELETE') => Promise<Record<string, unknown>>
/** A row of the price list, the credits to charge, and the call. */
type Row = [what: string, credits: number | ((answer: Record<string, unknown>) => number), go: (call: Call) => unknown]

const words = '<p>A page with words enough to be read as one, about a lighthouse that was built in 1911.</p>'
const page = html(
  `<title>A page</title><h1>A page</h1>${words}<audio src="/song.mp3"></audio><video src="/film.mp4"></video>`,
)
const wall = answer(
  403,
  { 'content-type': 'text/html' },
  '<title>Access Denied</title><h1>Access Denied</h1>Reference #18.2d351ab8.1557333295.a4e16ab',
)
const linked = ['a', 'b'].map((name) => `<a href="/site/${name}">${name}</a>`).join(' ')

const fresh = { maxAge: 0 }
const wait = 60
const u = (path: string) => site.url(path)
const scrape = (options: object) => (call: Call) => call('scrape', { url: u('/page/one'), ...fresh, ...options })
const formats = (...wanted: (string | object)[]) => scrape({ formats: wanted })
const search =
  (query: string, more: object = {}) =>
  (call: Call) =>
    call('search', { query, ...more })
const schema = { type: 'object', properties: { year: { type: 'number' } } }

const rows: readonly Row[] = [
  ['a scrape', 1, scrape({})],
  ['a scrape in every format without a model', 1, formats('markdown', 'html', 'rawHtml', 'links', 'images', 'summary')],
  ['json by a model', 5, formats({ type: 'json', schema })],
  ['question', 5, formats({ type: 'question', question: 'When was the lighthouse built?' })],
  ['audio and video', 9, formats('audio', 'video')],
  ['a PDF of three pages with the parser', 3, (call) => call('scrape', { url: u('/three.pdf'), ...fresh })],
  [
    'a PDF of three pages without the parser',
    1,
    (call) => call('scrape', { url: u('/three.pdf'), ...fresh, parsers: [] }),
  ],
  [
    'lockdown on a hit',
    1 + 5,
    async (call) => {
      await call('scrape', { url: u('/page/kept') })
      return call('scrape', { url: u('/page/kept'), lockdown: true })
    },
  ],
  ['lockdown on a miss', 1, (call) => call('scrape', { url: u('/page/never'), lockdown: true })],
  ['the enhanced proxy', 5, scrape({ proxy: 'enhanced' })],
  [
    'auto, if only the enhanced proxy succeeds',
    5,
    (call) => call('scrape', { url: u('/wall/once'), ...fresh, proxy: 'auto' }),
  ],
  ['a scrape that fails', 0, (call) => call('scrape', { url: u('/cut-before-headers'), ...fresh })],
  ['a bot challenge', 0, (call) => call('scrape', { url: u('/wall/always'), ...fresh, proxy: 'basic' })],
  ['a map', 1, (call) => call('map', { url: u('/site/start') })],
  ['a search with eleven results', 4, search('11 results', { limit: 20 })],
  ['a search without results', 0, search('0 results')],
  ['a search without retention', 10, search('1 result', { enterprise: ['zdr'] })],
  ['a search and its scrapes', 2 + 2, search('2 results', { scrapeOptions: { ...fresh, formats: ['markdown'] } })],
  [
    'a browser session, by the second',
    ({ sessionDurationMs, creditsBilled }) => {
      const credits = Math.round((Math.ceil(Number(sessionDurationMs) / 1000) / 60) * 2 * 100) / 100
      expect(creditsBilled).toBe(credits)
      return credits
    },
    async (call) => {
      const { id } = await call('browser', {})
      return call(`browser/${String(id)}`, {}, 'DELETE')
    },
  ],
  [
    'a crawl of three pages',
    3,
    (call) => call('crawl', { url: u('/site/start'), crawlEntireDomain: true, limit: 3, wait }),
  ],
  [
    'a batch, the sum of its pages',
    1 + 3 + 0,
    (call) =>
      call('batch/scrape', { urls: [u('/page/one'), u('/three.pdf'), u('/cut-before-headers')], ...fresh, wait }),
  ],
  ['a file', 1, (call) => call('parse', { file: { filename: 'a.csv', base64: btoa('name,price\nrope,7\n') } })],
  ['support on the docs', 0, (call) => call('support/docs-search', { question: 'How do I crawl a site?' })],
]

/** The wall admits the third visit, after plain HTTP and the first browser. */
function fallingWall(): Route {
  let visits = 0
  return (exchange) => (++visits > 2 ? page(exchange) : wall(exchange))
}

const teamOf = (nth: number) => `team-${nth}`
function callAs(team: string): Call {
  return async (path, body, method = 'POST') => {
    const answered = await send(server.url, `${method} /v2/${path}`, { body, key: `key-of-${team}` })
    return answered.body
  }
}

async function usageOf(team: string, path: string): Promise<Record<string, unknown>> {
  type Body = { data?: Record<string, unknown> }
  const body = await read<Body>(`${server.url}/v2/team/${path}`, undefined, `key-of-${team}`)
  return body.data ?? body
}

const pdf = await makePdf(
  [1, 2, 3].map((n) => ({ texts: [{ text: `Page ${n} of a paper about lighthouses.`, x: 60, y: 80 }] })),
)
const site = siteForAll({
  routes: {
    '/page/*': page,
    '/site/*': html(`<title>Site</title>${words}${linked}`),
    '/three.pdf': answer(200, { 'content-type': 'application/pdf' }, pdf),
    '/wall/always': wall,
    '/wall/once': fallingWall(),
    '/robots.txt': answer(404, {}),
  },
})
const engine = forAll(() =>
  startEngine((count) => ({
    general: Array.from({ length: parseInt(count, 10) }, (_, n) => ({
      url: u(`/page/found-${n}`),
      title: `Found ${n}`,
      content: count,
    })),
  })),
)
const model = forAll(() => startModelServer(() => gives({ year: 1911 })))
const server = serverForAll(() => ({
  GOSSAMER_API_KEYS: rows.map((_, nth) => `${teamOf(nth)}:key-of-${teamOf(nth)}`).join(','),
  GOSSAMER_PERMISSIONS: 'zeroDataRetention,searchEnterprise',
  GOSSAMER_SEARXNG_URL: engine.url,
  GOSSAMER_SEARCH_PROVIDERS: 'searxng',
  GOSSAMER_MODEL: 'large',
  GOSSAMER_MODEL_KEY: 'sk-test',
  GOSSAMER_MODEL_URL: model.url('openai'),
}))

test.each(rows.map((row, nth) => [...row, teamOf(nth)] as const))(
  'the price of %s',
  async (_what, credits, go, team) => {
    const answered = (await go(callAs(team))) as Record<string, unknown>
    const wanted = typeof credits === 'number' ? credits : credits(answered)
    expect(await usageOf(team, 'credit-usage'), JSON.stringify(answered)).toMatchObject({
      usedCredits: wanted,
      planCredits: 1_000_000_000,
    })
    expect(await usageOf(team, 'token-usage')).toMatchObject({ usedTokens: Math.round(wanted * 15) })
    const { periods } = await usageOf(team, 'credit-usage/historical?byEndpoint=true')
    const byEndpoint = periods as { endpoint: string; creditsUsed: number }[]
    expect(byEndpoint.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)).toBeCloseTo(wanted, 2)
    expect(endpoints).toEqual(expect.arrayContaining(byEndpoint.map(({ endpoint }) => endpoint)))
  },
)
