import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bin, cleanEnv, startServer, tempDir } from '../helpers/program.ts'
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

  it('answers with a short numbered list, marked as the words of others', async () => {
    const { text, isError } = await call(client, 'search', { query: 'lighthouse', limit: 2 })
    expect(isError).toBe(false)
    expect(text).toMatch(/^2 results\.$/m)
    expect(text).toMatch(/<untrusted\d{6}>\s+1\. The lighthouse\n/)
    expect(text).toContain(`2. Cut\n   ${site.url('/cut-before-headers')}\n   Never comes.`)
    expect(text.length).toBeLessThan(1500)
  })

  it('names the sources apart', async () => {
    const { text } = await call(client, 'search', { query: 'lighthouse', sources: ['news', 'images'] })
    expect(text).toMatch(
      /<untrusted\d+ news>[\s\S]*2026-01-12[\s\S]*<untrusted\d+ images>[\s\S]*tower-1200\.jpg \(1200×800\)/,
    )
  })

  it('reads the results as well, and each whole by its scrapeId', async () => {
    const { text } = await call(client, 'search', { query: 'lighthouse', scrapeOptions: { formats: ['markdown'] } })
    expect(text).toMatch(/could not be scraped: \S/)
    // A list to choose from, not the pages themselves.
    expect(text.length).toBeLessThan(3000)
    const scrapeId = /scrapeId ([\w-]{36}), \d+ characters/.exec(text)?.[1] ?? ''
    const page = await call(client, 'scrape_result', { jobId: scrapeId })
    expect(page).toMatchObject({ isError: false, text: expect.stringContaining('ARTICLE_START') })
  })

  it('takes what other clients send, and warns of what it does not know', async () => {
    const known = { query: 'lighthouse', highlights: false, origin: 'x', integration: 'y', domainTools: true }
    expect((await call(client, 'search', known)).text).not.toContain('Ignored')
    expect((await call(client, 'search', { ...known, colour: 'red' })).text).toContain('Ignored unknown field: colour.')
  })

  it('says what to do when nobody can answer', async () => {
    const broken = await startEngine(() => ({}))
    broken.fail()
    const alone = await connected(bin, { ...env, GOSSAMER_DATA_DIR: 'memory', GOSSAMER_SEARXNG_URL: broken.url })
    const { text, isError } = await call(alone, 'search', { query: 'lighthouse' })
    await alone.close()
    await broken.stop()
    expect(isError).toBe(true)
    expect(text).toMatch(/SEARCH_UNAVAILABLE.*searxng failed \(rate limited\)[\s\S]*GOSSAMER_BRAVE_KEY/)
  })
})

const official = join(import.meta.dirname, '../../bench/node_modules/firecrawl-mcp/dist/index.js')

describe.skipIf(!existsSync(official))('the public service’s MCP server before ours', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  let client: Client
  beforeAll(async () => {
    server = await startServer(env)
    client = await connected(official, { FIRECRAWL_API_URL: server.url, FIRECRAWL_API_KEY: 'fc-any' })
  })
  afterAll(async () => {
    await client.close()
    await server.stop()
  })

  it.each([
    ['with a query alone', {}],
    ['with all its own options', { highlights: true, toolDetail: 'full', limit: 3, sources: [{ type: 'web' }] }],
    ['with a category of its own', { categories: ['developer'], excludeDomains: ['example.com'] }],
  ])('searches %s', async (_, options) => {
    const { text, isError } = await call(client, 'firecrawl_search', { query: 'lighthouse', ...options })
    expect(isError).toBe(false)
    const { success, warning, data } = JSON.parse(text) as Record<string, unknown>
    expect({ success, warning, data }).toMatchObject({ success: true, data: { web: expect.any(Array) } })
    expect(warning ?? '').not.toContain('Ignored')
  })

  it('gets pages with the results', async () => {
    const { text } = await call(client, 'firecrawl_search', {
      query: 'lighthouse',
      scrapeOptions: { formats: ['markdown'], onlyMainContent: true },
    })
    expect(JSON.parse(text)).toMatchObject({
      data: {
        web: [{ markdown: expect.stringContaining('ARTICLE_START') }, { metadata: { error: expect.any(String) } }, {}],
      },
    })
  })
})
