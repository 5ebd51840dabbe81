import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderForAll } from '../../helpers/for-all.ts'
import { reaching, type Service, startService } from './kit.ts'

/** The packages take 200 MB, so they are installed only on request. */
const isAsked = process.env['TEST_LOADERS'] !== undefined
const minutes = 60_000

const langChain = ['@langchain/community@1.1.29', '@langchain/core@1.1.38']
const kits = {
  old: [...langChain, '@mendable/firecrawl-js@1.29.3'],
  new: [...langChain, 'firecrawl-aisdk@0.12.0', 'ai@6.0.326', '@mendable/firecrawl-js@4.42.0'],
}
const folder = folderForAll()
let service: Service
let require: Record<keyof typeof kits, NodeJS.Require>

async function install(kit: keyof typeof kits): Promise<NodeJS.Require> {
  const root = join(folder.path, kit)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--no-save']
  // Optional peers are the clients of other services, some of which ask for versions that exclude each other.
  await promisify(execFile)('npm', ['install', '--prefix', root, ...flags, ...kits[kit]])
  writeFileSync(join(root, 'package.json'), '{}')
  return createRequire(join(root, 'package.json'))
}

beforeAll(async () => {
  if (!isAsked) return
  require = { old: await install('old'), new: await install('new') }
  service = await startService()
  process.env['FIRECRAWL_API_URL'] = service.url
  process.env['FIRECRAWL_API_KEY'] = 'fc-any'
}, 5 * minutes)
afterAll(async () => {
  delete process.env['FIRECRAWL_API_URL']
  delete process.env['FIRECRAWL_API_KEY']
  await service?.stop()
}, 5 * minutes)

const url = (path = '/few/one') => service.site.url(path)
const to = async <T>(endpoint: string, call: () => Promise<T>) => reaching(service, endpoint, call)

type Loaded = { pageContent: string; metadata: Record<string, unknown> }[]
type FireCrawlLoader = new (of: { url: string; apiUrl: string; mode: string; params?: object }) => {
  load(): Promise<Loaded>
}
function load(kit: keyof typeof kits, mode: string, page: string, params?: object): Promise<Loaded> {
  const path = '@langchain/community/document_loaders/web/firecrawl'
  const { FireCrawlLoader } = require[kit](path) as { FireCrawlLoader: FireCrawlLoader }
  return new FireCrawlLoader({ url: page, apiUrl: service.url, mode, ...(params && { params }) }).load()
}

describe.skipIf(!isAsked)('LangChain’s FireCrawlLoader (from npm, if TEST_LOADERS is set)', () => {
  const one = { pageContent: expect.stringContaining('The only one.'), metadata: { statusCode: 200 } }

  it('loads a page', async () => {
    expect(await to('POST /v1/scrape', () => load('old', 'scrape', url()))).toMatchObject([one])
  })

  it('loads a site', async () => {
    const documents = await to('GET /v1/crawl/{id}', () => load('old', 'crawl', url('/few/'), { limit: 5 }))
    expect(documents.find(({ metadata }) => metadata['sourceURL'] === url())).toMatchObject(one)
  })

  it('lists the pages of a site', async () => {
    const documents = await to('POST /v1/map', () => load('old', 'map', url('/few/')))
    expect(documents.map(({ pageContent }) => JSON.parse(pageContent) as unknown)).toContain(url())
  })

  // The loader reads a field of SDK 1 that SDK 4 does not return. When this fails, docs/clients.md can name the newer SDK.
  it('fails with SDK 4 although it gets an answer', async () => {
    await to('POST /v2/scrape', () => expect(load('new', 'scrape', url())).rejects.toThrow('Error: undefined'))
  })
})

type Tool = object
type ToolMaker = (options: { apiUrl: string; apiKey: string }) => Tool
type Ai = {
  generateText(options: object): Promise<{ toolResults: { output: unknown }[]; content: unknown }>
  stepCountIs(count: number): unknown
}
const imported = async (path: string) =>
  (await import(pathToFileURL(join(folder.path, 'new/node_modules', path)).href)) as unknown

/** Has the AI SDK call a tool, and returns the tool's result or error. */
async function called(name: string, input: object): Promise<unknown> {
  const made = (await imported('firecrawl-aisdk/dist/index.js')) as Record<string, Tool | ToolMaker>
  const { generateText, stepCountIs } = (await imported('ai/dist/index.mjs')) as Ai
  const maker = made[name]
  const hasOptions = typeof maker === 'function'
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const call = { type: 'tool-call', toolCallId: 'a', toolName: name, input: JSON.stringify(input) }
  const { toolResults, content } = await generateText({
    model: {
      specificationVersion: 'v3',
      provider: 'test',
      modelId: 'test',
      supportedUrls: {},
      doGenerate: () =>
        Promise.resolve({ content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] }),
    },
    tools: { [name]: hasOptions ? (maker as ToolMaker)({ apiUrl: service.url, apiKey: 'fc-any' }) : maker },
    stopWhen: stepCountIs(1),
    prompt: 'Go on.',
  })
  return toolResults[0]?.output ?? content
}
const idOf = (answer: unknown) => String((answer as { id?: unknown }).id)

describe.skipIf(!isAsked)('the tools of the AI SDK (from npm, if TEST_LOADERS is set)', () => {
  it('scrape, including a question and data', async () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    const formats = ['markdown', { type: 'json', schema }, { type: 'query', prompt: 'What is the only one?' }]
    expect(await to('POST /v2/scrape', () => called('scrape', { url: url(), formats }))).toMatchObject({
      markdown: expect.stringContaining('The only one.'),
      json: { title: 'One' },
      answer: expect.stringContaining('The only one.'),
    })
  })

  it('search and map', async () => {
    const found = await to('POST /v2/search', () => called('search', { query: 'lighthouse', limit: 1 }))
    expect(found).toMatchObject({ web: [{ url: url('/article') }] })
    const { links } = (await to('POST /v2/map', () => called('map', { url: url('/few/') }))) as {
      links: { url: string }[]
    }
    expect(links.map((link) => link.url)).toContain(url())
  })

  it('crawl and batchScrape, and poll their jobs', async () => {
    const job = { crawl: { url: url(), limit: 1 }, batchScrape: { urls: [url()], formats: ['markdown'] } }
    const done = { status: 'completed', data: [{ markdown: expect.stringContaining('The only one.') }] }
    const jobId = idOf(await to('POST /v2/crawl', () => called('crawl', job.crawl)))
    expect(await called('poll', { jobId, jobType: 'crawl', pollInterval: 0.2 })).toMatchObject(done)
    expect(await to('POST /v2/batch/scrape', () => called('batchScrape', job.batchScrape))).toMatchObject(done)
  })

  it('interact', { timeout: minutes }, async () => {
    const input = { url: url(), code: 'await page.title()', language: 'node' }
    expect(await to('POST /v2/scrape/{id}/interact', () => called('interact', input))).toMatchObject({ output: 'One' })
  })

  it('agent', async () => {
    const started = await to('POST /v2/agent', () =>
      called('agent', { prompt: 'What is the only one?', urls: [url()] }),
    )
    expect(started).toMatchObject({ success: true, id: expect.any(String) })
  })
})
