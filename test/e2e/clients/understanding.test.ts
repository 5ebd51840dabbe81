import { join } from 'node:path'
import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type McpClient, stdioClient } from '../../helpers/mcp-client.ts'
import { gives, type ModelCall, type ModelReply, says, startModelServer } from '../../helpers/model-server.ts'
import { onLoopback, type Service, startService } from './kit.ts'

const program = join(import.meta.dirname, '../../../node_modules/firecrawl-mcp/dist/index.js')
type Model = Awaited<ReturnType<typeof startModelServer>>
let model: Model
let service: Service
let sdk: Firecrawl
let mcp: McpClient

async function start(env: Record<string, string>) {
  service = await startService(env)
  sdk = new Firecrawl({ apiKey: 'fc-any', apiUrl: service.url, maxRetries: 1 })
}

const url = (path = '/article') => service.site.url(path)
const schema = { type: 'object', properties: { headline: { type: 'string' }, author: { type: 'string' } } }
const question = 'How much faster does sound travel in water than in air?'
const fact =
  "Sound travels about four times faster in water than in air, and much farther. A ship's screw can be heard at twenty miles. The engineers hung the microphones at depths of five, ten and twenty metres and compare the moments of arrival."
const written = { headline: 'The lighthouse that learned to listen', author: 'Ada Marsh' }

/** Answers questions about the article like a good model, in words that occur nowhere else. */
function answered(call: ModelCall): ModelReply {
  const fields = Object.keys((call.schema?.['properties'] ?? {}) as object)
  const line = Number(/^(\d+) Sound travels/m.exec(call.prompt)?.[1])
  if (fields.includes('isOnPage')) return gives({ isOnPage: true, answer: 'About four times.', lines: [line] })
  if (fields.includes('lines')) return gives({ lines: [line, 9999] })
  if (fields.includes('acts')) return gives({ acts: [], answer: 'By the model: the only one.' })
  if (fields.includes('headline')) return gives({ ...written, author: 'ADA MARSH' })
  return says('By the model: a tower hears ships.')
}

const tool = async (name: string, input: Record<string, unknown>): Promise<unknown> =>
  JSON.parse((await mcp.call(name, input)).text)

describe('with a language model', () => {
  beforeAll(async () => {
    model = await startModelServer(answered)
    await start({ GOSSAMER_MODEL: 'large', GOSSAMER_MODEL_URL: model.url('openai') })
    mcp = await stdioClient(onLoopback(service), [program])
  })
  afterAll(async () => {
    await mcp.close()
    await service?.stop()
    await model?.close()
  })

  it('the SDK scrapes data, a summary, an answer and highlights', async () => {
    const document = await sdk.scrape(url(), {
      formats: [
        'summary',
        { type: 'json', schema },
        { type: 'question', question },
        { type: 'highlights', query: 'sound' },
      ],
    })
    expect(document).toMatchObject({
      json: { ...written, author: 'ADA MARSH' },
      summary: 'By the model: a tower hears ships.',
      answer: `About four times.\n\n> ${fact}`,
      highlights: fact,
      metadata: { llmMode: 'model', llmModel: 'large-2026' },
    })
  })

  it('the SDK extracts data from pages, with its sources', async () => {
    const extracted = await sdk.extract({ urls: [url()], schema, showSources: true, pollInterval: 1, timeout: 120 })
    expect(extracted).toMatchObject({
      status: 'completed',
      data: { ...written, author: 'ADA MARSH' },
      sources: { headline: [url()] },
    })
  })

  it('the MCP server scrapes data and answers', async () => {
    const wanted = {
      formats: ['json', 'query', 'summary'],
      jsonOptions: { schema },
      queryOptions: { prompt: question },
    }
    expect(await tool('firecrawl_scrape', { url: url(), ...wanted })).toMatchObject({
      json: { ...written, author: 'ADA MARSH' },
      answer: expect.stringContaining('About four times.'),
      summary: 'By the model: a tower hears ships.',
    })
  })

  it('the MCP server runs a prompt in the browser', async () => {
    const done = await tool('firecrawl_interact', { url: url('/few/one'), prompt: 'Which one is it?' })
    expect(done).toMatchObject({ output: 'By the model: the only one.' })
  })
})

describe('without a language model', () => {
  beforeAll(() => start({}))
  afterAll(() => service?.stop())

  it('the SDK scrapes the same from the page’s own text, with a warning', async () => {
    const document = await sdk.scrape(url(), {
      formats: [
        'summary',
        { type: 'json', schema },
        { type: 'question', question },
        { type: 'highlights', query: question },
      ],
    })
    expect(document).toMatchObject({
      json: written,
      summary: expect.stringContaining('listen'),
      answer: expect.stringContaining('four times faster'),
      highlights: expect.stringContaining('four times faster'),
      warning: expect.stringContaining('No language model is configured'),
      metadata: { llmMode: 'builtin' },
    })
  })
})
