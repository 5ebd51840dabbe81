import { isUtf8 } from 'node:buffer'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import type { FetchPage, PageFault, PageRequest, PageResponse } from '../../../contracts/fetch.ts'
import { fail } from '../../../kernel/error.ts'
import type { AddressRule } from '../address/address.ts'
import { forEachRule, type RuleOf } from '../address/team-rules.ts'
import { bareHost } from '../address/host.ts'
import { proxiedConnector } from '../proxy/proxied-connector.ts'
import type { UpstreamProxy, ProxyCriteria } from '../proxy/upstream-proxy.ts'
import { arrive, type Arrived } from './answer/arrive.ts'
import { readBody } from './answer/body.ts'
import { addressRefused, guardedConnector } from './connector.ts'
import { createCookies, joinCookies } from './cookies.ts'
import { toNetworkError, isConnectionReset } from './network-error.ts'
import { refreshTarget } from './refresh.ts'
import { requestHeaders, withoutSecrets, withUrlCredentials } from './request-headers.ts'

export type FetcherOptions = {
  ruleOf: RuleOf
  userAgent: string
  /** The upstream proxy for a request; none by default. */
  chooseProxy?: ((wish: ProxyCriteria) => UpstreamProxy | undefined) | undefined
  /** Replaces dns.lookup, in tests. */
  lookup?: LookupFunction
  /** Name lookup, TCP and TLS together. */
  connectTimeoutMs?: number
  headersTimeoutMs?: number
  /** Longest silence between two chunks of a body; the whole is bounded by the signal of the request. */
  bodyTimeoutMs?: number
}
export type Fetcher = { fetchPage: FetchPage; close(): Promise<void> }

const maxRedirects = 10
const maxHeaderBytes = 65_536

type Send = (hop: Hop, cookie: string) => Promise<Arrived>
type Way = { send: Send; rule: AddressRule }

/**
 * Fetches pages over HTTP/1.1 on shared kept-alive connections. Failures are SCRAPE_* errors, or BAD_REQUEST for a
 * header that cannot be sent; an abort raises the reason of the signal and closes the socket.
 */
export function createFetcher(options: FetcherOptions): Fetcher {
  const agents = createAgents(options)
  return {
    async fetchPage(request) {
      try {
        request.signal.throwIfAborted()
        const rule = await options.ruleOf(request.teamId)
        const send = senderOf(agents.for(request, rule), request, rule)
        return await follow(firstHop(request, options.userAgent), request, { send, rule })
      } catch (error) {
        throw request.signal.aborted ? request.signal.reason : toNetworkError(error)
      }
    },
    async close() {
      await agents.close()
    },
  }
}

/** Connection pools: one for each rule, each upstream proxy and each way of verifying certificates. */
function createAgents(options: FetcherOptions) {
  const pools = forEachRule(() => new Map<string, Agent>())
  return {
    for({ skipTlsVerification, proxy: pool = 'basic', country }: PageRequest, rule: AddressRule): Agent {
      const open = pools.of(rule)
      const certificates = skipTlsVerification ? 'trust' : 'verify'
      const proxy = options.chooseProxy?.({ pool, country })
      const key = `${certificates} ${JSON.stringify(proxy)}`
      const agent = open.get(key) ?? openAgent({ ...options, rule }, certificates, proxy)
      open.set(key, agent)
      return agent
    },
    close: () => Promise.all(pools.all().flatMap((open) => Array.from(open.values(), (agent) => agent.destroy()))),
  }
}

function openAgent(
  options: FetcherOptions & { rule: AddressRule },
  certificates: 'verify' | 'trust',
  proxy: UpstreamProxy | undefined,
): Agent {
  const { rule, lookup, connectTimeoutMs = 10_000, headersTimeoutMs = 60_000, bodyTimeoutMs = 30_000 } = options
  const connector = { rule, lookup, connectTimeoutMs, certificates }
  return new Agent({
    connect: proxy ? proxiedConnector(connector, proxy) : guardedConnector(connector),
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
  })
}

function firstHop({ url, headers }: PageRequest, userAgent: string): Hop {
  const parsed = URL.parse(url) ?? fail('BAD_REQUEST', { message: 'The URL is not valid.' })
  return withUrlCredentials(parsed, requestHeaders(headers, userAgent))
}

async function follow(first: Hop, request: PageRequest, { send, rule }: Way): Promise<PageResponse> {
  const cookies = createCookies()
  const seen = new Set<string>()
  let hop = first
  while (seen.size <= maxRedirects) {
    const cookie = cookies.headerFor(hop.url)
    const visit = `${hop.url.href} ${cookie}`
    if (seen.has(visit)) fail('SCRAPE_SITE_ERROR', { message: 'The site redirects in a loop.' })
    seen.add(visit)

    const answer = await send(hop, cookie)
    cookies.keep(hop.url, listOf(answer.headers['set-cookie']))
    const next = nextHop(hop, answer.statusCode, listOf(answer.headers['location'])[0])
    if (!next) return readPage(hop, answer, { maxBytes: request.maxBytes, rule })
    await discard(answer)
    if (request.mayFollow && !(await request.mayFollow(next.url.href)))
      fail('SCRAPE_SITE_ERROR', { message: 'The site redirects to a URL that this request may not visit.' })
    hop = next
  }
  fail('SCRAPE_SITE_ERROR', { message: `The site redirects more than ${maxRedirects} times.` })
}

function senderOf(dispatcher: Agent, { signal }: PageRequest, rule: AddressRule): Send {
  return async ({ url, headers }, fromSite) => {
    requireAllowed(rule, url)
    const cookie = joinCookies(headers['cookie'], fromSite)
    const options: Dispatcher.DispatchOptions & { signal: AbortSignal } = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { ...headers, ...(cookie !== '' && { cookie }) },
      signal,
    }
    try {
      return await arrive(dispatcher, options, isRead)
    } catch (error) {
      if (!isConnectionReset(error)) throw error
      return await arrive(dispatcher, options, isRead)
    }
  }
}

/** Audio and video are not downloaded: nothing here reads them. */
const isMedia = ({ headers }: Pick<Arrived, 'headers'>) =>
  /^(?:audio|video)\//i.test(listOf(headers['content-type']).join(', '))
const isRedirect = ({ statusCode, headers }: Omit<Arrived, 'body'>) =>
  redirectStatuses.has(statusCode) && headers['location'] !== undefined
const isRead = (answer: Omit<Arrived, 'body'>) => !isMedia(answer) && !isRedirect(answer)

function requireAllowed(rule: AddressRule, url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    fail('SCRAPE_ADDRESS_REFUSED', { message: 'Only http and https addresses are fetched.' })
  if (rule.refusesUrl(url)) throw addressRefused(bareHost(url.hostname))
}

async function readPage(
  { url }: Hop,
  answer: Arrived,
  { maxBytes, rule }: { maxBytes: number; rule: AddressRule },
): Promise<PageResponse> {
  const headers = joinedHeaders(answer.headers)
  if (isMedia(answer)) {
    if (answer.body instanceof Readable) answer.body.destroy()
    return { url: url.href, status: answer.statusCode, headers, body: new Uint8Array() }
  }
  const { bytes, isCut } = await readBody(answer.body, headers['content-encoding'] ?? '', maxBytes)
  const page = { url: url.href, status: answer.statusCode, headers, body: bytes }
  const refresh = refreshTarget(page)
  const faults: PageFault[] = isCut ? ['cut off'] : []
  if (refresh && rule.refusesUrl(refresh)) faults.push('refresh refused')
  return faults.length > 0 ? { ...page, faults } : page
}

/** Drains a short body so that the connection can be reused; a long or slow one is not worth it. */
async function discard({ body }: Arrived): Promise<void> {
  if (body instanceof Readable) await drain(body)
  // undici frees the connection one turn of the event loop after the body; a hop sent now would open another.
  await setImmediate()
}

async function drain(body: Readable): Promise<void> {
  const late = setTimeout(() => body.destroy(), 500)
  let left = 16_384
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) if ((left -= chunk.length) < 0) break
  } catch {
    // Whatever fails, the next hop is asked on another connection.
  } finally {
    clearTimeout(late)
  }
}

/** Header names in lower case; values of headers that are repeated in one. */
export function joinedHeaders(headers: Arrived['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), listOf(value).join(', ')]),
  )
}

function listOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

export type Hop = { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * The next request of a redirect; undefined if the response is none. Secret headers are not sent to another origin;
 * user info in Location becomes a Basic header; the fragment is inherited (RFC 9110, 10.2.2).
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!redirectStatuses.has(status) || location === undefined) return undefined
  const target = URL.parse(asUtf8(location), hop.url.href)
  if (!target) fail('SCRAPE_SITE_ERROR', { message: 'The site redirects to something that is not a URL.' })
  if (target.hash === '') target.hash = hop.url.hash
  return withUrlCredentials(target, target.origin === hop.url.origin ? hop.headers : withoutSecrets(hop.headers))
}

/** undici reads headers as latin1, but a Location that is not plain ASCII is mostly UTF-8, and browsers take it so. */
function asUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}
