import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverForAll, siteForAll } from '../helpers/for-all.ts'
import { httpClient, type McpClient } from '../helpers/mcp-client.ts'
import { runProgram } from '../helpers/program.ts'
import { sitePages, startEngine, type Engine } from './search-engine.ts'

let engine: Engine
let sdk: Firecrawl
const site = siteForAll()
beforeAll(async () => {
  engine = await startEngine(sitePages(() => site))
})
afterAll(() => engine.stop())
const server = serverForAll(() => ({
  GOSSAMER_SEARXNG_URL: engine.url,
  GOSSAMER_SEARCH_PROVIDERS: 'searxng',
  // A search must not wait for itself.
  GOSSAMER_MAX_CONCURRENCY: '1',
}))
beforeAll(() => {
  sdk = new Firecrawl({ apiKey: 'fc-any', apiUrl: server.url })
})

describe('the SDK of Firecrawl', () => {
  it('gets results although the only provider fails once', async () => {
    engine.stumble()
    const { web = [], warning } = await sdk.search('lighthouse stumbling', { limit: 2 })
    expect([web.length, warning]).toEqual([2, undefined])
  })

  it('gets pages with the results, and errors of the missing pages', async () => {
    const { web = [] } = await sdk.search('lighthouse pages', {
      scrapeOptions: { formats: ['markdown', 'links'], onlyMainContent: true },
    })
    expect(web).toMatchObject([
      {
        title: 'The lighthouse',
        markdown: expect.stringContaining('# The lighthouse that learned to listen'),
        links: expect.any(Array),
        metadata: { sourceURL: site.url('/article'), statusCode: 200 },
        position: 1,
      },
      {
        title: 'Cut',
        metadata: { sourceURL: site.url('/cut-before-headers'), error: expect.any(String) },
        position: 2,
      },
      { title: 'Documentation', markdown: expect.any(String), position: 3 },
    ])
  })

  it('gets pictures and news', async () => {
    const found = await sdk.search('lighthouse', { sources: ['images', { type: 'news' }], limit: 1 })
    expect(found).toEqual({
      images: [
        {
          title: 'The tower',
          imageUrl: site.url('/images/tower-1200.jpg'),
          imageWidth: 1200,
          imageHeight: 800,
          url: site.url('/article'),
          position: 1,
        },
      ],
      news: [
        {
          title: 'Tower listens',
          snippet: expect.any(String),
          url: site.url('/article'),
          date: expect.stringMatching(/^2026-01-12/),
          position: 1,
        },
      ],
    })
  })
})

describe('the search tool', () => {
  let client: McpClient
  beforeAll(async () => {
    client = await httpClient(`${server.url}/mcp`)
  })
  afterAll(() => client.close())
  async function call(name: string, args: Record<string, unknown>) {
    const { text, isError } = await client.call(name, args)
    expect(isError).toBe(false)
    return text
  }

  it('answers with a short numbered list, marked as untrusted text', async () => {
    const text = await call('search', { query: 'lighthouse', limit: 2 })
    expect(text).toMatch(/^2 results\.$/m)
    expect(text).toMatch(/<untrusted\d{6}>\s+1\. The lighthouse\n/)
    expect(text).toContain(`2. Cut\n   ${site.url('/cut-before-headers')}\n   Never comes.`)
    expect(text.length).toBeLessThan(1500)
  })

  it('also reads the results, each of them whole by its scrapeId', async () => {
    const text = await call('search', { query: 'lighthouse', scrapeOptions: { formats: ['markdown'] } })
    expect(text).toMatch(/could not be scraped: \S/)
    // A list to choose from, not the pages themselves.
    expect(text.length).toBeLessThan(3000)
    const scrapeId = /scrapeId ([\w-]{36}), \d+ characters/.exec(text)?.[1] ?? ''
    expect(await call('scrape_result', { jobId: scrapeId })).toContain('ARTICLE_START')
  })
})

describe('gossamer search', () => {
  it('prints JSON to a program', async () => {
    const { code, stdout } = await runProgram(['search', 'lighthouse', 'keepers', '{"limit": 1}'], server.env)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ data: { web: [{ url: site.url('/article'), position: 1 }] } })
  })
})

/** Returns the lines of `doctor` about search. */
const says = async (more: Record<string, string>) => {
  const { stdout } = await runProgram(['doctor'], { ...server.env, ...more })
  const { findings } = JSON.parse(stdout) as { findings: { topic: string }[] }
  return findings.find(({ topic }) => topic === 'Search')
}

describe('gossamer doctor', () => {
  it('reports which providers are used', async () => {
    expect(await says({})).toMatchObject({ state: 'ok', says: 'web: searxng; images: searxng; news: searxng' })
  })

  it('reports which provider names are unknown', async () => {
    expect(await says({ GOSSAMER_SEARCH_PROVIDERS: 'brave,wikipedia,wikipedai' })).toMatchObject({
      state: 'note',
      says: expect.stringContaining('brave, wikipedai cannot be used; web: wikipedia'),
    })
  })
})
