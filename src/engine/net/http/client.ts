import { isUtf8 } from 'node:buffer'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import type { BrowsePage, FetchAttempt, FetchPage, PageRequest, PageResponse } from '../../../contracts/fetch.ts'
import { AppError, fail, failure, toAppError } from '../../../kernel/error.ts'
import { isGzip } from '../../../util/file-bytes.ts'
import type { AddressRule } from '../address-rule.ts'
import { isBinary } from '../charset.ts'
import { forEachRule, type RuleOf } from '../team-rules.ts'
import { bareHost } from './canonical-url.ts'
import { loginRefusal, proxiedConnector } from '../proxy/open-socket.ts'
import { proxyAuthorization, type ProxyCriteria, relayOf, type UpstreamProxy } from '../proxy/upstream-proxy.ts'
import { arrive, type Arrived, arriveTolerantly } from './arrival.ts'
import { type IfCut, type ReadBody, readBody } from './read-body.ts'
import { addressRefused, guardedConnector, isMalformed, mayPassElsewhere, toNetworkError } from './connector.ts'
import { createCookies, joinCookies, requestHeaders, withoutSecrets, withUrlCredentials } from './request-headers.ts'
import { refreshOf, refreshRedirect } from './answer-head.ts'

export type FetcherOptions = {
  ruleOf: RuleOf
  userAgent: string
  /** Chooses the upstream proxy for a request; none by default. */
  chooseProxy?: ((request: ProxyCriteria) => UpstreamProxy | undefined) | undefined
  /** Replaces dns.lookup in tests. */
  lookup?: LookupFunction
  /** Time limit for name lookup, TCP and TLS together. */
  connectTimeoutMs?: number
  headersTimeoutMs?: number
  /** Maximum silence between two chunks of a body; the total time is limited by the request's signal. */
  bodyTimeoutMs?: number
  /** Fetches pages that no HTTP parser here can read; see `createFetcher`. */
  browse?: BrowsePage | undefined
}
type Fetcher = { fetchPage: FetchPage; close(): Promise<void> }

/** The limit of browsers (Fetch standard, HTTP-redirect fetch). */
const maxRedirects = 20
const maxHeaderBytes = 65_536

/** A response, with its page unless it is a redirect. */
type Visit = Pick<Arrived, 'statusCode' | 'headers'> & { page?: PageResponse }

/** One way to send a request. */
type Way<Request, Result> = { name: FetchAttempt['way']; send(request: Request): Promise<Result> }

const maxOrigins = 1000
const rememberedMs = 600_000

/** Tries the ways to send a request in order, and remembers which one a site with malformed responses needs. */
function createKnownWays() {
  const known = new Map<string, { first: number; until: number }>()
  const firstFor = (origin: string) => {
    const { first = 0, until = 0 } = known.get(origin) ?? {}
    return until > performance.now() ? first : 0
  }
  const remember = (origin: string, first: number) => {
    if (known.size >= maxOrigins) known.delete(known.keys().next().value ?? '')
    known.set(origin, { first, until: performance.now() + rememberedMs })
  }
  return {
    /** Returns the result of the first way that succeeds; fails with the error of the last one tried. */
    async firstOf<Request extends { url: URL }, Result>(
      ways: readonly Way<Request, Result>[],
      request: Request,
      { signal, reportAttempt }: Pick<PageRequest, 'signal' | 'reportAttempt'>,
    ): Promise<Result> {
      const { origin } = request.url
      let wasMalformed = false
      let previousError: unknown
      for (let at = Math.min(firstFor(origin), ways.length - 1); ; at++) {
        const { name, send } = ways[at]!
        try {
          const visit = await send(request)
          if (wasMalformed) remember(origin, at)
          return visit
        } catch (error) {
          // If no browser is available, the error of the parser is more useful.
          if (previousError !== undefined && error instanceof AppError && error.code === 'BROWSER_UNAVAILABLE')
            throw previousError
          reportAttempt?.(attemptOf(name, signal.aborted ? failure('SCRAPE_TIMEOUT') : error))
          if (signal.aborted || at + 1 >= ways.length || !mayPassElsewhere(error)) throw error
          wasMalformed = isMalformed(error)
          previousError = error
        }
      }
    },
  }
}

function attemptOf(way: FetchAttempt['way'], error: unknown): FetchAttempt {
  const { code, message } = toAppError(toNetworkError(error))
  return { way, timestamp: new Date().toISOString(), code, error: message }
}

/**
 * Creates a fetcher for pages, over HTTP/1.1 on shared keep-alive connections. If a request fails after the connection
 * was accepted, it is repeated with a tolerant parser and then with a browser, so every page that a browser can read is
 * fetched. Failures are SCRAPE_* errors with the last cause, or BAD_REQUEST for an invalid header. An abort rejects
 * with the signal's reason and closes the socket.
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
          return known.firstOf(ways, hop, request)
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

/** Facts that decide which connection pool a request uses. */
type Path = { rule: AddressRule; proxy: UpstreamProxy | undefined; certificates: 'verify' | 'trust' }

const certificatesOf = ({ skipTlsVerification }: PageRequest): Path['certificates'] =>
  skipTlsVerification ? 'trust' : 'verify'

/** Creates connection pools: one per address rule, upstream proxy and certificate mode. */
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

/**
 * Returns the ways to send a request, cheapest first. All share the signal of the request, and therefore its deadline.
 */
function waysOf(
  request: PageRequest,
  options: FetcherOptions & Omit<Path, 'certificates'> & { dispatcher: Agent },
): Way<Hop, Visit>[] {
  const { rule, proxy, dispatcher, browse } = options
  const { maxBytes, signal, isWanted = isNoMedia } = request
  const socketOptions = { ...options, signal, timeoutMs: options.connectTimeoutMs ?? 10_000 }
  const read = async (hop: Hop, answer: Arrived, ifCut: IfCut): Promise<Visit> => {
    const { statusCode, headers } = answer
    const refusal = await loginRefusal(statusCode, hop.url, socketOptions)
    if (refusal) throw refusal
    if (!isRedirect(answer))
      return { statusCode, headers, page: await readPage(hop, answer, { maxBytes, rule, ifCut, isWanted }) }
    await discard(answer)
    return { statusCode, headers }
  }
  return [
    {
      name: 'HTTP',
      send: async (hop) => read(hop, await sendStrictly(dispatcher, hop, { proxy, signal, isWanted }), 'fail'),
    },
    {
      name: 'tolerant HTTP',
      async send(hop) {
        const tolerant = { ...options, certificates: certificatesOf(request) }
        const answer = await arriveTolerantly({ ...hop, method: 'GET', signal }, tolerant)
        // With a browser, a body that the parser rejects midway fails here: the browser may read all of it.
        const visit = await read(hop, answer, browse ? 'keep if ended' : 'keep')
        // The abort may be what cut the body off.
        signal.throwIfAborted()
        return visit
      },
    },
    ...(browse ? [{ name: 'browser', send: browsing(browse, request, rule) } as const] : []),
  ]
}

const browsing =
  (browse: BrowsePage, request: PageRequest, rule: AddressRule) =>
  async ({ url, headers }: Hop): Promise<Visit> => {
    // Functions cannot be sent to another thread.
    const { mayFollow: _, isWanted: __, reportAttempt: ___, ...plainRequest } = request
    return browsed(await browse({ ...plainRequest, url: url.href, headers }), request.maxBytes, rule)
  }

/**
 * Converts a browser's response. The browser decodes a body once only, so one that was compressed twice is still gzip.
 */
async function browsed(response: PageResponse, maxBytes: number, rule: AddressRule): Promise<Visit> {
  const { 'content-encoding': contentEncoding = '', ...headers } = response.headers
  const { bytes: body, isCut } = await readBody(response.body, /gzip/i.test(contentEncoding) ? 'gzip' : '', maxBytes)
  const visit = { statusCode: response.status, headers }
  const page = { ...response, headers, body, ...(isCut && { faults: ['cut off' as const] }) }
  return isRedirect(visit) ? visit : { ...visit, page: withRefreshFault(page, rule) }
}

function firstHop({ url, headers }: PageRequest, userAgent: string): Hop {
  const parsed = URL.parse(url) ?? fail('BAD_REQUEST', { message: 'The URL is not valid.' })
  return withUrlCredentials(parsed, requestHeaders(headers, userAgent))
}

async function follow(first: Hop, request: PageRequest, visit: (hop: Hop) => Promise<Visit>): Promise<PageResponse> {
  const cookies = createCookies()
  const seen = new Set<string>()
  let hop = first
  while (seen.size <= maxRedirects) {
    const cookie = joinCookies(hop.headers['cookie'], cookies.headerFor(hop.url))
    const key = keyOf(hop, cookies)
    if (seen.has(key)) failRedirects('in a loop')
    seen.add(key)

    const response = await visit({ url: hop.url, headers: { ...hop.headers, ...(cookie !== '' && { cookie }) } })
    cookies.keep(hop.url, listOf(response.headers['set-cookie']))
    const next = hopAfter(response, hop)
    // A page that refreshes to itself is returned instead of failing as a loop.
    if (response.page && (!next || seen.size === maxRedirects || seen.has(keyOf(next, cookies)))) return response.page
    if (!next) failRedirects('to something that is not a URL')
    if (request.mayFollow && !(await request.mayFollow(next.url.href)))
      fail('SCRAPE_SITE_ERROR', { message: 'The site redirects to a URL that this request may not visit.' })
    hop = next
  }
  failRedirects(`more than ${maxRedirects} times`)
}

/** Returns the next hop of a response: an HTTP redirect, or a page that acts as one. */
function hopAfter({ statusCode, headers, page }: Visit, hop: Hop): Hop | undefined {
  if (!page) return nextHop(hop, statusCode, locationOf(headers))
  const refresh = page.status === 200 && !page.faults ? refreshRedirect(page) : undefined
  return refresh && hopTo(refresh, hop)
}

/** Identifies a visit by its URL and cookies: a site may redirect to the same URL after setting a cookie. */
const keyOf = ({ url, headers }: Hop, cookies: ReturnType<typeof createCookies>) =>
  `${url.href} ${joinCookies(headers['cookie'], cookies.headerFor(url))}`

function failRedirects(how: string): never {
  fail('SCRAPE_SITE_ERROR', { message: `The site redirects ${how}.`, details: { redirects: how } })
}

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
/** Skips the bodies of audio and video files. */
const isNoMedia: IsWanted = (type) => !/^(?:audio|video)\//.test(type)
const typeOf = ({ headers }: Pick<Arrived, 'headers'>) => listOf(headers['content-type']).join(', ').toLowerCase()
const isRedirect = ({ statusCode, headers }: Omit<Arrived, 'body'>) =>
  redirectStatuses.has(statusCode) && locationOf(headers) !== undefined
/** Returns the Location header. An empty one is ignored, as in browsers. */
const locationOf = (headers: Arrived['headers']) =>
  listOf(headers['location']).find((location) => location.trim() !== '')

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
  const read = await readBody(answer.body, codingsOf(headers), maxBytes, ifCut)
  const isPacked = /html|^text\/plain/i.test(headers['content-type'] ?? '') && isGzip(read.bytes)
  const { bytes: body, isCut } = isPacked ? await unpackedPage(read, maxBytes) : read
  const page = { url: url.href, status: answer.statusCode, headers, body }
  return withRefreshFault(isCut ? { ...page, faults: ['cut off'] } : page, rule)
}

/** Returns the content codings of a response, and the transfer codings except chunked, in the order of their use. */
function codingsOf(headers: Readonly<Record<string, string>>): string {
  const transfer = (headers['transfer-encoding'] ?? '').replace(/(?:^|,)\s*chunked\s*$/i, '')
  return [headers['content-encoding'] ?? '', transfer].filter(Boolean).join(', ')
}

/**
 * Decodes a page that is gzip without saying so. Bytes that are not valid gzip, or do not contain text, are returned
 * unchanged; a page that is too large fails.
 */
async function unpackedPage(read: ReadBody, maxBytes: number): Promise<ReadBody> {
  const unpacked = await readBody(read.bytes, 'gzip', maxBytes).catch((error: unknown) => {
    if (error instanceof AppError) throw error
  })
  if (!unpacked || isBinary(unpacked.bytes)) return read
  return { bytes: unpacked.bytes, isCut: read.isCut || unpacked.isCut }
}

function withRefreshFault(page: PageResponse, rule: AddressRule): PageResponse {
  const refresh = refreshOf(page)
  return refresh && rule.refusesUrl(refresh.url)
    ? { ...page, faults: [...(page.faults ?? []), 'refresh refused'] }
    : page
}

/** Reads a short body to its end, so the connection can be reused. A long or slow body is abandoned. */
async function discard({ body }: Arrived): Promise<void> {
  if (body instanceof Readable) await drain(body)
  // undici frees the connection one turn of the event loop after the body ends; a hop sent earlier would open another
  // one.
  await setImmediate()
}

const drainMs = 500
const maxDrainBytes = 16_384

async function drain(body: Readable): Promise<void> {
  const late = setTimeout(() => body.destroy(), drainMs)
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) if ((size += chunk.length) > maxDrainBytes) break
  } catch {
    // The next hop is sent on another connection.
  } finally {
    clearTimeout(late)
  }
}

/** Returns headers with names in lower case; repeated headers are joined with commas. */
export function joinedHeaders(headers: Arrived['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), listOf(value).join(', ')]),
  )
}

function listOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/** One request of a chain of redirects. */
export type Hop = { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * Returns the next request of a redirect; undefined for other responses. Secret headers are not sent to another origin;
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

/**
 * Decodes a Location header as UTF-8 if it is valid UTF-8, as browsers do. undici decodes all headers as latin1.
 */
function asUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}
