import { describe, expect, it, vi } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { startEngine } from '../e2e/search-engine.ts'
import { overRest } from '../helpers/transports.ts'
import { forAll, serverForAll, siteForAll } from '../helpers/for-all.ts'
import { readMarked, stringsOf } from '../helpers/marked.ts'
import { invisible } from '../helpers/site/injection.ts'
import { toolCall } from '../helpers/tool-call.ts'
import { connect, type Result } from '../mcp/clients.ts'
import { forged, injectedResults, injectedRoutes, namesake, startReceiver } from './injected-site.ts'
import { untried } from './untried.ts'

/** Words of the site, which may appear only in marked blocks. Its addresses may appear elsewhere, but encoded. */
const ofPage = /FORGED_|HIDDEN_|VISIBLE_|META_TEXT|Garden tools|<system>|attacker\.example/

const site = siteForAll({ routes: injectedRoutes })
const engine = forAll(() => startEngine(() => injectedResults(site.origin)))
const receiver = forAll(startReceiver)
const server = serverForAll(() => ({
  GOSSAMER_SEARXNG_URL: engine.url,
  GOSSAMER_SEARCH_PROVIDERS: 'searxng',
  GOSSAMER_UNSANDBOXED_CODE: 'always',
}))
const client = forAll(() => connect('v1', { url: `${server.url}/mcp` }))
const rest = forAll(() => overRest(server.url))

const text = ({ content }: Result) => content.map((part) => part.text ?? '').join('\n')

const codePoint = (string: string) => invisible.exec(string)?.[0].codePointAt(0)?.toString(16)

type Output = Record<string, unknown>

/** Hidden words that browsers use as names of frames and controls, or that a page offers to programs as data. */
const inFrames = /HIDDEN_(?:DRAWING|PLACEHOLDER|FRAME|OBJECT|ARIA)/g
const allowed: Readonly<Record<string, RegExp>> = {
  browser_act: inFrames,
  browser_create: inFrames,
  browser_open_act: inFrames,
  browser_snapshot: inFrames,
  extract_status: /HIDDEN_JSON/g,
}
const hasHidden = (name: string) => (string: string) =>
  codePoint(string) !== undefined || string.replace(allowed[name] ?? '', '').includes('HIDDEN_')

/** Calls a tool. Its response must contain text of the site, only in marked blocks, without invisible characters. */
async function tool(name: string, args: Output = {}, end: 'served' | 'failed' = 'served'): Promise<Result> {
  const call = toolCall(name, args)
  const answer = await client.call(call.name, call.arguments as Output)
  expect(answer.isError ?? false, text(answer)).toBe(end === 'failed')
  expect(text(answer)).toMatch(/evil|FORGED_|Garden/)
  expect(readMarked(text(answer)).around).not.toMatch(ofPage)
  expect(codePoint(text(answer))).toBeUndefined()
  return answer
}

/** Calls a route. Its response must contain text of the site, without hidden words and invisible characters. */
async function route(name: string, input: Output = {}): Promise<Output> {
  const { output, code, message } = await rest.call(name, input)
  expect(output, `${code} ${message}`).toBeDefined()
  const strings = stringsOf(output)
  expect(strings.join('\n')).toMatch(/evil|FORGED_|Garden/)
  expect(strings.filter(hasHidden(name))).toEqual([])
  return output ?? {}
}

const evil = (path = '') => site.url(`/evil${path}`)
const both = async (name: string, input: Output, forTool: Output = input) => {
  await tool(name, forTool)
  return route(name, input)
}
const scraped = async () => {
  const { data } = (await route('scrape', { url: evil() })) as { data: { metadata: { scrapeId: string } } }
  return data.metadata.scrapeId
}
/** Options of polls. They use `vi`, because `expect.poll` cannot tell concurrent tests apart. */
const patience = { timeout: 60_000 }
const ended = async (name: string, id: string): Promise<void> => {
  const status = async () => (await rest.call(name, { id })).output?.['status']
  await vi.waitFor(async () => expect(await status()).toBe('completed'), patience)
}
const crawled = async (): Promise<string> => {
  const { id } = (await rest.call('crawl', { url: evil(), limit: 9, crawlEntireDomain: true })).output as { id: string }
  await ended('crawl_status', id)
  return id
}
const batch = () => ({ urls: [evil(), evil('/cut'), `${evil('/cut')}?${encodeURIComponent(forged)}`] })
const batched = async (): Promise<string> => {
  const { id } = (await rest.call('batch_scrape', batch())).output as { id: string }
  await ended('batch_status', id)
  return id
}
/** Creates a monitor of the page, and waits for a check. */
const checked = async (): Promise<{ id: string; checkId: string }> => {
  const created = await rest.call('monitor_create', {
    name: 'watch',
    schedule: { cron: '0 9 * * *', timezone: 'UTC' },
    targets: [{ type: 'scrape', urls: [evil()] }],
  })
  const idIn = ({ output }: typeof created) => (output?.['data'] as { id: string } | undefined)?.id ?? ''
  const id = idIn(created)
  const run = await rest.call('monitor_run', { id })
  const checkId = idIn(run)
  const check = async () => (await rest.call('monitor_check', { id, checkId })).output?.['data']
  await vi.waitFor(async () => expect(await check()).toMatchObject({ status: 'completed' }), patience)
  return { id, checkId }
}
/** Opens a live browser on the page. */
const live = async (): Promise<string> => {
  const { id } = (await rest.call('browser_create', {})).output as { id: string }
  await rest.call('browser_act', { sessionId: id, acts: [{ type: 'navigate', url: evil() }] })
  return id
}
const schema = { type: 'object', properties: { title: { type: 'string' }, description: { type: 'string' } } }
const extraction = () => ({ urls: [evil()], schema })
const file = (encoding: 'utf8' | 'base64') => ({
  // The caller may have downloaded the file, so its name may come from an attacker.
  filename: `evil${namesake}.html`,
  [encoding === 'utf8' ? 'text' : 'base64']: Buffer.from(
    `<title>${forged}</title><h1>Garden tools</h1><p>${forged}`,
  ).toString(encoding),
})

const throwing = `console.log(await page.textContent('body')); throw new Error(await page.title())`
/** Calls of each operation that returns text of pages. */
const tried: Readonly<Record<string, () => Promise<unknown>>> = {
  activity: async () => {
    await rest.call('parse', { file: file('base64') })
    await scraped()
    return both('activity', {})
  },
  agent: () => tool('agent', { prompt: 'Garden tools', schema, wait: 60 }),
  batch_errors: async () => route('batch_errors', { id: await batched() }),
  batch_scrape: () => tool('batch_scrape', { ...batch(), wait: 60 }),
  batch_status: async () => route('batch_status', { id: await batched() }),
  browser_act: async () =>
    both('browser_act', {
      sessionId: await live(),
      acts: [
        { type: 'extract', as: 'markdown' },
        { type: 'navigate', url: evil('/a') },
      ],
    }),
  browser_create: () => both('browser_create', { url: evil() }),
  browser_execute: async () => {
    const sessionId = await live()
    return tool('browser_execute', { sessionId, code: throwing }, 'failed')
  },
  browser_open_act: () => both('browser_open_act', { url: evil(), keep: false }),
  browser_open_execute: () => tool('browser_open_execute', { url: evil(), code: throwing, keep: false }, 'failed'),
  browser_snapshot: async () => both('browser_snapshot', { sessionId: await live() }),
  browser_state: async () => route('browser_state', { sessionId: await live() }),
  crawl: () => tool('crawl', { url: evil(), limit: 9, crawlEntireDomain: true, wait: 60 }),
  crawl_errors: async () => both('crawl_errors', { id: await crawled() }),
  crawl_status: async () => both('crawl_status', { id: await crawled() }),
  extract: () => tool('extract', { ...extraction(), wait: 60 }),
  extract_status: async () => {
    const { id } = (await rest.call('extract', extraction())).output as { id: string }
    await ended('extract_status', id)
    return both('extract_status', { id })
  },
  interact: async () => tool('interact', { jobId: await scraped(), code: `await page.textContent('body')` }),
  llmstxt_status: async () => {
    const { id } = (await rest.call('llmstxt', { url: evil(), showFullText: true })).output as { id: string }
    await ended('llmstxt_status', id)
    return route('llmstxt_status', { id })
  },
  map: () => both('map', { url: evil() }),
  monitor_check: async () => route('monitor_check', await checked()),
  parse: () => both('parse', { file: file('base64') }, file('base64')),
  scrape: () =>
    both(
      'scrape',
      {
        url: evil(),
        formats: [
          'markdown',
          'html',
          'links',
          'images',
          { type: 'attributes', selectors: [{ selector: 'a', attribute: 'title' }] },
        ],
      },
      { url: evil(), formats: ['markdown', 'links', 'images'] },
    ),
  scrape_result: async () => both('scrape_result', { jobId: await scraped() }),
  search: () =>
    both(
      'search',
      { query: 'tools', sources: ['web', 'news', 'images'], scrapeOptions: { formats: ['markdown'] } },
      { query: 'tools', sources: ['web', 'news', 'images'] },
    ),
}

describe('a site with injections in every place', () => {
  it('is tested with every operation', () => {
    expect([...Object.keys(tried), ...untried].toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
  })

  it.concurrent.each(Object.entries(tried))(
    'returns text only in marked blocks, without invisible characters: %s',
    async (_, run) => void (await run()),
  )

  it('sends no invisible characters to a webhook', async () => {
    const { id } = (await rest.call('crawl', { url: evil(), limit: 3, webhook: receiver.url })).output as { id: string }
    await expect
      .poll(() => receiver.bodies.some((body) => body.includes('crawl.completed') && body.includes(id)))
      .toBe(true)
    expect(receiver.bodies.join('\n')).toMatch(/VISIBLE_START/)
    const strings = receiver.bodies.flatMap((body) => stringsOf(JSON.parse(body)))
    expect(strings.filter(hasHidden('webhook'))).toEqual([])
  })

  it('does not influence the descriptions of the server', async () => {
    expect(JSON.stringify([await client.tools(), await client.resources(), await client.templates()])).not.toMatch(
      ofPage,
    )
    expect(server.program.stderr()).not.toMatch(/FORGED_|HIDDEN_|<system>/)
  })
})
