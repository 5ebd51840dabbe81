import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drawn } from '../../attack/hostile.ts'
import { stdioClient } from '../../helpers/mcp-client.ts'
import { installedVersion, namesOf, onLoopback, reaching, refusalOf, startService } from './kit.ts'
import { clients, type Refused, type Working } from './methods.ts'
import { forAll } from '../../helpers/for-all.ts'

const { methods, version } = clients['firecrawl-mcp']
const program = join(import.meta.dirname, '../../../node_modules/firecrawl-mcp/dist/index.js')

const service = forAll(startService)
const client = forAll(() => stdioClient(onLoopback(service), [program]))

const url = (path = '/few/one') => service.site.url(path)

async function answer(name: keyof typeof methods, input: object): Promise<string> {
  const { text, isError } = await client.call(name, { ...input })
  expect({ isError, text: isError ? text : '' }).toEqual({ isError: false, text: '' })
  return text
}
const idIn = (text: string, field: string) =>
  new RegExp(`"${field}": ?"([^"]+)"`).exec(text)?.[1] ?? expect.unreachable(text)
const scraped = async () => idIn(await answer('firecrawl_scrape', { url: url(), formats: ['markdown'] }), 'scrapeId')
const watched = async () =>
  idIn(await answer('firecrawl_monitor_create', { page: url(), goal: 'Tell me of news', scheduleText: 'hourly' }), 'id')
const started = async (id: string) => idIn(await answer('firecrawl_monitor_run', { id }), 'id')

/** Checks the answer of each tool. */
const calls: Record<Working<typeof methods>, () => Promise<unknown>> = {
  firecrawl_scrape: async () => {
    const input = { url: url(), formats: ['markdown', 'links'], onlyMainContent: true, maxAge: 0 }
    expect(await answer('firecrawl_scrape', input)).toContain('The only one.')
  },
  firecrawl_interact: async () => {
    const code = 'await page.title()'
    expect(await answer('firecrawl_interact', { scrapeId: await scraped(), code, language: 'node' })).toContain('"One"')
    expect(await answer('firecrawl_interact', { url: url('/few/'), code, language: 'node' })).toContain('"Few"')
  },
  firecrawl_interact_stop: async () => {
    const scrapeId = await scraped()
    await answer('firecrawl_interact', { scrapeId, code: '1 + 1', language: 'node' })
    expect(await answer('firecrawl_interact_stop', { scrapeId })).toContain('creditsBilled')
  },
  firecrawl_parse: async () => {
    const filePath = join(service.folder, 'a.html')
    writeFileSync(filePath, '<h1>A file</h1>')
    expect(await answer('firecrawl_parse', { filePath, formats: ['markdown'] })).toContain('# A file')
  },
  firecrawl_search: async () => {
    expect(await answer('firecrawl_search', { query: 'lighthouse', limit: 1 })).toContain(url('/article'))
    const scrapeOptions = { formats: ['markdown'] }
    expect(await answer('firecrawl_search', { query: 'lighthouse', limit: 1, scrapeOptions })).toContain('markdown')
  },
  firecrawl_map: async () => expect(await answer('firecrawl_map', { url: url('/few/') })).toContain(url()),
  firecrawl_crawl: async () =>
    expect(await answer('firecrawl_crawl', { url: url(), limit: 1 })).toContain('"status": "completed"'),
  firecrawl_check_crawl_status: async () => {
    const id = idIn(await answer('firecrawl_crawl', { url: url(), limit: 1 }), 'id')
    expect(await answer('firecrawl_check_crawl_status', { id })).toContain('"status": "completed"')
  },
  firecrawl_agent: async () =>
    expect(await answer('firecrawl_agent', { prompt: 'What is the only one?', urls: [url()] })).toContain('"id"'),
  firecrawl_agent_status: async () => {
    const input = { prompt: 'What is the only one?', urls: [url()], strictConstrainToURLs: true }
    const id = idIn(await answer('firecrawl_agent', input), 'id')
    await expect.poll(() => answer('firecrawl_agent_status', { id })).toContain('The only one.')
  },
  firecrawl_monitor_create: async () => {
    const monitor = { page: url(), goal: 'Tell me of news', webhookUrl: 'https://example.com/hook' }
    expect(await answer('firecrawl_monitor_create', monitor)).toContain('"*/30 * * * *"')
  },
  firecrawl_monitor_list: async () => {
    const id = await watched()
    expect(await answer('firecrawl_monitor_list', { limit: 5 })).toContain(id)
  },
  firecrawl_monitor_get: async () => {
    const id = await watched()
    expect(await answer('firecrawl_monitor_get', { id })).toContain('"status": "active"')
  },
  firecrawl_monitor_update: async () => {
    const id = await watched()
    const body = { status: 'paused', notification: null }
    expect(await answer('firecrawl_monitor_update', { id, body })).toContain('"status": "paused"')
  },
  firecrawl_monitor_run: async () => {
    const id = await watched()
    expect(await answer('firecrawl_monitor_run', { id })).toContain('"trigger": "manual"')
  },
  firecrawl_monitor_checks: async () => {
    const id = await watched()
    const checkId = await started(id)
    expect(await answer('firecrawl_monitor_checks', { id, limit: 5 })).toContain(checkId)
  },
  firecrawl_monitor_check: async () => {
    const id = await watched()
    const checkId = await started(id)
    expect(await answer('firecrawl_monitor_check', { id, checkId, limit: 5 })).toContain('"pages"')
  },
  firecrawl_monitor_delete: async () => {
    const id = await watched()
    expect(await answer('firecrawl_monitor_delete', { id })).toContain('"success": true')
  },
  firecrawl_feedback: async () => {
    const input = { endpoint: 'scrape', jobId: await scraped(), rating: 'good' }
    expect(await answer('firecrawl_feedback', input)).toContain('feedbackId')
  },
  firecrawl_search_feedback: async () => {
    const searchId = idIn(await answer('firecrawl_search', { query: 'lighthouse', limit: 1 }), 'id')
    const input = { searchId, rating: 'bad', querySuggestions: 'lamp' }
    expect(await answer('firecrawl_search_feedback', input)).toContain('feedbackId')
  },
  firecrawl_credit_usage: async () => {
    expect(await answer('firecrawl_credit_usage', {})).toContain('remainingCredits')
    expect(await answer('firecrawl_credit_usage', { view: 'historical', byApiKey: true })).toContain('creditsUsed')
  },
}

/** Tools of services that do not exist here. */
const refused: Record<Refused<typeof methods>, object> = {
  firecrawl_research_search_papers: { query: 'orb webs' },
  firecrawl_research_inspect_paper: { paperId: 'one' },
  firecrawl_research_related_papers: { seed_ids: ['one'], intent: 'orb webs' },
  firecrawl_research_read_paper: { paperId: 'one', question: 'orb webs' },
  firecrawl_developer_search: { query: 'orb webs' },
  firecrawl_find_tools: {},
}

describe('the MCP server of Firecrawl', () => {
  it('has exactly the listed tools', async () => {
    const { tools } = await client.sdk.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(namesOf(methods))
    expect(installedVersion('firecrawl-mcp')).toBe(version)
  })

  // A normal run draws half of the calls.
  it.each(drawn(Object.entries(calls)))('%s', async (name, call) => {
    await reaching(service, methods[name as keyof typeof calls], call)
  })

  it.each(Object.entries(refused))('%s is refused, with an alternative', async (name, input) => {
    expect((await client.call(name, { ...input })).text).toMatch(refusalOf(methods[name as keyof typeof refused]))
  })

  it('shows errors to its users', async () => {
    const answered = await client.call('firecrawl_scrape', { url: url(), formats: ['markdown'], waitFor: 40_000 })
    expect(answered).toMatchObject({ isError: true, text: expect.stringContaining('waitFor may be at most half') })
  })
})
