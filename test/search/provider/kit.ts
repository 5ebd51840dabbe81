import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SearchPeriod, SearchProvider } from '../../../src/contracts/search-port.ts'
import { createAddressRule } from '../../../src/engine/net/address-rule.ts'
import { type ApiClient, createApiClient } from '../../../src/engine/net/http/api-client.ts'
import { brave } from '../../../src/engine/search/providers/brave.ts'
import { arxiv, crossref, pubmed } from '../../../src/engine/search/providers/research.ts'
import { commons, openverse } from '../../../src/engine/search/providers/pictures.ts'
import { gdelt, newsRss } from '../../../src/engine/search/providers/news.ts'
import { github, hackerNews, stackExchange } from '../../../src/engine/search/providers/code.ts'
import { exa } from '../../../src/engine/search/providers/exa.ts'
import { searxng } from '../../../src/engine/search/providers/searxng.ts'
import { serper } from '../../../src/engine/search/providers/serper.ts'
import { tavily } from '../../../src/engine/search/providers/tavily.ts'
import { wikipedia } from '../../../src/engine/search/providers/wikipedia.ts'
import { startReceiver } from '../../webhook/kit.ts'
import { forTest } from '../../helpers/for-all.ts'
import { requestFor, type Preference } from '../kit.ts'

export type ServiceRequest = { method: string; url: URL; headers: IncomingMessage['headers']; body: string }
export type Answering = (response: ServerResponse, request: ServiceRequest, nth: number) => void
export type Service = { baseUrl: string; requests: ServiceRequest[]; hosts: readonly string[] }

/** The service of a provider, on loopback: it records its requests. */
async function startService(answer: Answering): Promise<Service> {
  const requests: ServiceRequest[] = []
  const { port } = await startReceiver(({ url, ...request }, response) => {
    const one = { ...request, url: new URL(url, 'http://service') }
    requests.push(one)
    answer(response, one, requests.length)
  })
  const host = `127.0.0.1:${port}`
  return { baseUrl: `http://${host}`, requests, hosts: [host] }
}

export const json =
  (data: unknown, status = 200, headers: Record<string, string> = {}): Answering =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(data))

export const textAnswer =
  (text: string, type = 'text/plain', status = 200): Answering =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(text)

/** A client for one test that may connect to 127.0.0.1 and waits for the given time at most. */
export function apiFor(timeoutMs?: number): Pick<ApiClient, 'call'> {
  const client = forTest(
    createApiClient({
      rule: createAddressRule(['127.0.0.1']),
      userAgent: 'gossamer-test/1',
      trusted: [],
      lookup: (host, _options, callback) => callback(Object.assign(new Error(host), { code: 'ENOTFOUND' }), []),
    }),
  )
  return { call: (request) => client.call({ ...request, ...(timeoutMs !== undefined && { timeoutMs }) }) }
}

/** Parameters that a request to a service carried in its address; `bodyOf` reads its body. */
export const parametersOf = ({ url }: ServiceRequest) => Object.fromEntries(url.searchParams)
export const bodyOf = ({ body }: ServiceRequest): unknown => JSON.parse(body)

export const spring: SearchPeriod = {
  from: Date.UTC(2026, 2, 1),
  to: Date.UTC(2026, 5, 1) - 1,
  preset: undefined,
  sort: 'relevance',
}
export const latest: SearchPeriod = { from: undefined, to: undefined, preset: undefined, sort: 'date' }

export const key = 'sk-very-secret-key'

type Making = (api: Pick<ApiClient, 'call'>, baseUrl: string) => SearchProvider

/** Creates each provider for a service of a test, with a request that it accepts. */
export const providers: Record<string, { make: Making; request: Preference }> = {
  brave: { make: (api, baseUrl) => brave(api, { key, baseUrl }), request: {} },
  tavily: { make: (api, baseUrl) => tavily(api, { key, baseUrl }), request: {} },
  exa: { make: (api, baseUrl) => exa(api, { key, baseUrl }), request: {} },
  serper: { make: (api, baseUrl) => serper(api, { key, baseUrl }), request: {} },
  searxng: { make: (api, baseUrl) => searxng(api, { baseUrl }), request: {} },
  wikipedia: { make: (api, baseUrl) => wikipedia(api, { baseUrl, contactEmail: 'me@example.org' }), request: {} },
  'stack-exchange': { make: (api, baseUrl) => stackExchange(api, { baseUrl }), request: {} },
  'hacker-news': { make: (api, baseUrl) => hackerNews(api, { baseUrl }), request: {} },
  github: { make: (api, baseUrl) => github(api, { token: key, baseUrl }), request: { category: 'github' } },
  arxiv: { make: (api, baseUrl) => arxiv(api, { baseUrl }), request: { category: 'research' } },
  crossref: {
    make: (api, baseUrl) => crossref(api, { baseUrl, contactEmail: 'me@example.org' }),
    request: { category: 'research' },
  },
  pubmed: {
    make: (api, baseUrl) => pubmed(api, { baseUrl, contactEmail: 'me@example.org' }),
    request: { category: 'research' },
  },
  commons: { make: (api, baseUrl) => commons(api, { baseUrl }), request: { source: 'images' } },
  openverse: { make: (api, baseUrl) => openverse(api, { baseUrl }), request: { source: 'images' } },
  gdelt: { make: (api, baseUrl) => gdelt(api, { baseUrl }), request: { source: 'news' } },
  'bing-news': { make: (api, baseUrl) => newsRss(api, { baseUrl }), request: { source: 'news' } },
}

/** Creates a provider that calls a service with this answer. */
export async function providerBefore(name: string, answer: Answering, timeoutMs?: number) {
  const service = await startService(answer)
  const { make, request } = providers[name]!
  const provider = make(apiFor(timeoutMs), service.baseUrl)
  return {
    ...service,
    provider,
    search: (wish: Preference = {}) => provider.search(requestFor({ ...request, ...wish })),
  }
}
