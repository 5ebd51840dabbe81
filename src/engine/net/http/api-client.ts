import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { type AddressRule, createAddressRule } from '../address-rule.ts'
import type { RuleOf } from '../team-rules.ts'
import { arriveTolerantly, type TolerantOptions } from './arrival.ts'
import { readBody } from './read-body.ts'
import { joinedHeaders, nextHop, type Hop } from './client.ts'
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { fail, failure } from '../../../kernel/error.ts'
import { bareHost } from './canonical-url.ts'
import { addressRefused, guardedConnector, toNetworkError } from './connector.ts'
import { withUrlCredentials } from './request-headers.ts'

type ServiceCall = Hop & { method: 'GET' | 'POST'; body?: string; signal: AbortSignal }
type Headers = Readonly<Record<string, string>>

const maxHeaderBytes = 65_536
/** Time limit for name lookup, TCP and TLS together. */
const connectTimeoutMs = 10_000

/** Moves credentials of the URL into a header. Fails with BAD_REQUEST or SCRAPE_ADDRESS_REFUSED. */
function toServiceRequest(address: string, rule: AddressRule, defaults: Headers, headers: Headers = {}) {
  const url = URL.parse(address) ?? fail('BAD_REQUEST', { message: 'The URL is not valid.' })
  if (rule.refusesUrl(url)) throw addressRefused(bareHost(url.hostname))
  // A header name in different case would be sent as a second header.
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return withUrlCredentials(url, { ...defaults, ...Object.fromEntries(lowerCase) })
}

/**
 * Runs `work` with a time limit. Errors are SCRAPE_* like those of the fetcher; an abort rejects with the signal's
 * reason.
 */
async function withinTime<T>(
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    signal.throwIfAborted()
    return await work(AbortSignal.any([signal, late]))
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    if (!late.aborted) throw toNetworkError(cause)
    throw failure('SCRAPE_ALL_ENGINES_FAILED', { message: `There was no answer within ${timeoutMs / 1000} s.`, cause })
  }
}

/** True if the service closed the connection, perhaps just as it was reused. */
const isConnectionReset = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(String(thrown.code))

/**
 * Retries a GET once after a connection reset; whether to repeat a POST, which may have arrived, is up to the caller.
 */
async function sendWithRetry(agent: Agent, call: ServiceCall): Promise<Dispatcher.ResponseData> {
  const { url, method, headers, body, signal } = call
  const path = `${url.pathname}${url.search}`
  const options = { origin: url.origin, path, method, headers, signal, ...(body !== undefined && { body }) }
  try {
    return await agent.request(options)
  } catch (error) {
    if (method === 'POST' || !isConnectionReset(error)) throw error
    return agent.request(options)
  }
}

export type ApiClientOptions = {
  rule: AddressRule
  /** Replaces the system's DNS lookup (same signature as dns.lookup). */
  lookup?: LookupFunction
  userAgent: string
  /** Origins that the operator configured: allowed even if they are private. */
  trusted: readonly string[]
}
export type ApiRequest = {
  url: string
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Maximum size of the decoded response; 5 MiB by default. */
  maxBytes?: number
  /** Time limit for the whole response; 10 s by default. */
  timeoutMs?: number
  signal: AbortSignal
}
/** A response with any status. Header names are in lower case. */
export type ApiResponse = { status: number; headers: Readonly<Record<string, string>>; text: string }
export type ApiClient = { call(request: ApiRequest): Promise<ApiResponse>; close(): Promise<void> }

const maxRedirects = 3
const defaultMaxBytes = 5 * 2 ** 20
const defaultTimeoutMs = 10_000

/**
 * Creates a client for web APIs at allowed hosts, over shared keep-alive connections. GET requests follow redirects
 * within their origin. Errors are SCRAPE_* like those of the fetcher; an abort rejects with the signal's reason.
 */
export function createApiClient({ userAgent, trusted, lookup, rule: teamRule }: ApiClientOptions): ApiClient {
  const rule = withTrusted(teamRule, trusted)
  const agent = new Agent({
    connect: guardedConnector({ rule, lookup, connectTimeoutMs, certificates: 'verify' }),
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
  })
  const defaults = { 'user-agent': userAgent, accept: 'application/json' }
  return {
    call({ method, body, maxBytes = defaultMaxBytes, timeoutMs = defaultTimeoutMs, ...request }) {
      return withinTime({ signal: request.signal, timeoutMs }, (signal) => {
        const headers = { ...request.headers, 'accept-encoding': 'gzip, deflate, br' }
        const hop = toServiceRequest(request.url, rule, defaults, headers)
        return exchange(agent, { ...hop, method, maxBytes, signal, ...(body !== undefined && { body }) })
      })
    },
    close: () => agent.destroy(),
  }
}

/** Extends a rule by the trusted origins. */
function withTrusted(rule: AddressRule, trusted: readonly string[]): AddressRule {
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

/** Sends a request and follows its redirects. A redirect that may not be followed is returned unchanged. */
async function exchange(agent: Agent, first: ServiceCall & { maxBytes: number }): Promise<ApiResponse> {
  let call = first
  for (let followed = 0; ; followed++) {
    const response = await sendWithRetry(agent, call)
    const headers = joinedHeaders(response.headers)
    const next = call.method === 'GET' ? nextHop(call, response.statusCode, headers['location']) : undefined
    const { bytes } = await readBody(response.body, headers['content-encoding'] ?? '', call.maxBytes)
    // undici frees the connection one turn of the event loop after the body.
    await setImmediate()
    if (!next || next.url.origin !== call.url.origin || followed === maxRedirects)
      return { status: response.statusCode, headers, text: Buffer.from(bytes).toString('utf8') }
    call = { ...call, ...next }
  }
}

export type PosterOptions = Pick<TolerantOptions, 'lookup' | 'connectTimeoutMs'> & { ruleOf: RuleOf; userAgent: string }
type PostRequest = {
  url: string
  /** Determines which private hosts may be reached. */
  teamId: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Time limit until the status is received. */
  timeoutMs: number
  signal: AbortSignal
}
/** Sends a request. Any status is a valid response; redirects are not followed. */
export type Post = (request: PostRequest) => Promise<{ status: number }>
type Poster = { post: Post }

/**
 * Creates a client that posts to receivers at allowed hosts. It accepts malformed HTTP responses. Requests are never
 * repeated, because the receiver may already have acted. Errors are SCRAPE_* like those of the fetcher, or BAD_REQUEST
 * for an invalid URL.
 */
export function createPoster({ userAgent, ruleOf, ...options }: PosterOptions): Poster {
  return {
    post: (request) =>
      withinTime(request, async (signal) => {
        const defaults = { 'user-agent': userAgent, accept: '*/*' }
        const rule = await ruleOf(request.teamId)
        const hop = toServiceRequest(request.url, rule, defaults, request.headers)
        const post = { ...hop, method: 'POST' as const, body: request.body, signal }
        const { statusCode, body } = await arriveTolerantly(post, { ...options, rule, certificates: 'verify' })
        // Only the status is needed.
        if (body instanceof Readable) body.destroy()
        return { status: statusCode }
      }),
  }
}
