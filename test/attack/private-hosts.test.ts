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
/** Text on every page of the private host, and nowhere else. */
const secret = 'SECRET-OF-THE-INTRANET'
const text = `<h1>${secret}</h1><p>A page with words enough to be read, about ${secret} and what belongs to it.</p>`
const open = { 'access-control-allow-origin': '*' }

const folder = folderForAll()
/** A private host that one team may reach, and one that all may. */
let site: Site
let server: Awaited<ReturnType<typeof startServer>>

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
/** Calls an operation as a team: what it answers, and that as text. */
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

/** Limits of polls with `vi`: `expect.poll` cannot tell concurrent tests apart. */
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
  const { text: told } = await checks()
  await call('monitor_delete', { id })
  return told
}

async function delivered(call: Call): Promise<string> {
  const webhook = { url: intranet.url('/hook'), events: ['completed'] }
  const { id = '' } = await call('batch_scrape', { urls: [site.url('/plain')], webhook, wait })
  const heard = () => intranet.requests.some(({ url, method }) => method === 'POST' && url === '/hook')
  const errors = async () => (await call('batch_errors', { id })).text
  await vi.waitUntil(async () => heard() || (await errors()).includes('private'), patience)
  return errors()
}

/** Every way in which a request makes the server fetch an address, and its answer. */
const roads: Readonly<Record<string, (call: Call) => Promise<string>>> = {
  'a scrape': async (call) => (await call('scrape', { url: inside(), ...fresh })).text,
  'a scrape of a file': async (call) => (await call('scrape', { url: inside('a.txt'), ...fresh, parsers: [] })).text,
  'a scrape that is redirected': async (call) =>
    (await call('scrape', { url: site.url('/sent-there'), ...fresh })).text,
  'a browser': async (call) =>
    (await call('scrape', { url: inside(), ...fresh, formats: ['markdown', 'screenshot'] })).text,
  'a browser that is redirected': async (call) =>
    (await call('scrape', { url: site.url('/sent-there'), ...fresh, formats: ['markdown', 'screenshot'] })).text,
  'a script of a page': async (call) =>
    (await call('scrape', { url: site.url('/framed'), ...fresh, waitFor: 800, formats: ['rawHtml', 'markdown'] })).text,
  'the enhanced proxy': async (call) => (await call('scrape', { url: inside(), ...fresh, proxy: 'enhanced' })).text,
  'the cache': async (call) => (await call('scrape', { url: inside(), maxAge: 1e9 })).text,
  'the cache in lockdown': async (call) => (await call('scrape', { url: inside(), lockdown: true })).text,
  'a batch': async (call) =>
    (await call('batch_scrape', { urls: [inside('batch'), site.url('/plain')], ...fresh, wait })).text,
  'a crawl': async (call) => (await call('crawl', { url: inside('crawl'), limit: 3, wait })).text,
  'a crawl that follows a link': async (call) =>
    (await call('crawl', { url: site.url('/linking'), allowExternalLinks: true, limit: 3, wait })).text,
  'a map': async (call) => (await call('map', { url: inside() })).text,
  'a map by a sitemap elsewhere': async (call) =>
    (await call('map', { url: inside(), sitemap: 'only', ignoreCache: true })).text,
  'a search': async (call) => (await call('search', { query: 'words enough to be read' })).text,
  'an extraction': async (call) => (await call('extract', { urls: [inside('extract')], schema, wait })).text,
  'an agent': async (call) =>
    (await call('agent', { urls: [inside('agent')], prompt: 'What is it about?', wait })).text,
  'an llms.txt': async (call) => (await call('llmstxt', { url: inside(), maxUrls: 1, wait })).text,
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

const named = Object.entries(roads)

/**
 * Their answers contain nothing of the page; its requests show that they reach it, so no other call may run meanwhile.
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

describe.each(['outsiders', 'limited'] as const)('%s', (team) => {
  test.concurrent.each(named)('do not reach it by %s', async (_, go) => {
    const before = intranet.requests.length
    expect(await go(callAs(team))).not.toContain(secret)
    expect(intranet.requests.slice(before).map(({ method, url }) => `${method} ${url}`)).toEqual([])
  })

  test('get the error of a closed address', async () => {
    expect(JSON.parse(await roads['a scrape']!(callAs(team)))).toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
  })
})

/** Only its pages may use the host. */
const asPart = ['a script of a page']
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
  const all: typeof roads = {
    ...roads,
    'a click of a scrape': async (call) => {
      const actions = [{ type: 'click', selector: 'a' }, { type: 'wait', milliseconds: 500 }, { type: 'scrape' }]
      return (await call('scrape', { url: site.url('/linking'), ...fresh, actions, formats: ['rawHtml'] })).text
    },
  }
  test.each(asPart)('reaches it by %s', async (road) => {
    expect(await all[road]!(callAs('viewers'))).toContain(secret)
  })
  test.concurrent.each(asDocument)('does not reach it by %s', async (road) => {
    expect(await all[road]!(callAs('viewers'))).not.toContain(secret)
  })
})

test('a withdrawn host is closed from the next request on', async () => {
  const { store } = await openStoreIn(folder.path)
  await store.teams.change('insiders', { privateHosts: undefined })
  await store.close()
  const before = intranet.requests.length
  for (const road of ['a scrape', 'a browser', 'a batch'])
    expect(await roads[road]!(callAs('insiders'))).not.toContain(secret)
  expect(intranet.requests.length).toBe(before)
})
