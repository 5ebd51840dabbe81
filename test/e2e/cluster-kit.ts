import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { startServer } from '../helpers/program.ts'

export type Doc = { metadata: { sourceURL: string; scrapeId: string } }
export type Status = {
  status: string
  completed: number
  total: number
  creditsUsed: number
  next?: string
  data: Doc[]
}

/** JSON of a server; a body makes it a POST. */
export async function read<T>(url: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return (await response.json()) as T
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
  const answer = async ({ url = '', headers }: IncomingMessage, response: ServerResponse) => {
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
  }
  const server = createServer((...exchange) => void answer(...exchange)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    paths: Array.from({ length: count }, (_, number) => `/p/${number}`),
    visits,
    close: () => void server.close(),
  }
}

/** Takes webhook events; tells each once, by its id, in the order in which it came first. */
export async function startListener() {
  const events = new Map<string, { type: string; url: string | undefined }>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const { webhookId, type, data } = JSON.parse(body) as {
        webhookId: string
        type: string
        data: { metadata?: { sourceURL?: string } }[]
      }
      if (!events.has(webhookId)) events.set(webhookId, { type, url: data[0]?.metadata?.sourceURL })
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    events,
    close: () => void server.close(),
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
