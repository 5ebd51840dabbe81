/** Compares warm scrapes over MCP with a raw fetch of the same page: see README.md. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { faultsOf, makeArticles, type Article } from './lib/article.ts'
import { ourServer } from './lib/contestants.ts'
import { commonFlags, positive, userPath, writeJson } from './lib/flags.ts'
import { connectHttp } from './lib/http-client.ts'
import { callTool, initialize, type McpClient } from './lib/mcp-client.ts'
import { startServer } from './lib/server-process.ts'
import { startSite } from './lib/start-site.ts'
import { median, quantile } from './lib/statistics.ts'
import { table } from './lib/table.ts'
import { describeTargets, exitCode, type Target } from './lib/targets.ts'
import { withWorkDir } from './lib/work-dir.ts'

/** Transport by which a call reaches the server. */
type Road = { name: string; client: McpClient }
/** Times in ms: each call adds one of each kind. */
type Times<T> = { rawMs: T; newMs: T; sameMs: T; hitMs: T }
type Row = Times<number[]> & { article: Article; road: Road }

const { values } = parseArgs({
  options: {
    ...commonFlags,
    calls: { type: 'string', default: '200' },
    url: { type: 'string' },
    only: { type: 'string' },
    pauses: { type: 'boolean', default: false },
  },
})

const warmUpCalls = 20
/** Enough for a whole article in one answer. */
const maxCharacters = 200_000
const dispatcher = new Agent({ connections: 1, allowH2: false })

/** Each kind of call has its own address, so the site can tell them apart. */
const address = {
  raw: ({ article, road }: Row) => `/${article.name}/raw/${road.name}`,
  new: ({ article, road }: Row) => `/${article.name}/new/${road.name}`,
  same: ({ article, road }: Row) => `/${article.name}/same/${road.name}`,
  hit: ({ article, road }: Row) => `/${article.name}/hit/${road.name}`,
}

async function fetchRaw(url: string): Promise<string> {
  const { body } = await request(url, { dispatcher })
  return body.text()
}

/** Pauses of agents between calls, ms; each order of magnitude is equally likely. */
const [shortestMs, longestMs] = [5, 500]
const pauseMs = () => shortestMs * (longestMs / shortestMs) ** Math.random()

async function timed(run: () => Promise<string>): Promise<{ text: string; tookMs: number }> {
  if (values.pauses) await sleep(pauseMs())
  const startedAt = performance.now()
  const text = await run()
  return { text, tookMs: performance.now() - startedAt }
}

/** Makes one call of each kind in sequence. Fails if an answer lost or wrongly included a marker. */
async function callOnce(row: Row, origin: string): Promise<Times<number>> {
  const { road, article } = row
  const scrape = (args: object) => timed(() => callTool(road.client, 'scrape', { ...args, maxCharacters }))
  const raw = await timed(() => fetchRaw(origin + address.raw(row)))
  const changed = await scrape({ url: origin + address.new(row), maxAge: 0 })
  const same = await scrape({ url: origin + address.same(row), maxAge: 0 })
  const hit = await scrape({ url: origin + address.hit(row) })
  for (const { text } of [changed, same, hit]) requireWhole(article, road, text)
  return { rawMs: raw.tookMs, newMs: changed.tookMs, sameMs: same.tookMs, hitMs: hit.tookMs }
}

function requireWhole(article: Article, road: Road, text: string): void {
  const faults = faultsOf(article, text)
  if (faults.length > 0) throw new Error(`The ${article.name} page over ${road.name}: ${faults.join(', ')}`)
}

async function measure(roads: readonly Road[], origin: string, calls: number): Promise<Row[]> {
  const articles = makeArticles().filter(({ name }) => values.only === undefined || name === values.only)
  const rows = articles.flatMap((article) =>
    roads.map((road): Row => ({ article, road, rawMs: [], newMs: [], sameMs: [], hitMs: [] })),
  )
  for (let call = -warmUpCalls; call < calls; call++) {
    for (const row of rows) {
      const times = await callOnce(row, origin)
      if (call < 0) continue
      row.rawMs.push(times.rawMs)
      row.newMs.push(times.newMs)
      row.sameMs.push(times.sameMs)
      row.hitMs.push(times.hitMs)
    }
  }
  await requireHonest(rows, origin, calls + warmUpCalls)
  return rows
}

/** Checks that each fresh scrape requested the page and no cache hit did; otherwise the figures are meaningless. */
async function requireHonest(rows: readonly Row[], origin: string, calls: number): Promise<void> {
  const seen = JSON.parse(await fetchRaw(`${origin}/requests`)) as Record<string, number>
  for (const row of rows) {
    const [changed, same, hit] = [address.new(row), address.same(row), address.hit(row)].map((path) => seen[path])
    if (changed !== calls || same !== calls || hit !== 1)
      throw new Error(
        `In ${calls} calls over ${row.road.name} the site saw ${changed} and ${same} fresh requests and ${hit} for hits`,
      )
  }
}

function report(rows: readonly Row[]): string {
  const head = 'page,over,raw p50,p90,scrape p50,p90,above raw,to raw,same p50,p90,hit p50,p90,to raw'.split(',')
  const cells = rows.map((row) => [
    row.article.name,
    row.road.name,
    ...both(row.rawMs),
    ...both(row.newMs),
    aboveRaw(row).toFixed(2),
    toRaw(row, row.newMs).toFixed(2),
    ...both(row.sameMs),
    ...both(row.hitMs),
    toRaw(row, row.hitMs).toFixed(2),
  ])
  return table(head, cells)
}

const both = (samples: readonly number[]) => [median(samples).toFixed(2), quantile(samples, 0.9).toFixed(2)]
const aboveRaw = ({ rawMs, newMs }: Row) => median(newMs) - median(rawMs)
const toRaw = ({ rawMs }: Row, samples: readonly number[]) => median(samples) / median(rawMs)

function targetsOf(row: Row): Target[] {
  const where = `${row.article.name} over ${row.road.name}`
  return [
    { what: `scrape above raw, ${where}`, limit: 8, measured: aboveRaw(row), unit: 'ms' },
    { what: `cache hit, ${where}`, limit: 2, measured: median(row.hitMs), unit: 'ms' },
    { what: `scrape to raw, ${where}`, limit: 8, measured: toRaw(row, row.newMs), unit: '×' },
    { what: `cache hit to raw, ${where}`, limit: 1.9, measured: toRaw(row, row.hitMs), unit: '×' },
  ]
}

/** Measures a server over stdio and, if `url` is given, the server that listens there. */
async function withRoads<T>(
  file: string,
  url: string | undefined,
  workDir: string,
  run: (roads: readonly Road[]) => Promise<T>,
): Promise<T> {
  const server = startServer(ourServer(file, workDir, { GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }))
  const http = url === undefined ? [] : [{ name: 'http', client: connectHttp(url) }]
  const roads = [{ name: 'stdio', client: server.client }, ...http]
  try {
    for (const { client } of roads) await initialize(client)
    return await run(roads)
  } finally {
    await server.end()
  }
}

async function measureAll(file: string, url: string | undefined, calls: number): Promise<Row[]> {
  const site = await startSite()
  try {
    return await withWorkDir((dir) => withRoads(file, url, dir, (roads) => measure(roads, site.origin, calls)))
  } finally {
    await dispatcher.close()
    await site.end()
  }
}

const notes = `Milliseconds. Every answer held all markers of its article and none of the frame around it. Each fresh scrape
asked the site once and no hit did. firecrawl-mcp hands each scrape to its cloud, so it has no figures here.`

async function main(): Promise<void> {
  const calls = positive('--calls', values.calls)
  const rows = await measureAll(userPath(values.server), values.url, calls)
  const targets = rows.flatMap(targetsOf)
  console.log(`Node ${process.version}, ${calls} calls of each kind after ${warmUpCalls} to warm up\n`)
  console.log(`${report(rows)}\n\n${notes}\n\n${describeTargets(targets)}`)
  const figures = rows.map(({ article, road, ...times }) => ({ page: article.name, over: road.name, ...times }))
  await writeJson(values.json, { node: process.version, calls, rows: figures, targets })
  process.exitCode = exitCode(targets, values.check)
}

await main()
