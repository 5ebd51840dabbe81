import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { Client } from 'pg'
import { read } from '../helpers/api.ts'
import { forAll } from '../helpers/for-all.ts'
import { bodyOf, serve } from '../helpers/listen.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { startServer } from '../helpers/program.ts'
import { madeSchema } from '../store/postgres/postgres-under-test.ts'

export type Doc = { metadata: { sourceURL: string; scrapeId: string } }
export type Status = {
  status: string
  completed: number
  total: number
  creditsUsed: number
  next?: string
  data: Doc[]
}

/** Waits for the end of a crawl and returns its result. `server` may return another server each time. */
export async function results(server: () => string, id: string): Promise<Status> {
  const ask = async (query: string) => {
    for (;;) {
      const status = await read<Status>(`${server()}/v2/crawl/${id}?${query}`).catch(() => undefined)
      if (status?.data !== undefined) return status
      await sleep(200)
    }
  }
  while ((await ask('limit=1')).status === 'scraping') await sleep(200)
  const data: Doc[] = []
  for (;;) {
    const status = await ask(`skip=${data.length}`)
    data.push(...status.data)
    if (status.next === undefined) return { ...status, data }
  }
}

/** Serves `count` pages linked as a tree, with some more links, each after `delayMs`. Counts the visits to each page. */
export async function startTree(count: number, delayMs = 0) {
  const visits = new Map<string, number>()
  const server = await serve(async ({ url = '', headers }, response) => {
    const number = Number(/^\/p\/(\d+)$/.exec(url)?.[1] ?? NaN)
    if (!(number < count)) return void response.writeHead(404).end()
    const key = `${headers.host} ${url}`
    visits.set(key, (visits.get(key) ?? 0) + 1)
    if (delayMs > 0) await sleep(delayMs)
    const linked = [number * 3 + 1, number * 3 + 2, number * 3 + 3, (number * 31) % count].filter(
      (each) => each < count,
    )
    const links = linked.map((each) => `<a href="/p/${each}">Page ${each}</a>`).join(' ')
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>Page ${number}</title><main><h1>Page ${number}</h1><p>${'Words. '.repeat(400)}</p>${links}</main>`,
    )
  })
  return { ...server, paths: Array.from({ length: count }, (_, number) => `/p/${number}`), visits }
}

/** Receives webhook events. Stores each by its id, in the order of the first deliveries. */
export async function startListener() {
  const events = new Map<string, { type: string; url: string | undefined }>()
  const server = await serve(async (request, response) => {
    const { webhookId, type, data } = JSON.parse(await bodyOf(request)) as {
      webhookId: string
      type: string
      data: { metadata?: { sourceURL?: string } }[]
    }
    if (!events.has(webhookId)) events.set(webhookId, { type, url: data[0]?.metadata?.sourceURL })
    response.end()
  })
  return { url: server.origin, events, close: server.close }
}

/** Runs a statement on the database at this URL. */
export async function sql(url: string, text: string, params: unknown[] = []) {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client.query<Record<string, unknown>>(text, params).finally(() => client.end())
}

/** Starts PostgreSQL and a tree of pages for all tests of a group. */
export function clusterForAll(count: number, delayMs = 0) {
  const database = forAll(startPostgres)
  return {
    database,
    tree: forAll(() => startTree(count, delayMs)),
    /** URL of an empty schema that is dropped after the test. */
    async schema() {
      const { url, drop } = await madeSchema(database.url)
      onTestFinished(drop)
      return url
    },
  }
}

/** Returns the environment of a server with a database, and a data folder for local files. */
export const clusterEnv = (databaseUrl: string, dataDir: string, more: Record<string, string> = {}) => ({
  GOSSAMER_DATABASE_URL: databaseUrl,
  GOSSAMER_DATA_DIR: dataDir,
  GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
  ...more,
})

/** Starts a server that is killed at the end of the test. */
export async function startNode(databaseUrl: string, dataDir: string, more?: Record<string, string>) {
  const node = await startServer(clusterEnv(databaseUrl, dataDir, more))
  onTestFinished(async () => {
    node.program.kill('SIGKILL')
    await node.program.exited
  })
  return node
}
