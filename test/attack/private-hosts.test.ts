import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { toRequest } from '../../src/kernel/route.ts'
import { operations } from '../../src/operations/index.ts'
import { openStoreIn } from '../store/programs/open-here.ts'
import { forAll, folderForAll } from '../helpers/for-all.ts'
import { startServer } from '../helpers/program.ts'
import { startSite, type Site } from '../helpers/site.ts'
import { answer, html } from '../helpers/site/route.ts'

const keys = {
  insiders: 'key-of-insiders',
  outsiders: 'key-of-outsiders',
  limited: 'key-of-limited',
  viewers: 'key-of-viewers',
}
type Team = keyof typeof keys
/** Text that only pages of the private host contain. */
const secret = 'SECRET-OF-THE-INTRANET'
const text = `<h1>${secret}</h1><p>A page with words enough to be read, about ${secret} and what belongs to it.</p>`
const open = { 'access-control-allow-origin': '*' }

const folder = folderForAll()
/** A private host that all teams may reach. */
let site: Site
let server: Awaited<ReturnType<typeof startServer>>

/** A private host that some teams may reach. */
const intranet = forAll(() =>
  startSite({
    routes: {
      '/secret/*': html(`<title>${secret}</title>${text}<a href="/secret/linked">linked</a>`, open),
      '/robots.txt': answer(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /nothing'),
      '/sitemap.xml': ({ response, origin }) =>
        void response
          .writeHead(200, { 'content-type': 'application/xml' })
          .end(`<urlset><url><loc>${origin}/secret/of-sitemap</loc></url></urlset>`),
      '/hook': ({ response }) => void response.end('taken'),
    },
  }),
)
beforeAll(async () => {
  const inside = intranet.url('/secret/page')
  const read = `fetch('${inside}').then((got) => got.text()).then((got) => (document.body.innerHTML += got))`
  site = await startSite({
    routes: {
      '/sent-there': answer(302, { location: inside }),
      '/framed': html(`<title>Framed</title><p>Words.</p><iframe src="${inside}"></iframe><script>${read}</script>`),
      '/linking': html(`<title>Linking</title><p>Words enough to be a page.</p><a href="${inside}">inside</a>`),
      '/robots.txt': answer(200, { 'content-type': 'text/plain' }, `Sitemap: ${intranet.url('/sitemap.xml')}`),
      '/redirecting/*': answer(302, { location: inside }),
    },
  })
  const { store } = await openStoreIn(folder.path)
  const privateHosts = [`127.0.0.1:${intranet.port}`]
  const allowDomains = [`127.0.0.1:${site.port}`]
  await store.teams.add('insiders', { privateHosts })
  await store.teams.add('limited', { privateHosts, allowDomains })
  await store.teams.add('viewers', { privateHosts, allowDomains, resourceDomains: privateHosts })
  await store.close()
  server = await startServer({
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_API_KEYS: Object.entries(keys)
      .map(([team, key]) => `${team}:${key}`)
      .join(','),
    GOSSAMER_SEARCH_PROVIDERS: 'local',
    GOSSAMER_UNSANDBOXED_CODE: 'always',
  })
})
afterAll(async () => {
  await server.stop()
  await site.close()
})

type Answer = { id?: string; sessionId?: string; data?: { id?: string } }
/** Calls an operation as a team. Returns the response, and its text. */
type Call = (name: string, input: object) => Promise<Answer & { text: string }>

function callAs(team: Team): Call {
  return async (name, input) => {
    const operation = operations.find((each) => each.name === name)
    if (!operation) throw new Error(`There is no operation ${name}`)
    const { method, path, body } = toRequest(operation, input as Record<string, unknown>)
    const response = await fetch(server.url + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${keys[team]}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answered = await response.text()
    return { ...(JSON.parse(answered) as Answer), text: answered }
  }
}

const inside = (path = 'page') => intranet.url(`/secret/${path}`)
const fresh = { maxAge: 0 }
const wait = 60
const schema = { type: 'object', properties: { title: { type: 'string' } } }

/** Options of polls. They use `vi`, because `expect.poll` cannot tell concurrent tests apart. */
const patience = { timeout: 60_000 }

async function monitored(call: Call): Promise<string> {
  const { data } = await call('monitor_create', {
    name: 'one',
    schedule: { cron: '0 9 1 1 *', timezone: 'UTC' },
    targets: [{ type: 'scrape', urls: [inside('monitored')] }],
    webhook: { url: intranet.url('/hook') },
  })
  const id = data?.id ?? ''
  await call('monitor_run', { id })
  const checks = () => call('monitor_checks', { id })
  await vi.waitFor(async () => expect((await checks()).text).toMatch(/"status":"(?:completed|failed)"/), patience)
  const { text: found } = await checks()
  await call('monitor_delete', { id })
  return found
}

async function delivered(call: Call): Promise<string> {
  const webhook = { url: intranet.url('/hook'), events: ['completed'] }
  const { id = '' } = await call('batch_scrape', { urls: [site.url('/plain')], webhook, wait })
  const isDelivered = () => intranet.requests.some(({ url, method }) => method === 'POST' && url === '/hook')
  const errors = async () => (await call('batch_errors', { id })).text
  await vi.waitUntil(async () => isDelivered() || (await errors()).includes('private'), patience)
  return errors()
}

/**
 * Calls an operation with an input, which is a function because addresses are known only when the sites have started.
 */
const by = (name: string, input: () => object) => async (call: Call) => (await call(name, input())).text
const scrape = (page: () => string, options: object = {}) => by('scrape', () => ({ url: page(), ...fresh, ...options }))
const redirect = () => site.url('/sent-there')
const picture = { formats: ['markdown', 'screenshot'] }

/** Every kind of request that makes the server fetch an address. Each returns the text of the response. */
const requestKinds: Readonly<Record<string, (call: Call) => Promise<string>>> = {
  'a scrape': scrape(inside),
  'a scrape of a file': scrape(() => inside('a.txt'), { parsers: [] }),
  'a scrape that is redirected': scrape(redirect),
  'a browser': scrape(inside, picture),
  'a browser that is redirected': scrape(redirect, picture),
  'a script of a page': scrape(() => site.url('/framed'), { waitFor: 800, formats: ['rawHtml', 'markdown'] }),
  'the enhanced proxy': scrape(inside, { proxy: 'enhanced' }),
  'the cache': scrape(inside, { maxAge: 1e9 }),
  'the cache in lockdown': by('scrape', () => ({ url: inside(), lockdown: true })),
  'a batch': by('batch_scrape', () => ({ urls: [inside('batch'), site.url('/plain')], ...fresh, wait })),
  'a crawl': by('crawl', () => ({ url: inside('crawl'), limit: 3, wait })),
  'a crawl that follows a link': by('crawl', () => ({
    url: site.url('/linking'),
    allowExternalLinks: true,
    limit: 3,
    wait,
  })),
  'a map': by('map', () => ({ url: inside() })),
  'a map by a sitemap elsewhere': by('map', () => ({ url: inside(), sitemap: 'only', ignoreCache: true })),
  'a search': by('search', () => ({ query: 'words enough to be read' })),
  'an extraction': by('extract', () => ({ urls: [inside('extract')], schema, wait })),
  'an agent': by('agent', () => ({ urls: [inside('agent')], prompt: 'What is it about?', wait })),
  'an llms.txt': by('llmstxt', () => ({ url: inside(), maxUrls: 1, wait })),
  'a monitor': monitored,
  'a webhook': delivered,
  'acts and code in a live browser': async (call) => {
    const acts = [
      { type: 'navigate', url: inside('acted') },
      { type: 'extract', as: 'markdown' },
    ]
    const acted = await call('browser_open_act', { url: site.url('/plain'), acts })
    const { sessionId = '' } = acted
    const code = `await page.goto('${inside('run')}').catch(String); await page.content()`
    const ran = await call('browser_execute', { sessionId, code })
    await call('browser_close', { sessionId })
    return acted.text + ran.text
  },
}

const named = Object.entries(requestKinds)

/**
 * Calls whose answers contain no page text. Only the requests at the host show whether a call reaches it, so no other
 * call may run meanwhile.
 */
const silent = new Set(['a webhook', 'a map', 'a map by a sitemap elsewhere', 'a monitor'])

describe('a team with access to a private host', () => {
  test.concurrent.each(named.filter(([name]) => !silent.has(name)))('reaches it by %s', async (_, go) => {
    expect(await go(callAs('insiders'))).toContain(secret)
  })

  test.each(named.filter(([name]) => silent.has(name)))('reaches it by %s', async (_, go) => {
    const before = intranet.requests.length
    await go(callAs('insiders'))
    expect(intranet.requests.length).toBeGreaterThan(before)
  })
})

describe.each(['outsiders', 'limited'] as const)('a team without access to the private host (%s)', (team) => {
  test.concurrent.each(named)('does not reach it by %s', async (_, go) => {
    const before = intranet.requests.length
    expect(await go(callAs(team))).not.toContain(secret)
    expect(intranet.requests.slice(before).map(({ method, url }) => `${method} ${url}`)).toEqual([])
  })

  test('gets the error of a closed address', async () => {
    expect(JSON.parse(await requestKinds['a scrape']!(callAs(team)))).toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
  })
})

/** Calls in which a page sends the request to the host. */
const asPart = ['a script of a page']
/** Calls that load a page of the host. */
const asDocument = [
  'a scrape',
  'a scrape that is redirected',
  'a browser',
  'a browser that is redirected',
  'the enhanced proxy',
  'a batch',
  'a crawl that follows a link',
  'acts and code in a live browser',
  'a click of a scrape',
]

describe('a team that may use the host only for parts of pages', () => {
  const all: typeof requestKinds = {
    ...requestKinds,
    'a click of a scrape': scrape(() => site.url('/linking'), {
      actions: [{ type: 'click', selector: 'a' }, { type: 'wait', milliseconds: 500 }, { type: 'scrape' }],
      formats: ['rawHtml'],
    }),
  }
  test.each(asPart)('reaches it by %s', async (kind) => expect(await all[kind]!(callAs('viewers'))).toContain(secret))
  test.concurrent.each(asDocument)('does not reach it by %s', async (kind) => {
    expect(await all[kind]!(callAs('viewers'))).not.toContain(secret)
  })
})

test('a host that is withdrawn from a team is refused from the next request on', async () => {
  const { store } = await openStoreIn(folder.path)
  await store.teams.change('insiders', { privateHosts: undefined })
  await store.close()
  const before = intranet.requests.length
  for (const kind of ['a scrape', 'a browser', 'a batch'])
    expect(await requestKinds[kind]!(callAs('insiders'))).not.toContain(secret)
  expect(intranet.requests.length).toBe(before)
})
