import dns, { type LookupAddress } from 'node:dns'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, vi } from 'vitest'
import { type App, createApp, localTeam } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import type { Team } from '../../src/kernel/ctx.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { JobErrors, JobStatus } from '../../src/schema/crawl-schema.ts'
import type { Document } from '../../src/schema/scrape/document.ts'

type Input = Record<string, unknown>
type Status = Omit<JobStatus, 'data'>

/** All results of a job. */
export type JobResults = JobErrors & { id: string; status: Status; data: readonly Document[] }

export type Crawling = {
  app: App
  call<T>(name: string, input: Input, team?: Team): Promise<T>
  /** Starts a job. */
  begin(input: Input, name?: 'crawl' | 'batch_scrape'): Promise<string>
  status(id: string): Promise<JobStatus>
  /** Returns the result of a job that has ended. */
  results(id: string): Promise<JobResults>
  /** Waits until a job is over. */
  end(id: string): Promise<void>
  /** Runs a job to its end, and returns its result. */
  run(input: Input, name?: 'crawl' | 'batch_scrape'): Promise<JobResults>
  close(): Promise<void>
}

/**
 * The real program without a surface, its data in memory; 127.0.0.1 may be visited, and there is no browser unless the
 * environment has one.
 */
export function startCrawling(env: Readonly<Record<string, string>> = {}): Crawling {
  const config = readConfig(
    {},
    {
      GOSSAMER_DATA_DIR: 'memory',
      GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
      GOSSAMER_BROWSER_PATH: '/there/is/none',
      ...env,
    },
  )
  const app = createApp(
    config,
    createLog('silent', () => {}),
  )

  async function call<T>(name: string, input: Input, team = localTeam): Promise<T> {
    const operation = app.operations.find((each) => each.name === name)
    if (!operation) throw new Error(`no operation ${name}`)
    const ctx = app.newCtx({ team, signal: new AbortController().signal, baseUrl: 'http://api.test' })
    return (await app.invoke(operation, input, ctx)) as T
  }
  const begin = async (input: Input, name = 'crawl') => (await call<{ id: string }>(name, input)).id
  const status = (id: string) => call<JobStatus>('crawl_status', { id, limit: 1 })

  async function end(id: string): Promise<void> {
    for (let state = await status(id); state.status === 'scraping'; state = await status(id)) await pause(5)
  }

  async function results(id: string): Promise<JobResults> {
    const data: Document[] = []
    for (;;) {
      const { data: some, ...state } = await call<JobStatus>('crawl_status', { id, skip: data.length })
      data.push(...some)
      if (state.next === undefined) {
        const errors = await call<JobErrors>('crawl_errors', { id })
        return { id, status: state, data, ...errors }
      }
    }
  }

  async function run(input: Input, name: 'crawl' | 'batch_scrape' = 'crawl'): Promise<JobResults> {
    const id = await begin(input, name)
    await end(id)
    return results(id)
  }

  return { app, call, begin, status, results, end, run, close: () => app.close() }
}

/** A name that does not resolve. */
export const nowhere = 'nowhere.test'

/** Resolves names under `.test` to this machine, and no others, during the tests of a file. */
export function useTestNames(): void {
  const here: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }]
  const lookup = (host: string, options: { all?: boolean }, callback: (...answer: unknown[]) => void) => {
    if (!/^127\.|^localhost$|\.test$/.test(host) || host === nowhere)
      return callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), [])
    return options.all ? callback(null, here) : callback(null, '127.0.0.1', 4)
  }
  beforeAll(() => void vi.spyOn(dns, 'lookup').mockImplementation(lookup as never))
  afterAll(() => vi.restoreAllMocks())
}

export type Visited = { url: string; at: number; headers: http.IncomingHttpHeaders }
export type SmallSite = {
  port: number
  url(path: string, host?: string): string
  /** All requests, in order. */
  visits: Visited[]
  /** Visits by path. */
  count(path: string): number
  close(): Promise<void>
}
export type Answer = (url: URL, response: http.ServerResponse, request: http.IncomingMessage) => unknown

/** A web site for one test, by path: an answer, or a list of links for a page. Other paths return 404. */
export async function smallSite(answers: Readonly<Record<string, readonly string[] | Answer>>): Promise<SmallSite> {
  const visits: Visited[] = []
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    visits.push({ url: url.href, at: Date.now(), headers: request.headers })
    const answer = answers[url.pathname + url.search] ?? answers[url.pathname] ?? answers['*']
    if (answer === undefined) return void response.writeHead(404).end('missing')
    if (typeof answer === 'function') return void answer(url, response, request)
    sendPage(response, url.pathname, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    visits,
    url: (path, host = '127.0.0.1') => `http://${host}:${port}${path}`,
    count: (path) => visits.filter(({ url }) => new URL(url).pathname === path).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function sendPage(response: http.ServerResponse, title: string, links: readonly string[], words = 40): void {
  const anchors = links.map((href) => `<a href="${href}">Way</a>`).join('\n')
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(
    `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${'Quiet words. '.repeat(words)}</p>${anchors}</main>`,
  )
}

export const pathsOf = ({ data }: Pick<JobResults, 'data'>): string[] =>
  data.map(({ metadata: { url } }) => url.replace(/^https?:\/\/[^/]*/, '')).toSorted()

/** Waits for an effect of a crawl, half a minute at most. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > endsAt) throw new Error('It did not come about.')
    await pause(20)
  }
}
