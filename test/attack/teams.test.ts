import { describe, expect, test } from 'vitest'
import { toRequest } from '../../src/kernel/route.ts'
import { operations } from '../../src/operations/index.ts'
import { forAll, serverForAll, siteForAll } from '../helpers/for-all.ts'
import { html } from '../helpers/site/route.ts'
import { connect } from '../mcp/clients.ts'

type Answer = { status: number; text: string; body: Record<string, unknown> }
type Ids = Record<'scrape' | 'batch' | 'crawl' | 'extract' | 'llmstxt' | 'monitor', string>

const [mine, theirs] = ['key-of-red', 'key-of-blue']
/** Marker in every address and text of the first team. */
const mark = 'MARK-OF-RED'
const link = `<a href="/${mark}/next">${mark}</a>`
const page = html(`<title>${mark}</title><h1>${mark}</h1><p>A page with words enough to be read, ${mark}. ${link}</p>`)

const site = siteForAll({ routes: { [`/${mark}/*`]: page, [`/${mark}/hang`]: () => {} } })
const server = serverForAll(() => ({
  GOSSAMER_API_KEYS: `red:${mine},blue:${theirs}`,
  GOSSAMER_SEARCH_PROVIDERS: 'local',
  GOSSAMER_UNSANDBOXED_CODE: 'always',
}))
const ids = forAll(everything)

async function call(key: string, name: string, input: object): Promise<Answer> {
  const operation = operations.find((each) => each.name === name)
  if (!operation) throw new Error(`There is no operation ${name}`)
  const { method, path, body } = toRequest(operation, input as Record<string, unknown>)
  const response = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) as Answer['body'] }
}

const url = (path = 'page') => site.url(`/${mark}/${path}`)
const started = async (name: string, input: object) => String((await call(mine, name, input)).body['id'])

async function watched(): Promise<string> {
  const { body } = await call(mine, 'monitor_create', {
    name: mark,
    schedule: { cron: '0 9 * * *', timezone: 'UTC' },
    targets: [{ type: 'scrape', urls: [url()] }],
  })
  return (body['data'] as { id: string }).id
}

/** Creates one of everything that a team can have. Crawl and batch keep running, and the scrape has an open browser. */
async function everything(): Promise<Ids> {
  const { body } = await call(mine, 'scrape', { url: url() })
  const { metadata } = body['data'] as { metadata: { scrapeId: string } }
  await call(mine, 'interact', { jobId: metadata.scrapeId, code: 'await page.title()' })
  return {
    scrape: metadata.scrapeId,
    batch: await started('batch_scrape', { urls: [url('hang')] }),
    crawl: await started('crawl', { url: url('hang'), limit: 2 }),
    extract: await started('extract', { urls: [url()], schema: { type: 'object', properties: { title: {} } } }),
    llmstxt: await started('llmstxt', { url: url(), maxUrls: 1 }),
    monitor: await watched(),
  }
}

const session = () => ({ sessionId: ids.scrape })
/** Operations that take an id. */
const byId: Readonly<Record<string, () => object>> = {
  batch_cancel: () => ({ id: ids.batch }),
  batch_errors: () => ({ id: ids.batch }),
  batch_scrape: () => ({ urls: [site.url('/plain')], appendToId: ids.batch }),
  batch_status: () => ({ id: ids.batch }),
  browser_act: () => ({ ...session(), acts: [{ type: 'extract', as: 'markdown' }] }),
  browser_close: session,
  browser_execute: () => ({ ...session(), code: 'await page.title()' }),
  browser_file: () => ({ ...session(), file: 'f1' }),
  browser_frame: session,
  browser_snapshot: session,
  browser_state: session,
  crawl_cancel: () => ({ id: ids.crawl }),
  crawl_errors: () => ({ id: ids.crawl }),
  crawl_status: () => ({ id: ids.crawl }),
  extract_cancel: () => ({ id: ids.extract }),
  feedback: () => ({ endpoint: 'scrape', jobId: ids.scrape, rating: 'good' }),
  search_feedback: () => ({ jobId: ids.scrape, rating: 'good' }),
  extract_status: () => ({ id: ids.extract }),
  interact: () => ({ jobId: ids.scrape, code: 'await page.title()' }),
  interact_stop: () => ({ jobId: ids.scrape }),
  llmstxt_status: () => ({ id: ids.llmstxt }),
  monitor_check: () => ({ id: ids.monitor, checkId: ids.scrape }),
  monitor_checks: () => ({ id: ids.monitor }),
  monitor_delete: () => ({ id: ids.monitor }),
  monitor_get: () => ({ id: ids.monitor }),
  monitor_run: () => ({ id: ids.monitor }),
  monitor_update: () => ({ id: ids.monitor, name: 'taken' }),
  scrape_result: () => ({ jobId: ids.scrape }),
}

/** Operations without an id, about the team of the caller. */
const ofItself: Readonly<Record<string, object>> = {
  activity: {},
  agent_list: {},
  browser_list: {},
  concurrency_check: {},
  crawl_active: {},
  credit_usage: {},
  credit_usage_daily: {},
  credit_usage_historical: { byApiKey: true },
  model_usage: {},
  monitor_list: {},
  queue_status: {},
  search: { query: 'words enough' },
  support_ask: { question: 'Why did my job bring too little?' },
  token_balance: {},
  token_usage: { byApiKey: true },
}
/** Operations that create something for the caller, or concern no team. */
const others =
  'agent browser_create browser_open_act browser_open_execute crawl crawl_params_preview docs_search extract llmstxt map monitor_create parse scrape'.split(
    ' ',
  )

/** Operations that manage the server, which no team may call. */
const ofAdmin: Readonly<Record<string, object>> = {
  admin_job_cancel: { id: '0190c2a0-0000-7000-8000-000000000000' },
  admin_jobs: {},
  admin_key_add: { name: 'mine', team: 'red' },
  admin_key_revoke: { name: 'laptop' },
  admin_keys: {},
  admin_team_remove: { id: 'red' },
  admin_team_secret: { id: 'red' },
  admin_team_set: { id: 'blue', monthlyCredits: null },
  admin_teams: {},
}

test('every operation is covered by one of these lists', () => {
  const names = [...Object.keys(ofAdmin), ...Object.keys(byId), ...Object.keys(ofItself), ...others]
  expect(names.toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
})

describe('another team', () => {
  test.each(Object.entries(byId))('gets an error from %s for an id of the first team', async (name, input) => {
    const { status, body, text } = await call(theirs, name, input())
    expect({ status, code: body['code'] }).toEqual({ status: 403, code: 'JOB_OF_OTHER_TEAM' })
    expect(text).not.toContain(mark)
  })

  test.each(Object.entries(ofAdmin))('cannot manage the server by %s', async (name, input) => {
    expect(await call(theirs, name, input)).toMatchObject({ status: 403, body: { code: 'PERMISSION_REQUIRED' } })
  })

  test.each(Object.entries(ofItself))('learns nothing about the first team from %s', async (name, input) => {
    const { text, status } = await call(theirs, name, input)
    expect(status).toBe(200)
    for (const own of [mark, ...Object.values(ids)]) expect(text).not.toContain(own)
  })

  test('learns nothing about jobs of the first team from support_ask', async () => {
    for (const jobId of Object.values(ids)) {
      const { status, text } = await call(theirs, 'support_ask', { question: 'Why did it fail?', jobId })
      expect(status).toBe(200)
      expect(text).not.toContain(mark)
    }
  })

  test('gets no copy from the cache of the first team', async () => {
    const cached = { url: url(), minAge: 1 }
    expect((await call(mine, 'scrape', cached)).status).toBe(200)
    expect((await call(theirs, 'scrape', cached)).body).toMatchObject({ code: 'SCRAPE_NO_CACHED_DATA' })
  })

  test('neither sees nor reads resources of the first team', async () => {
    const client = await connect('v1', { url: `${server.url}/mcp`, headers: { authorization: `Bearer ${theirs}` } })
    const scrape = `gossamer://scrape/${ids.scrape}`
    const listed = JSON.stringify(await client.resources())
    for (const id of Object.values(ids)) expect(listed).not.toContain(id)
    for (const uri of [scrape, `browser-session://${ids.scrape}`, `browser-session://${ids.scrape}/snapshot`])
      expect(String(await client.read(uri).catch(String))).not.toContain(mark)
    await client.close()
  })
})

test('the first team still has its data, and its own lists contain them', async () => {
  expect((await call(mine, 'browser_state', session())).status).toBe(200)
  expect((await call(mine, 'batch_status', { id: ids.batch })).body).toMatchObject({ status: 'scraping' })
  for (const name of ['activity', 'crawl_active']) expect((await call(mine, name, {})).text).toContain(mark)
  expect((await call(mine, 'browser_list', {})).text).toContain(ids.scrape)
  expect((await call(mine, 'search', ofItself['search'] ?? {})).text).toContain(mark)
})
