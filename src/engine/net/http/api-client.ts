import type { LookupFunction } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { fail, failure } from '../../../kernel/error.ts'
import { type AddressRule, createAddressRule } from '../address/address.ts'
import { bareHost } from '../address/host.ts'
import { readBody } from './body.ts'
import { type Hop, nextHop } from './client.ts'
import { addressRefused, guardedConnector } from './connector.ts'
import { toNetworkError, isConnectionReset } from './network-error.ts'
import { withUrlCredentials } from './request-headers.ts'

export type ApiClientOptions = {
  rule: AddressRule
  userAgent: string
  /** Origins that the operator named in the settings: allowed although they are private. */
  trusted: readonly string[]
  /** Stands in for the system's name service (same shape as dns.lookup). */
  lookup?: LookupFunction
}
export type ApiRequest = {
  url: string
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Of the decoded answer; 5 MiB by default. */
  maxBytes?: number
  /** Until the whole answer is there; 10 s by default. */
  timeoutMs?: number
  signal: AbortSignal
}
/** A response with any status. Header names are in lower case. */
export type ApiResponse = { status: number; headers: Readonly<Record<string, string>>; text: string }
export type ApiClient = { call(request: ApiRequest): Promise<ApiResponse>; close(): Promise<void> }

const maxRedirects = 3
const defaultMaxBytes = 5 * 2 ** 20
const defaultTimeoutMs = 10_000
const maxHeaderBytes = 65_536

type Call = Hop & Pick<ApiRequest, 'method' | 'body'> & { maxBytes: number; signal: AbortSignal }

/**
 * Calls web APIs over HTTP/1.1 on shared keep-alive connections, at allowed hosts only. A GET follows redirects within its
 * origin. Errors are SCRAPE_* as those of the fetcher; an abort rejects with the signal's reason.
 */
export function createApiClient({ userAgent, trusted, lookup, ...options }: ApiClientOptions): ApiClient {
  const rule = trusting(options.rule, trusted)
  const agent = new Agent({
    connect: guardedConnector({ rule, lookup, connectTimeoutMs: defaultTimeoutMs, certificates: 'verify' }),
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
  })
  return {
    async call(request) {
      const { timeoutMs = defaultTimeoutMs } = request
      const late = AbortSignal.timeout(timeoutMs)
      try {
        request.signal.throwIfAborted()
        const call = firstCall(request, userAgent, AbortSignal.any([request.signal, late]))
        if (rule.refusesUrl(call.url)) throw addressRefused(bareHost(call.url.hostname))
        return await exchange(agent, call)
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason
        if (late.aborted) throw tooLate(timeoutMs, late.reason)
        throw toNetworkError(error)
      }
    },
    close: () => agent.destroy(),
  }
}

/** Allows the trusted origins in addition to what the rule allows. */
function trusting(rule: AddressRule, trusted: readonly string[]): AddressRule {
  const named = createAddressRule(trusted.map(hostAndPortOf))
  return {
    refusesUrl: (url) => rule.refusesUrl(url) && named.refusesUrl(url),
    refusesHost: (host, port) => rule.refusesHost(host, port) && named.refusesHost(host, port),
    refusesIp: (ip, host, port) => rule.refusesIp(ip, host, port) && named.refusesIp(ip, host, port),
  }
}

function hostAndPortOf(origin: string): string {
  const { hostname, port, protocol } = new URL(origin)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

function firstCall(request: ApiRequest, userAgent: string, signal: AbortSignal): Call {
  const address = URL.parse(request.url) ?? fail('BAD_REQUEST', { message: 'The URL is not valid.' })
  const headers = {
    'user-agent': userAgent,
    accept: 'application/json',
    ...lowerCased(request.headers ?? {}),
    'accept-encoding': 'gzip, deflate, br',
  }
  const { method, body, maxBytes = defaultMaxBytes } = request
  return { ...withUrlCredentials(address, headers), method, maxBytes, signal, ...(body !== undefined && { body }) }
}

/** A header name in another case would be sent in addition to ours. */
const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** A redirect that is not followed is returned as it is. */
async function exchange(agent: Agent, first: Call): Promise<ApiResponse> {
  let call = first
  for (let followed = 0; ; followed++) {
    const answer = await sendTwice(agent, call)
    const headers = joined(answer.headers)
    const next = call.method === 'GET' ? nextHop(call, answer.statusCode, headers['location']) : undefined
    const body = await readBody(answer.body, headers['content-encoding'] ?? '', call.maxBytes)
    // undici frees the connection one turn of the event loop after the body.
    await setImmediate()
    if (!next || next.url.origin !== call.url.origin || followed === maxRedirects)
      return { status: answer.statusCode, headers, text: Buffer.from(body).toString('utf8') }
    call = { ...call, ...next }
  }
}

/** Retries once: the service may have closed the keep-alive connection just as it was used. */
async function sendTwice(agent: Agent, call: Call): Promise<Dispatcher.ResponseData> {
  const { url, method, headers, body, signal } = call
  const options: Dispatcher.RequestOptions = {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers,
    signal,
    ...(body !== undefined && { body }),
  }
  try {
    return await agent.request(options)
  } catch (error) {
    if (!isConnectionReset(error)) throw error
    return agent.request(options)
  }
}

function joined(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]),
  )
}

const tooLate = (timeoutMs: number, cause: unknown) =>
  failure('SCRAPE_ALL_ENGINES_FAILED', { message: `There was no answer within ${timeoutMs / 1000} s.`, cause })
