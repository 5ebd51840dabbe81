import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { tools } from '../../src/toolset/index.ts'
import { catalogueOf } from '../../src/surfaces/dashboard/catalogue.ts'
import {
  cliLine,
  type Input,
  mcpCall,
  restCall,
  sdkLine,
} from '../../src/surfaces/dashboard/page/playground/snippets.ts'
import { bin, cleanEnv, startServer, tempDir } from '../helpers/program.ts'
import { type Site, startSite } from '../helpers/site.ts'
import { html } from '../helpers/site/route.ts'

const run = promisify(execFile)
const folder = tempDir()
const key = 'correct-horse'
/** What shells and JSON treat as their own. */
const hostile = `it's "$HOME" \`id\` \\n $(id) !x %41`
const catalogue = catalogueOf(operations, tools)
let site: Site
let server: Awaited<ReturnType<typeof startServer>>
let crawlId = ''

const page = `<title>Kettles</title><main><h1>Kettles</h1><p>${'A kettle boils water for tea. '.repeat(20)}</p><a href="/one">One</a></main>`

beforeAll(async () => {
  site = await startSite({ routes: { '/kettles': html(page), '/one': html(page.replaceAll('Kettles', 'One kettle')) } })
  server = await startServer({
    GOSSAMER_DATA_DIR: join(folder.path, 'data'),
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_API_KEYS: `ada:${key}`,
    GOSSAMER_SEARCH_PROVIDERS: 'local',
  })
  writeFileSync(join(folder.path, 'gossamer'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder.path, 'node_modules'))
  const begun = await fetch(`${server.url}/v2/crawl`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: site.url('/kettles'), limit: 2, wait: 60 }),
  })
  crawlId = ((await begun.json()) as { id: string }).id
})
afterAll(async () => {
  await server.stop()
  await site.close()
  folder.remove()
})

/** Runs a line as whoever copied it would: in a shell, with the key where the line looks for it. */
async function shell(line: string): Promise<string> {
  const env = cleanEnv({
    PATH: `${folder.path}:${process.env['PATH']}`,
    GOSSAMER_API_KEY: key,
    // A call that did not reach the server would find nothing here.
    GOSSAMER_DATA_DIR: join(folder.path, 'elsewhere'),
  })
  const { stdout } = await run('sh', ['-c', line], { env, maxBuffer: 1e7 })
  return stdout
}

async function program(text: string, name: string): Promise<string> {
  const file = join(folder.path, `${name}.mjs`)
  writeFileSync(file, text)
  const env = cleanEnv({ GOSSAMER_API_KEY: key })
  return (await run(process.execPath, [file], { env, maxBuffer: 1e7 })).stdout
}

async function overMcp(call: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit: { headers } }))
  const { params } = JSON.parse(call)
  const answer = await client.callTool(params)
  await client.close()
  expect(answer.isError ?? false).toBe(false)
  return JSON.stringify(answer)
}

/** Ten operations, with what each of the four answers must say. */
const cases: [name: string, input: () => Input, says: () => RegExp][] = [
  [
    'scrape',
    () => ({ url: site.url('/kettles'), formats: ['markdown'], headers: { 'x-note': hostile }, maxAge: 0 }),
    () => /boils water/,
  ],
  ['map', () => ({ url: site.url('/kettles'), search: "it's" }), () => /kettles/],
  ['search', () => ({ query: 'kettles', limit: 1 }), () => /kettles/],
  ['crawl', () => ({ url: site.url('/one'), limit: 1 }), () => /[0-9a-f]{8}-[0-9a-f]{4}-/],
  ['crawl_status', () => ({ id: crawlId }), () => /completed/],
  ['crawl_errors', () => ({ id: crawlId }), () => /robots|errors|No page failed/i],
  ['batch_scrape', () => ({ urls: [site.url('/one')] }), () => /[0-9a-f]{8}-[0-9a-f]{4}-/],
  ['extract', () => ({ urls: [site.url('/one')], prompt: "What's boiled?" }), () => /[0-9a-f]{8}-[0-9a-f]{4}-/],
  ['agent', () => ({ prompt: 'What boils water?', urls: [site.url('/one')], maxPages: 1 }), () => /[0-9a-f]{8}-/],
  ['crawl_active', () => ({}), () => /crawls|No crawl/i],
]

test.each(cases)(
  '%s: MCP, REST, the command line and the SDK do what the playground says',
  async (name, input, says) => {
    const operation = catalogue.find((each) => each.name === name)!
    const where = { origin: server.url, hasKey: true }
    const lines = [
      mcpCall(operation, input()),
      restCall(operation, input(), where),
      cliLine(operation, input(), where),
      sdkLine(operation, input(), where),
    ]
    const [mcp, rest, cli, sdk] = lines.map((line) => line ?? '')
    expect(lines.every((line) => line !== undefined)).toBe(true)
    const seen = site.requests.length
    expect(await overMcp(mcp!)).toMatch(says())
    const answer = await shell(rest!)
    expect(JSON.parse(answer)).toMatchObject({ success: true })
    expect(answer).toMatch(says())
    expect(await shell(cli!)).toMatch(says())
    expect(await program(sdk!, name)).toMatch(says())
    if (name !== 'scrape') return
    const notes = site.requests.slice(seen).flatMap(({ headers }) => headers['x-note'] ?? [])
    expect(notes).toEqual([hostile, hostile, hostile, hostile])
  },
)
