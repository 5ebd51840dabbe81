import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bin, cleanEnv, tempDir } from '../helpers/program.ts'
import { startSite, type Site } from '../helpers/site.ts'
import { sitePages, startEngine, type Engine } from './search-engine.ts'

const folder = tempDir()
let site: Site
let engine: Engine
let env: Record<string, string>

beforeAll(async () => {
  site = await startSite()
  engine = await startEngine(sitePages(() => site))
  env = {
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_SEARXNG_URL: engine.url,
    GOSSAMER_SEARCH_PROVIDERS: 'searxng',
  }
})
afterAll(async () => {
  await engine.stop()
  await site.close()
  folder.remove()
})

async function connected(program: string, more: Record<string, string>) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program], env: cleanEnv(more), stderr: 'ignore' }),
  )
  return client
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return { text, isError: isError === true }
}

describe('the search tool', () => {
  let client: Client
  beforeAll(async () => {
    client = await connected(bin, env)
  })
  afterAll(() => client.close())

  it('answers with a short numbered list, marked as untrusted text', async () => {
    const { text, isError } = await call(client, 'search', { query: 'lighthouse', limit: 2 })
    expect(isError).toBe(false)
    expect(text).toMatch(/^2 results\.$/m)
    expect(text).toMatch(/<untrusted\d{6}>\s+1\. The lighthouse\n/)
    expect(text).toContain(`2. Cut\n   ${site.url('/cut-before-headers')}\n   Never comes.`)
    expect(text.length).toBeLessThan(1500)
  })

  it('also reads the results, each of them whole by its scrapeId', async () => {
    const { text } = await call(client, 'search', { query: 'lighthouse', scrapeOptions: { formats: ['markdown'] } })
    expect(text).toMatch(/could not be scraped: \S/)
    // A list to choose from, not the pages themselves.
    expect(text.length).toBeLessThan(3000)
    const scrapeId = /scrapeId ([\w-]{36}), \d+ characters/.exec(text)?.[1] ?? ''
    const page = await call(client, 'scrape_result', { jobId: scrapeId })
    expect(page).toMatchObject({ isError: false, text: expect.stringContaining('ARTICLE_START') })
  })

  it('accepts fields of other clients, and warns of unknown ones', async () => {
    const known = { query: 'lighthouse', highlights: false, origin: 'x', integration: 'y', domainTools: true }
    expect((await call(client, 'search', known)).text).not.toContain('Ignored')
    expect((await call(client, 'search', { ...known, colour: 'red' })).text).toContain('Ignored unknown field: colour.')
  })
})
