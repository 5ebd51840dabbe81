import { isUtf8 } from 'node:buffer'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import type { BrowsePage, FetchPage, PageRequest, PageResponse } from '../../../contracts/fetch.ts'
import { AppError, fail } from '../../../kernel/error.ts'
import type { AddressRule } from '../address-rule.ts'
import { forEachRule, type RuleOf } from '../team-rules.ts'
import { bareHost } from './canonical-url.ts'
import { proxiedConnector } from '../proxy/open-socket.ts'
import {
  proxyAuthorization,
  type ProxyCriteria,
  proxyRefused,
  relayOf,
  type UpstreamProxy,
} from '../proxy/upstream-proxy.ts'
import { arrive, type Arrived, arriveTolerantly } from './arrival.ts'
import { type IfCut, readBody } from './read-body.ts'
import { addressRefused, guardedConnector, isMalformed, mayPassElsewhere, toNetworkError } from './connector.ts'
import { createCookies, joinCookies, requestHeaders, withoutSecrets, withUrlCredentials } from './request-headers.ts'
import { refreshOf, refreshRedirect } from './answer-head.ts'

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
  /** Reads what no parser of ours does; see `createFetcher`. */
  browse?: BrowsePage | undefined
}
export type Fetcher = { fetchPage: FetchPage; close(): Promise<void> }

const maxRedirects = 10
const maxHeaderBytes = 65_536

/** An answer, and its page unless it is a redirect. */
type Visit = Pick<Arrived, 'statusCode' | 'headers'> & { page?: PageResponse }
type Way = (hop: Hop) => Promise<Visit>

/**
 * Fetches pages over HTTP/1.1 on shared kept-alive connections. What fails there, though the site has taken the connection,
 * is asked for once more with a tolerant parser, and then with a browser: whatever a browser can read is read. Failures are
 * SCRAPE_* errors that name the last cause, or BAD_REQUEST for a header that cannot be sent; an abort raises the reason of
 * the signal and closes the socket.
 */
export function createFetcher(options: FetcherOptions): Fetcher {
  const agents = createAgents(options)
  const known = createKnownWays()
  return {
    async fetchPage(request) {
      try {
        request.signal.throwIfAborted()
        const rule = await options.ruleOf(request.teamId)
        const proxy = options.chooseProxy?.({ pool: request.proxy ?? 'basic', country: request.country })
        const dispatcher = agents.for({ proxy, rule, certificates: certificatesOf(request) })
        const ways = waysOf(request, { ...options, rule, proxy, dispatcher })
        const visit = (hop: Hop) => {
          requireAllowed(rule, hop.url)
          return known.firstOf(ways, hop, request.signal)
        }
        return await follow(firstHop(request, options.userAgent), request, visit)
      } catch (error) {
        throw request.signal.aborted ? request.signal.reason : toNetworkError(error)
      }
    },
    async close() {
      await agents.close()
    },
  }
}

type Path = { rule: AddressRule; proxy: UpstreamProxy | undefined; certificates: 'verify' | 'trust' }

const certificatesOf = ({ skipTlsVerification }: PageRequest): Path['certificates'] =>
  skipTlsVerification ? 'trust' : 'verify'

/** Connection pools: one for each rule, each upstream proxy and each way of verifying certificates. */
function createAgents(options: FetcherOptions) {
  const pools = forEachRule(() => new Map<string, Agent>())
  return {
    for(path: Path): Agent {
      const open = pools.of(path.rule)
      const key = `${path.certificates} ${JSON.stringify(path.proxy)}`
      const agent = open.get(key) ?? openAgent(options, path)
      open.set(key, agent)
      return agent
    },
    close: () => Promise.all(pools.all().flatMap((open) => Array.from(open.values(), (agent) => agent.destroy()))),
  }
}

function openAgent(options: FetcherOptions, { rule, proxy, certificates }: Path): Agent {
  const { lookup, connectTimeoutMs = 10_000, headersTimeoutMs = 60_000, bodyTimeoutMs = 30_000 } = options
  const connector = { rule, lookup, connectTimeoutMs, certificates }
  return new Agent({
    connect: proxy ? proxiedConnector(connector, proxy) : guardedConnector(connector),
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
  })
}

/** The ways to send a request, those that cost less first. All have its signal, and so one deadline. */
function waysOf(
  request: PageRequest,
  options: FetcherOptions & Omit<Path, 'certificates'> & { dispatcher: Agent },
): Way[] {
  const { rule, proxy, dispatcher, browse } = options
  const { maxBytes, signal, isWanted = isNoMedia } = request
  const read = async (hop: Hop, answer: Arrived, ifCut: IfCut): Promise<Visit> => {
    const { statusCode, headers } = answer
    if (proxy && statusCode === 407 && relayOf(proxy, hop.url.protocol)) throw proxyRefused()
    if (!isRedirect(answer))
      return { statusCode, headers, page: await readPage(hop, answer, { maxBytes, rule, ifCut, isWanted }) }
    await discard(answer)
    return { statusCode, headers }
  }
  return [
    async (hop) => read(hop, await sendStrictly(dispatcher, hop, { proxy, signal, isWanted }), 'fail'),
    async (hop) => {
      const tolerant = { ...options, certificates: certificatesOf(request) }
      return read(hop, await arriveTolerantly({ ...hop, method: 'GET', signal }, tolerant), 'keep')
    },
    ...(browse
      ? [
          async ({ url, headers }: Hop) => {
            // What cannot be sent to another thread stays.
            const { mayFollow: _, isWanted: __, ...asked } = request
            return browsed(await browse({ ...asked, url: url.href, headers }), rule)
          },
        ]
      : []),
  ]
}

/** A browser has decoded the body. */
function browsed({ headers, ...page }: PageResponse, rule: AddressRule): Visit {
  const kept = { ...headers }
  delete kept['content-encoding']
  const visit = { statusCode: page.status, headers: kept }
  return isRedirect(visit) ? visit : { ...visit, page: withRefreshFault({ ...page, headers: kept }, rule) }
}

const maxKnown = 1000
const knownForMs = 600_000

/** Sends a request in one way after the other, and remembers which way a site needs for the form of its answers. */
function createKnownWays() {
  const known = new Map<string, { first: number; until: number }>()
  const firstFor = (origin: string) => {
    const { first = 0, until = 0 } = known.get(origin) ?? {}
    return until > performance.now() ? first : 0
  }
  const remember = (origin: string, first: number) => {
    if (known.size >= maxKnown) known.delete(known.keys().next().value ?? '')
    known.set(origin, { first, until: performance.now() + knownForMs })
  }
  return {
    async firstOf(ways: readonly Way[], hop: Hop, signal: AbortSignal): Promise<Visit> {
      const { origin } = hop.url
      let isOfForm = false
      let last: unknown
      for (let at = Math.min(firstFor(origin), ways.length - 1); ; at++) {
        try {
          const visit = await ways[at]!(hop)
          if (isOfForm) remember(origin, at)
          return visit
        } catch (error) {
          // Where there is no browser, the parser has the last word.
          if (last !== undefined && error instanceof AppError && error.code === 'BROWSER_UNAVAILABLE') throw last
          if (signal.aborted || at + 1 >= ways.length || !mayPassElsewhere(error)) throw error
          isOfForm = isMalformed(error)
          last = error
        }
      }
    },
  }
}

function firstHop({ url, headers }: PageRequest, userAgent: string): Hop {
  const parsed = URL.parse(url) ?? fail('BAD_REQUEST', { message: 'The URL is not valid.' })
  return withUrlCredentials(parsed, requestHeaders(headers, userAgent))
}

async function follow(first: Hop, request: PageRequest, visit: Way): Promise<PageResponse> {
  const cookies = createCookies()
  const seen = new Set<string>()
  let hop = first
  while (seen.size <= maxRedirects) {
    const cookie = joinCookies(hop.headers['cookie'], cookies.headerFor(hop.url))
    const asked = visitOf(hop, cookies)
    if (seen.has(asked)) failRedirects('in a loop')
    seen.add(asked)

    const came = await visit({ url: hop.url, headers: { ...hop.headers, ...(cookie !== '' && { cookie }) } })
    cookies.keep(hop.url, listOf(came.headers['set-cookie']))
    const next = hopAfter(came, hop)
    // A page may refresh itself.
    if (came.page && (!next || seen.size === maxRedirects || seen.has(visitOf(next, cookies)))) return came.page
    if (!next) failRedirects('to something that is not a URL')
    if (request.mayFollow && !(await request.mayFollow(next.url.href)))
      fail('SCRAPE_SITE_ERROR', { message: 'The site redirects to a URL that this request may not visit.' })
    hop = next
  }
  failRedirects(`more than ${maxRedirects} times`)
}

/** Where an answer leads, by a redirect or by a page that is as good as one. */
function hopAfter({ statusCode, headers, page }: Visit, hop: Hop): Hop | undefined {
  if (!page) return nextHop(hop, statusCode, listOf(headers['location'])[0])
  const refresh = page.status === 200 && !page.faults ? refreshRedirect(page) : undefined
  return refresh && hopTo(refresh, hop)
}

const visitOf = ({ url, headers }: Hop, cookies: ReturnType<typeof createCookies>) =>
  `${url.href} ${joinCookies(headers['cookie'], cookies.headerFor(url))}`

function failRedirects(how: string): never {
  fail('SCRAPE_SITE_ERROR', { message: `The site redirects ${how}.`, details: { redirects: how } })
}

/** Whether the redirects of a site end at no page. */
export const leadsNowhere = (error: unknown): boolean =>
  error instanceof AppError &&
  typeof error.details === 'object' &&
  error.details !== null &&
  'redirects' in error.details

function sendStrictly(
  dispatcher: Agent,
  { url, headers }: Hop,
  { proxy, signal, isWanted }: { proxy: UpstreamProxy | undefined; signal: AbortSignal; isWanted: IsWanted },
): Promise<Arrived> {
  const relay = relayOf(proxy, url.protocol)
  const path = `${url.pathname}${url.search}`
  const options: Dispatcher.DispatchOptions & { signal: AbortSignal } = {
    origin: url.origin,
    path: relay ? url.origin + path : path,
    method: 'GET',
    headers: { ...headers, ...(relay && proxyAuthorization(relay)) },
    signal,
  }
  return arrive(dispatcher, options, (answer) => !isRedirect(answer) && isWanted(typeOf(answer)))
}

type IsWanted = NonNullable<PageRequest['isWanted']>
/** Nothing here reads audio and video. */
const isNoMedia: IsWanted = (type) => !/^(?:audio|video)\//.test(type)
const typeOf = ({ headers }: Pick<Arrived, 'headers'>) => listOf(headers['content-type']).join(', ').toLowerCase()
const isRedirect = ({ statusCode, headers }: Omit<Arrived, 'body'>) =>
  redirectStatuses.has(statusCode) && headers['location'] !== undefined

function requireAllowed(rule: AddressRule, url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    fail('SCRAPE_ADDRESS_REFUSED', { message: 'Only http and https addresses are fetched.' })
  if (rule.refusesUrl(url)) throw addressRefused(bareHost(url.hostname))
}

async function readPage(
  { url }: Hop,
  answer: Arrived,
  { maxBytes, rule, ifCut, isWanted }: { maxBytes: number; rule: AddressRule; ifCut: IfCut; isWanted: IsWanted },
): Promise<PageResponse> {
  const headers = joinedHeaders(answer.headers)
  if (!isWanted(typeOf(answer))) {
    if (answer.body instanceof Readable) answer.body.destroy()
    return { url: url.href, status: answer.statusCode, headers, body: new Uint8Array() }
  }
  const { bytes, isCut } = await readBody(answer.body, headers['content-encoding'] ?? '', maxBytes, ifCut)
  const page = { url: url.href, status: answer.statusCode, headers, body: bytes }
  return withRefreshFault(isCut ? { ...page, faults: ['cut off'] } : page, rule)
}

function withRefreshFault(page: PageResponse, rule: AddressRule): PageResponse {
  const refresh = refreshOf(page)
  return refresh && rule.refusesUrl(refresh.url)
    ? { ...page, faults: [...(page.faults ?? []), 'refresh refused'] }
    : page
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
  if (!target) failRedirects('to something that is not a URL')
  if (target.hash === '') target.hash = hop.url.hash
  return hopTo(target, hop)
}

const hopTo = (target: URL, { url, headers }: Hop): Hop =>
  withUrlCredentials(target, target.origin === url.origin ? headers : withoutSecrets(headers))

/** undici reads headers as latin1, but a Location that is not plain ASCII is mostly UTF-8, and browsers take it so. */
function asUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}
