import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { searxng } from '../../src/engine/search/providers/searxng.ts'
import { failureOf } from '../helpers/fakes.ts'
import { apiFor, asked } from '../search/provider/kit.ts'

/** The package `searx` of Debian, whose answers are those of SearXNG, before engines on loopback. */
const python = '/usr/bin/python3'
const isInstalled = existsSync(python) && existsSync('/usr/lib/python3/dist-packages/searx/webapp.py')

type Started = { baseUrl: string; stop(): Promise<void> }

/** Finds pages for any words but "nothing"; the path says how it behaves. */
async function startEngine(): Promise<Started & { asked: string[] }> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://engine')
    const words = searchParams.get('q') ?? ''
    heard.push(`${pathname} ${words}`)
    if (pathname !== '/good') return void response.writeHead(500).end()
    const page = Number(searchParams.get('page'))
    const found = words.includes('nothing') || page > 2 ? [] : [0, 1, 2]
    const results = found.map((rank) => ({
      url: `https://silk.example/${page}/${rank}`,
      title: `Silk & <b>web</b> ${page}.${rank}`,
      content: `All about ${words}.`,
    }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
  })
  const port = await listening(server)
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    asked: heard,
    stop: async () => void server.close(),
  }
}

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

const engineOf = (name: string, baseUrl: string) => `
  - name: ${name}
    engine: json_engine
    shortcut: ${name}
    categories: general
    search_url: ${baseUrl}/${name}?q={query}&page={pageno}
    results_query: results
    url_query: url
    title_query: title
    content_query: content
    paging: true
    enable_http: true`

const settingsOf = (port: number, engines: string) => `
use_default_settings: false
general: { debug: false, instance_name: test, contact_url: false }
search: { safe_search: 0, autocomplete: "", default_lang: "", ban_time_on_fail: 0, max_ban_time_on_fail: 0, formats: [html, json] }
server:
  port: ${port}
  bind_address: "127.0.0.1"
  secret_key: "not secret"
  base_url: false
  image_proxy: false
  http_protocol_version: "1.0"
  method: GET
  default_http_headers: {}
ui:
  static_path: /usr/share/python3-searx/static
  templates_path: /usr/share/python3-searx/templates
  default_theme: simple
  default_locale: en
  theme_args: { simple_style: auto }
  results_on_new_tab: false
outgoing: { request_timeout: 3.0, useragent_suffix: "", pool_connections: 10, pool_maxsize: 10, enable_http2: false }
locales: { en: English }
doi_resolvers: { none: "http://127.0.0.1/" }
default_doi_resolver: none
engines:${engines}
`

async function startSearx(engines: string): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'gossamer-searx-'))
  const port = await freePort()
  writeFileSync(join(folder, 'settings.yml'), settingsOf(port, engines))
  const child = spawn(python, ['-m', 'searx.webapp'], {
    env: { ...process.env, SEARX_SETTINGS_PATH: join(folder, 'settings.yml') },
    stdio: 'ignore',
  })
  const baseUrl = `http://127.0.0.1:${port}`
  const stop = () => ended(child).finally(() => rmSync(folder, { recursive: true, force: true }))
  try {
    await answers(`${baseUrl}/healthz`, child)
  } catch (failure) {
    await stop()
    throw failure
  }
  return { baseUrl, stop }
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const deadline = AbortSignal.timeout(50_000)
  for (;;) {
    deadline.throwIfAborted()
    if (child.exitCode !== null) throw new Error(`searx ended with ${child.exitCode}`)
    const isUp = await fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await setTimeout(200)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

describe.skipIf(!isInstalled)('a real searx', () => {
  const started: Started[] = []
  let engine: Awaited<ReturnType<typeof startEngine>>
  let whole: Started

  beforeAll(async () => {
    engine = await startEngine()
    started.push(engine)
    whole = await startSearx(engineOf('good', engine.baseUrl) + engineOf('broken', engine.baseUrl))
    started.push(whole)
  })
  afterAll(async () => {
    await Promise.all(started.map(({ stop }) => stop()))
  })

  test('answers although one of its engines fails, page by page', async () => {
    const hits = await searxng(apiFor(), whole).search(asked({ limit: 30 }))
    expect(hits).toHaveLength(6)
    expect(hits[0]).toMatchObject({ url: 'https://silk.example/1/0', description: 'All about spider silk.' })
    for (const { title } of hits) expect(title).toMatch(/^Silk & web \d\.\d$/)
    expect(engine.asked.some((each) => each.startsWith('/broken'))).toBe(true)
  })

  test.each([
    { query: '!broken silk', words: '"!broken" silk' },
    { query: ':de silk', words: '":de" silk' },
    { query: '"spider !broken silk"', words: '"spider broken silk"' },
  ])('hands on $query and takes no command from it', async ({ query, words }) => {
    const before = engine.asked.length
    await searxng(apiFor(), whole).search(asked({ query, limit: 3 }))
    expect(engine.asked.slice(before).map((each) => each.replace(/\s+/g, ' '))).toContain(`/good ${words}`)
  })

  test('takes a bare command indeed, which is why it is put in quotes', async () => {
    const before = engine.asked.length
    const url = `${whole.baseUrl}/search?format=json&q=${encodeURIComponent('!broken silk')}`
    await apiFor().call({ url, method: 'GET', signal: new AbortController().signal })
    expect(engine.asked.slice(before)).toEqual(['/broken silk'])
  })

  test('that found nothing because its engines failed has failed', async () => {
    const broken = await startSearx(engineOf('broken', engine.baseUrl))
    onTestFinished(() => broken.stop())
    expect(await failureOf(searxng(apiFor(), broken).search(asked()))).toMatchObject({ fault: 'engines unresponsive' })
  })

  test('that found nothing found nothing', async () => {
    const good = await startSearx(engineOf('good', engine.baseUrl))
    onTestFinished(() => good.stop())
    expect(await searxng(apiFor(), good).search(asked({ query: 'nothing' }))).toEqual([])
  })
})
