import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { gives, type ModelCall, type ModelScript, type ModelServer, startModelServer } from '../helpers/model-server.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { actRoutes } from '../helpers/site/act.ts'
import { startSite, type Site } from '../helpers/site.ts'

const folder = tempDir()
let site: Site
let model: ModelServer
let server: Awaited<ReturnType<typeof startServer>>
let sdk: Firecrawl
let mcp: Client

beforeAll(async () => {
  site = await startSite({ routes: actRoutes })
  model = await startModelServer()
  server = await startServer({
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_MODEL: 'large',
    GOSSAMER_UNSANDBOXED_CODE: 'always',
    GOSSAMER_MODEL_URL: model.url('openai'),
  })
  sdk = new Firecrawl({ apiKey: 'fc-any', apiUrl: server.url, maxRetries: 1 })
  mcp = new Client({ name: 'test', version: '1.0.0' })
  await mcp.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url)))
}, 60_000)
afterAll(async () => {
  await mcp?.close()
  await server?.stop()
  await model?.close()
  await site?.close()
  folder.remove()
})

const scraped = async (path: string) =>
  String((await sdk.scrape(site.url(path), { formats: ['markdown'] })).metadata?.scrapeId)
const refOf = ({ prompt }: ModelCall, part: string) =>
  new RegExp(`${part}[^\\n]*?\\b(e\\d+)\\b`).exec(prompt)?.[1] ?? 'missing'

/** Logs in, and reads what is behind. */
const logsIn: ModelScript = (call, nth) => {
  if (nth === 1)
    return gives({
      acts: [
        { type: 'fill', target: refOf(call, '"User"'), value: 'ann' },
        { type: 'fill', target: refOf(call, '"Password"'), value: 'secret' },
        { type: 'click', target: refOf(call, 'button "Log in"') },
      ],
    })
  return gives({ acts: [], answer: /22\.50 €/.exec(call.prompt)?.[0] ?? 'not found' })
}
const prompt = 'Log in as ann with the password secret and say what the third order costs.'

it('an MCP client runs a prompt, and gets its steps as progress', { timeout: 120_000 }, async () => {
  model.play(logsIn)
  const jobId = await scraped('/act/login')
  const steps: string[] = []
  const onprogress = ({ message = '' }) => void steps.push(message)
  const call = { name: 'interact', arguments: { jobId, prompt, timeout: 90 } }
  const { content, isError } = await mcp.callTool(call, { onprogress })
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  expect(isError).toBeFalsy()
  expect(text).toContain('22.50 €')
  expect(steps).toContainEqual(expect.stringMatching(/^Step 1: fill e\d+, fill e\d+, click e\d+$/))
  await sdk.stopInteraction(jobId)
})
