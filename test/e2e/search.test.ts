import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram, startServer, tempDir } from '../helpers/program.ts'
import { startSite, type Site } from '../helpers/site.ts'
import { sitePages, startEngine, type Engine } from './search-engine.ts'

const folder = tempDir()
let site: Site
let engine: Engine
let env: Record<string, string>
let server: Awaited<ReturnType<typeof startServer>>
let sdk: Firecrawl

beforeAll(async () => {
  site = await startSite()
  engine = await startEngine(sitePages(() => site))
  env = {
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_SEARXNG_URL: engine.url,
    GOSSAMER_SEARCH_PROVIDERS: 'searxng',
    // A search must not wait for itself.
    GOSSAMER_MAX_CONCURRENCY: '1',
  }
  server = await startServer(env)
  sdk = new Firecrawl({ apiKey: 'fc-any', apiUrl: server.url })
})
afterAll(async () => {
  await server.stop()
  await engine.stop()
  await site.close()
  folder.remove()
})

async function post(body: object) {
  const response = await fetch(`${server.url}/v2/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('the public service’s SDK', () => {
  it('searches', async () => {
    const { web, images, news, warning } = await sdk.search('lighthouse engineers', { limit: 2, integration: 'test' })
    expect(web).toEqual([
      {
        url: site.url('/article'),
        title: 'The lighthouse',
        description: 'A snippet of the engine.',
        position: 1,
      },
      { url: site.url('/cut-before-headers'), title: 'Cut', description: 'Never comes.', position: 2 },
    ])
    expect([images, news, warning]).toEqual([undefined, undefined, undefined])
  })

  it('does not notice that the only provider stumbles', async () => {
    engine.stumble()
    const { web = [], warning } = await sdk.search('lighthouse stumbling', { limit: 2 })
    expect([web.length, warning]).toEqual([2, undefined])
  })

  it('is told that its time was too short', async () => {
    await expect(sdk.search('lighthouse in a hurry', { timeout: 1 })).rejects.toMatchObject({
      status: 408,
      code: 'SEARCH_TIMEOUT',
    })
  })

  it('gets pages with the results, and what is wrong with those that did not come', async () => {
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

  it('is told what a time filter has to look like', async () => {
    await expect(sdk.search('lighthouse', { tbs: 'qdr:x' })).rejects.toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })
})

describe('over REST a search', () => {
  it('costs what its results and its pages cost', async () => {
    const { body } = await post({ query: 'lighthouse cost', scrapeOptions: { formats: ['markdown'] } })
    expect(body).toMatchObject({ success: true, creditsUsed: 2 + 2, id: expect.any(String), warning: null })
  })

  it('has results that can be read again', async () => {
    const { body } = await post({ query: 'lighthouse again', limit: 1, scrapeOptions: { formats: ['markdown'] } })
    const [first] = (body['data'] as { web: { metadata: { scrapeId: string } }[] }).web
    const again = await fetch(`${server.url}/v2/scrape/${first?.metadata.scrapeId}`)
    expect(await again.json()).toMatchObject({ data: { markdown: expect.stringContaining('lighthouse') } })
  })

  it('shows the passage that fits, once the page was read', async () => {
    const { body } = await post({ query: 'whales recordings', limit: 1 })
    expect(body).toMatchObject({ data: { web: [{ description: expect.stringMatching(/[Ww]hale/) }] } })
    const { body: bare } = await post({ query: 'whales recordings', limit: 1, highlights: false })
    expect(bare).toMatchObject({ data: { web: [{ description: 'A snippet of the engine.' }] } })
  })

  it('asks an engine that knows no categories for their places', async () => {
    await post({ query: 'silk', categories: ['github', 'research', 'pdf'] })
    const words = engine.asked.map((each) => each.get('q') ?? '').filter((each) => each.startsWith('silk'))
    expect(words.some((each) => each.includes('site:github.com'))).toBe(true)
    expect(words.some((each) => each.includes('site:arxiv.org'))).toBe(true)
    expect(words.some((each) => each.includes('filetype:pdf'))).toBe(true)
  })

  it('needs leave for the modes that keep nothing', async () => {
    expect(await post({ query: 'silk', enterprise: ['zdr'] })).toMatchObject({
      status: 403,
      body: { code: 'PERMISSION_REQUIRED' },
    })
  })

  it('finds nothing where there is nothing', async () => {
    expect(await post({ query: 'nothing zqxj' })).toMatchObject({
      status: 200,
      body: { data: { web: [] }, warning: null, creditsUsed: 0 },
    })
  })

  it('appears in the activity', async () => {
    const response = await fetch(`${server.url}/v2/team/activity?endpoint=search`)
    const { data } = (await response.json()) as { data: { target: string }[] }
    expect(data.map(({ target }) => target)).toContain('lighthouse engineers')
  })
})

describe('gossamer search', () => {
  it('prints JSON to a program', async () => {
    const { code, stdout } = await runProgram(['search', 'lighthouse', 'keepers', '{"limit": 1}'], env)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ data: { web: [{ url: site.url('/article'), position: 1 }] } })
  })

  it('takes a limit, and says what is wrong with one', async () => {
    const { stdout } = await runProgram(['search', 'lighthouse', '--limit', '2'], env)
    expect((JSON.parse(stdout) as { data: { web: object[] } }).data.web).toHaveLength(2)
    expect(await runProgram(['search', 'lighthouse', '--limit', 'many'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--limit takes a whole number'),
    })
  })

  it('says how it is called', async () => {
    expect(await runProgram(['search'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('usage: gossamer search QUERY'),
    })
  })
})

/** What the doctor says of search. */
const says = async (more: Record<string, string>) => {
  const { stdout } = await runProgram(['doctor'], { ...env, ...more })
  const { findings } = JSON.parse(stdout) as { findings: { topic: string }[] }
  return findings.find(({ topic }) => topic === 'Search')
}

describe('gossamer doctor', () => {
  it('says who is asked for what', async () => {
    expect(await says({})).toMatchObject({ state: 'ok', says: 'web: searxng; images: searxng; news: searxng' })
  })

  it('says which settings would help', async () => {
    expect(await says({ GOSSAMER_SEARXNG_URL: '', GOSSAMER_SEARCH_PROVIDERS: '' })).toMatchObject({
      state: 'note',
      says: expect.stringMatching(/web: duckduckgo.*results pages/),
      advice: expect.stringContaining('GOSSAMER_SEARXNG_URL'),
    })
  })

  it('says which names cannot be asked', async () => {
    expect(await says({ GOSSAMER_SEARCH_PROVIDERS: 'brave,wikipedia,wikipedai' })).toMatchObject({
      state: 'note',
      says: expect.stringContaining('brave, wikipedai cannot be used; web: wikipedia'),
    })
  })
})
