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

/** Returns the result of a crawl once it has ended. Asks any of the servers, as a balancer would. */
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

/** `count` pages in a tree, each also linked from elsewhere, answered after `delayMs`; counts the visits to each. */
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

/** Takes webhook events; tells each once, by its id, in the order in which it came first. */
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

/** PostgreSQL and a tree of pages for all tests of a group. */
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

/** Environment of a server over a database, with a folder of its own for what stays on the machine. */
export const clusterEnv = (databaseUrl: string, dataDir: string, more: Record<string, string> = {}) => ({
  GOSSAMER_DATABASE_URL: databaseUrl,
  GOSSAMER_DATA_DIR: dataDir,
  GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
  ...more,
})

/** It ends with its test, whatever the result. */
export async function startNode(databaseUrl: string, dataDir: string, more?: Record<string, string>) {
  const node = await startServer(clusterEnv(databaseUrl, dataDir, more))
  onTestFinished(async () => {
    node.program.kill('SIGKILL')
    await node.program.exited
  })
  return node
}
