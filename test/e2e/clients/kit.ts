import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { once } from '../../../src/util/async.ts'
import { tempDir } from '../../helpers/program.ts'
import { sharedServer, usualEnv } from '../../helpers/shared-server.ts'
import { startSite } from '../../helpers/site.ts'
import { manyPages } from '../crawl-pages.ts'
import { sitePages, startEngine } from '../search-engine.ts'
import type { Methods } from './methods.ts'

/** Starts a site and a search engine for all test files of this process. */
const surroundings = once(async () => {
  const site = await startSite({ routes: manyPages(120).routes })
  return { site, engine: await startEngine(sitePages(() => site)) }
})

/** Starts the built program as a service on loopback; it ends with this process. */
export async function startService(env: Record<string, string> = {}) {
  const { site, engine } = await surroundings()
  const folder = tempDir()
  const server = await sharedServer({
    ...usualEnv,
    GOSSAMER_SEARXNG_URL: engine.url,
    GOSSAMER_SEARCH_PROVIDERS: 'searxng',
    GOSSAMER_LOG_LEVEL: 'info',
    ...env,
  })
  return {
    url: server.url,
    folder: folder.path,
    site,
    /** Endpoints that were called successfully, such as `GET /v2/crawl/{id}`. */
    answered: () => server.stderr().split('\n').flatMap(answeredIn),
    stop: async () => folder.remove(),
  }
}
export type Service = Awaited<ReturnType<typeof startService>>

function answeredIn(line: string): string[] {
  if (!line.startsWith('{') || !line.endsWith('}')) return []
  const { event, method, path, status, code } = JSON.parse(line) as Partial<Record<string, string | number>>
  const template = String(path).replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '{id}')
  // Code 1000 if we closed the connection, 1005 if the client did.
  if (event === 'socket' && (code === 1000 || code === 1005)) return [`WebSocket ${template}`]
  return event === 'request' && status === 200 ? [`${method} ${template}`] : []
}

/** Runs a call of a client, which must reach the endpoint that it is listed with. */
export async function reaching<T>(service: Service, endpoint: string, call: () => Promise<T>): Promise<T> {
  const countOf = () => service.answered().filter((each) => each === endpoint).length
  const before = countOf()
  const answer = await call()
  await expect.poll(countOf, { message: endpoint }).toBeGreaterThan(before)
  return answer
}

export const installedVersion = (name: string): unknown =>
  (JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8')) as { version: unknown }).version

/** Clients under test reach only loopback: all other traffic goes to a port without a listener. */
export const onLoopback = (service: Service): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: service.folder,
  FIRECRAWL_API_KEY: 'fc-any',
  FIRECRAWL_API_URL: service.url,
  FIRECRAWL_NO_UPDATE_CHECK: '1',
  FIRECRAWL_NO_TELEMETRY: '1',
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1',
})

/**
 * Message of clients for a missing service: the alternative, or only the status if the client ignores error messages.
 */
export function refusalOf(method: Methods[string] | undefined): RegExp {
  if (typeof method !== 'object') return expect.unreachable()
  const text = `${method.title}. ${method.instead}`.replace(/\W/g, String.raw`\$&`)
  return new RegExp(`${text}|status code:? 501`, 'i')
}

export const namesOf = (methods: Methods) => Object.keys(methods).toSorted()
