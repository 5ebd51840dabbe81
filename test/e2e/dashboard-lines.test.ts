import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { operations, tools } from '../../src/operations/index.ts'
import { catalogueOf } from '../../src/surfaces/dashboard/dashboard.ts'
import { cliLine, libraryLine, mcpCall, restCall, sdkLine, type Input } from '../../src/kernel/written-call.ts'
import { drawn } from '../attack/hostile.ts'
import { read } from '../helpers/api.ts'
import { folderForAll, serverForAll, siteForAll } from '../helpers/for-all.ts'
import { httpClient } from '../helpers/mcp-client.ts'
import { bin, cleanEnv } from '../helpers/program.ts'
import { html } from '../helpers/site/route.ts'

const run = promisify(execFile)
const folder = folderForAll()
const key = 'correct-horse'
/** Characters with a meaning in shells and JSON. */
const hostile = `it's "$HOME" \`id\` \\n $(id) !x %41`
const catalogue = catalogueOf(operations, tools)
const operationOf = (name: string) => catalogue.find((each) => each.name === name)!
let crawlId = ''

const page = `<title>Kettles</title><main><h1>Kettles</h1><p>${'A kettle boils water for tea. '.repeat(20)}</p><a href="/one">One</a></main>`

const site = siteForAll({ routes: { '/kettles': html(page), '/one': html(page.replaceAll('Kettles', 'One kettle')) } })
const server = serverForAll(() => ({ GOSSAMER_API_KEYS: `ada:${key}`, GOSSAMER_SEARCH_PROVIDERS: 'local' }))
beforeAll(async () => {
  writeFileSync(join(folder.path, 'gossamer'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder.path, 'node_modules'))
  const crawl = { url: site.url('/kettles'), limit: 2, wait: 60 }
  crawlId = (await read<{ id: string }>(`${server.url}/v2/crawl`, crawl, key)).id
})

/** Runs a copied line in a shell, with the key in the variable that the line uses. */
async function shell(line: string): Promise<string> {
  const env = cleanEnv({
    PATH: `${folder.path}:${process.env['PATH']}`,
    GOSSAMER_API_KEY: key,
    // A call that bypassed the server would fail here.
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
  const client = await httpClient(`${server.url}/mcp`, key)
  const { params } = JSON.parse(call)
  const { isError, content } = await client.call(params.name, params.arguments)
  await client.close()
  expect(isError).toBe(false)
  return JSON.stringify(content)
}

/** Operations of each kind, each with a pattern that all four answers must match. */
const cases: [name: string, input: () => Input, expected: () => RegExp][] = [
  [
    'scrape',
    () => ({ url: site.url('/kettles'), formats: ['markdown'], headers: { 'x-note': hostile }, maxAge: 0 }),
    () => /boils water/,
  ],
  ['map', () => ({ url: site.url('/kettles'), search: "it's" }), () => /kettles/],
  ['search', () => ({ query: 'kettles', limit: 1 }), () => /kettles/],
  [
    'crawl',
    () => ({ url: site.url('/one'), limit: 1, excludePaths: ["'$x"], scrapeOptions: { onlyMainContent: false } }),
    () => /[0-9a-f]{8}-[0-9a-f]{4}-/,
  ],
  ['crawl_status', () => ({ id: crawlId }), () => /completed/],
  ['extract', () => ({ urls: [site.url('/one')], prompt: "What's boiled?" }), () => /[0-9a-f]{8}-[0-9a-f]{4}-/],
]

// Each line starts a program, so a random half is run in addition to the scrape.
test.each([cases[0]!, ...drawn(cases.slice(1))])(
  '%s: the lines for MCP, REST, the command line and the SDK run as shown',
  async (name, input, expected) => {
    const operation = operationOf(name)
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
    expect(await overMcp(mcp!)).toMatch(expected())
    const answer = await shell(rest!)
    expect(JSON.parse(answer)).toMatchObject({ success: true })
    expect(answer).toMatch(expected())
    expect(await shell(cli!)).toMatch(expected())
    expect(await program(sdk!, name)).toMatch(expected())
    if (name !== 'scrape') return
    const notes = site.requests.slice(seen).flatMap(({ headers }) => headers['x-note'] ?? [])
    expect(notes).toEqual([hostile, hostile, hostile, hostile])
  },
)

/** Calls of the library without a server. The search finds the pages stored by the crawl before it. */
const byItself: [name: string, input: () => Input, expected: RegExp][] = [
  ['scrape', () => ({ url: site.url('/kettles'), headers: { 'x-note': hostile }, maxAge: 0 }), /boils water/],
  ['crawl', () => ({ url: site.url('/one'), limit: 1 }), /boils water/],
  ['map', () => ({ url: site.url('/kettles'), search: "it's" }), /kettles/],
  ['search', () => ({ query: 'kettles', limit: 1 }), /web: \[ \[Object\] \]/],
  ['batch_scrape', () => ({ urls: [site.url('/one')] }), /boils water/],
]

test.each([...byItself.slice(0, 2), ...drawn(byItself.slice(2))])(
  '%s: the line for the library runs as shown',
  async (name, input, expected) => {
    const text = libraryLine(operationOf(name), input())
    const own = {
      dataDir: join(folder.path, 'library'),
      allowHosts: [`127.0.0.1:${site.port}`],
      searchProviders: ['local'],
    }
    const seen = site.requests.length
    const printed = await program(
      text
        .replace("'gossamer-mcp'", JSON.stringify(join(import.meta.dirname, '../../dist/index.js')))
        .replace('createGossamer()', `createGossamer(${JSON.stringify(own)})`),
      `library-${name}`,
    )
    expect(printed).toMatch(expected)
    if (name === 'scrape') expect(site.requests.slice(seen)[0]?.headers['x-note']).toBe(hostile)
  },
)

/** Characters that a shell, JSON or JavaScript could interpret. */
const texts = [
  hostile,
  "'; touch /tmp/x; '",
  '${HOME} $((1+1)) <(id) >/dev/null | & ; * ? ~ # = {a,b} [x]',
  'line\none\r\ntwo\ttab',
  '\\ \\\\ \\n "quoted" \\"',
  'ünï 日本 👩‍👩‍👧 \u2028 \u0000 \ud800',
  '</script>`${alert(1)}`',
  '@file -d --help',
  '__proto__',
]

test.each(['sh', 'bash'])('%s passes any text unchanged', async (name) => {
  for (const text of texts) {
    const input = { url: 'https://a.example/', headers: { 'x-note': text }, [text]: text }
    const line = cliLine(operationOf('scrape'), input, { origin: 'http://a', hasKey: true })
    // The program is replaced by one that prints its last argument.
    const shown = line.replace(/gossamer call scrape/, `printf '%s'`)
    const { stdout } = await run(name, ['-c', shown], { env: cleanEnv() })
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(input)))
    const curl = restCall(operationOf('scrape'), input, { origin: 'http://a', hasKey: true })
    const words = await run(name, ['-c', curl.replace(/^curl/, `printf '%s\\0'`)], { env: cleanEnv() })
    expect(JSON.parse(words.stdout.split('\0').at(-2) ?? '')).toEqual(JSON.parse(JSON.stringify(input)))
  }
})

test('a copied program reads fields with any name', () => {
  const input = JSON.parse('{"__proto__":"x","headers":{"__proto__":"y"}}') as Input
  const line = libraryLine(operationOf('map'), input)
  const [, literal = ''] = /map\((.*)\)\)\nawait/s.exec(line) ?? []
  // oxlint-disable-next-line no-new-func -- the text is code
  expect(JSON.stringify(new Function(`return (${literal})`)())).toBe(JSON.stringify(input))
})
