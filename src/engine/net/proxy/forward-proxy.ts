import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as send,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type LookupFunction, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { failure } from '../../../kernel/error.ts'
import type { AddressRule } from '../address-rule.ts'
import { forEachRule, type RuleOf } from '../team-rules.ts'
import { browserMakerHosts, type HostList } from './block-list.ts'
import { bareHost, portOf } from '../http/canonical-url.ts'
import { toNetworkError } from '../http/connector.ts'
import { tolerantParser } from '../http/arrival.ts'
import { loginRefusal, openSocket } from './open-socket.ts'
import { readSocksTarget, replyToSocks, type Target } from './socks.ts'
import { proxyAuthorization, relayOf, type UpstreamProxy } from './upstream-proxy.ts'

type ForwardProxyOptions = {
  ruleOf: RuleOf
  adHosts: HostList
  lookup?: LookupFunction | undefined
  connectTimeoutMs?: number
}

/** Use of a proxy by a browser. The team decides which hosts the browser may reach. */
export type ProxyUse = { teamId: string; blockAds: boolean; proxy?: UpstreamProxy | undefined }
export type ForwardProxy = {
  /** `127.0.0.1:port` for HTTP. */
  server: string
  /**
   * Address for browsers: SOCKS, which forwards raw bytes, so a browser can read malformed HTTP; but HTTP with an HTTP
   * upstream proxy, which forwards requests instead of bytes.
   */
  forBrowsers: string
  /** Returns the error of the last request for the URL or, without one, of the last connection to its host. */
  errorOf(url: string): unknown
  /** Returns false if a browser must not open the URL as a document. Absent if the proxy checks all that is needed. */
  mayOpen?: ((url: string) => boolean) | undefined
}
export type ForwardProxies = {
  /**
   * Returns the proxy server for a browser context. Started on first use, and shared by contexts with the same address
   * rule and options.
   */
  proxyFor(use: ProxyUse): Promise<ForwardProxy>
  close(): Promise<void>
}

/**
 * Creates forward proxies on loopback, through which browsers access the network (SSRF protection): each proxy checks
 * every host against the address rule, resolves it once and connects to the resolved address. It also blocks ads, and
 * requests of the browser to its vendor.
 */
export function createForwardProxies(options: ForwardProxyOptions): ForwardProxies {
  const proxies = forEachRule((rule) => {
    const errors = createConnectErrors()
    return { rule, errors, open: new Map<string, Promise<Listening>>() }
  })
  return {
    async proxyFor({ teamId, blockAds, proxy }) {
      const { rule, errors, open } = proxies.of(await options.ruleOf(teamId))
      const key = JSON.stringify({ blockAds, proxy })
      const server = open.get(key) ?? listen(createUpstream({ ...options, rule, blockAds, proxy }, errors))
      open.set(key, server)
      const { port } = await server
      const address = `127.0.0.1:${port}`
      const forBrowsers = relayOf(proxy, 'http:') ? address : `socks5://${address}`
      const mayOpen = rule.hasResources ? (url: string) => !rule.refusesUrl(url) : undefined
      return { server: address, forBrowsers, errorOf: (url) => errors.find(url), mayOpen }
    },
    async close() {
      const servers = await Promise.all(proxies.all().flatMap(({ open }) => [...open.values()]))
      for (const { open } of proxies.all()) open.clear()
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

type Listening = { port: number; close(): Promise<void> }

/** Listens on one port for both protocols: SOCKS starts with its version byte, which is not valid in an HTTP method. */
async function listen(upstream: Upstream): Promise<Listening> {
  const server = httpServer(upstream)
  const sockets = new Set<Socket>()
  const listener = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null
      if (!first) return void socket.destroy()
      socket.unshift(first)
      if (first[0] === 5) void openSocksTunnel(upstream, socket)
      else server.emit('connection', socket)
    })
  }).unref()
  const { promise: open, resolve, reject } = Promise.withResolvers<void>()
  listener.once('error', reject).listen(0, '127.0.0.1', resolve)
  await open
  return {
    port: (listener.address() as AddressInfo).port,
    async close() {
      const { promise: closed, resolve: end } = Promise.withResolvers<void>()
      listener.close(() => end())
      for (const socket of sockets) socket.destroy()
      upstream.agent.destroy()
      await closed
    },
  }
}

function httpServer(upstream: Upstream): Server {
  return createServer({ keepAliveTimeout: 30_000 })
    .on('request', (request, response) => forward(upstream, request, response))
    .on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      void openConnectTunnel(upstream, request.url ?? '', socket, head)
    })
    .on('clientError', (_, socket) => socket.destroy())
}

/** Recent connection errors by URL and host. A browser reports only that its proxy failed, without the reason. */
type ConnectErrors = {
  /** Returns the error of the last request for the URL, otherwise the last error of its host. */
  find(url: string): unknown
  forget(url: URL): void
  /** Records that the host is blocked. */
  refuse(target: Target): void
  record(url: URL, error: unknown): void
  /** Records whether a host can be reached. Does not change errors of single URLs. */
  track(target: Target, opening: Promise<Socket>): Promise<Socket>
}

export const blockedText = 'The host is on the ad block list; set blockAds to false to read its pages.'
const keyOf = ({ host, port }: Target) => `${host}:${port}`
const targetOf = (url: URL): Target => ({ host: bareHost(url.hostname), port: portOf(url) })
const keyOfUrl = ({ origin, pathname, search }: URL) => origin + pathname + search

function createConnectErrors(maxTargets = 500): ConnectErrors {
  const byKey = new Map<string, unknown>()
  const note = (key: string, error: unknown) => {
    if (byKey.size >= maxTargets) byKey.delete(byKey.keys().next().value ?? '')
    byKey.set(key, toNetworkError(error))
  }
  return {
    find(url) {
      const parsed = URL.parse(url)
      return parsed && (byKey.get(keyOfUrl(parsed)) ?? byKey.get(keyOf(targetOf(parsed))))
    },
    refuse: (target) => note(keyOf(target), failure('SCRAPE_SITE_ERROR', { message: blockedText })),
    forget: (url) => void byKey.delete(keyOfUrl(url)),
    record(url, error) {
      note(keyOfUrl(url), error)
      note(keyOf(targetOf(url)), error)
    },
    async track(target, opening) {
      byKey.delete(keyOf(target))
      try {
        return await opening
      } catch (error) {
        note(keyOf(target), error)
        throw error
      }
    },
  }
}

type Refusal = ReturnType<typeof loginRefusal>
type Upstream = {
  isBlocked(host: string): boolean
  connect(target: Target): Promise<Socket>
  refusal(status: number | undefined, url: URL): Refusal
  /** Upstream proxy for plain HTTP requests. */
  relay: UpstreamProxy | undefined
  errors: ConnectErrors
  /** Keep-alive agent for plain HTTP. */
  agent: Agent
}

type UpstreamOptions = Omit<ForwardProxyOptions, 'ruleOf'> & Omit<ProxyUse, 'teamId'> & { rule: AddressRule }

function createUpstream(options: UpstreamOptions, errors: ConnectErrors): Upstream {
  const { rule, adHosts, lookup, blockAds, proxy, connectTimeoutMs = 10_000 } = options
  const relay = relayOf(proxy, 'http:')
  const socketOptions = { rule, lookup, proxy, timeoutMs: connectTimeoutMs }
  const open = (target: Target, wants: 'tunnel' | 'relay') =>
    errors.track(target, openSocket(target, { ...socketOptions, wants }))
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  agent.createConnection = ({ host, port }, done) => {
    const target = { host: bareHost(host ?? ''), port: Number(port) }
    void connectFor(open(target, relay ? 'relay' : 'tunnel'), done)
    return undefined
  }
  return {
    isBlocked: (host) => browserMakerHosts.holds(host) || (blockAds && adHosts.holds(host)),
    connect: (target) => open(target, 'tunnel'),
    refusal: (status, url) => loginRefusal(status, url, socketOptions),
    relay,
    errors,
    agent,
  }
}

type ConnectCallback = NonNullable<Parameters<Agent['createConnection']>[1]>

async function connectFor(opening: Promise<Socket>, done: ConnectCallback | undefined): Promise<void> {
  try {
    done?.(null, await opening)
  } catch (error) {
    done?.(error as Error, undefined as never)
  }
}

/** Opens a CONNECT tunnel for HTTPS and WebSockets. */
async function openConnectTunnel(upstream: Upstream, target: string, client: Duplex, head: Buffer): Promise<void> {
  client.on('error', () => client.destroy())
  const url = URL.parse(`tunnel://${target}`)
  if (!url?.hostname || upstream.isBlocked(bareHost(url.hostname))) return rejectConnect(client, 403)
  try {
    const site = await upstream.connect({ host: bareHost(url.hostname), port: Number(url.port || 443) })
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) site.write(head)
    join(client, site)
  } catch {
    rejectConnect(client, 502)
  }
}

const handshakeMs = 10_000

/** Opens a SOCKS tunnel that copies bytes without parsing them. */
async function openSocksTunnel(upstream: Upstream, client: Socket): Promise<void> {
  try {
    const target = await readSocksTarget(client, AbortSignal.timeout(handshakeMs))
    if (upstream.isBlocked(bareHost(target.host))) {
      upstream.errors.refuse(target)
      replyToSocks(client, 'blocked')
      return void client.end()
    }
    const site = await upstream.connect(target)
    replyToSocks(client, 'connected')
    join(client, site)
  } catch {
    if (!client.destroyed) replyToSocks(client, 'failed')
    client.end()
  }
}

function join(client: Duplex, site: Socket): void {
  if (client.destroyed) return void site.destroy()
  site.on('error', () => client.destroy()).on('close', () => client.destroy())
  client.on('close', () => site.destroy())
  client.pipe(site).pipe(client)
}

function rejectConnect(client: Duplex, status: 403 | 502): void {
  client.end(
    `HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Bad Gateway'}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  )
}

/** Identifies responses of the proxy itself in the Proxy-Status header (RFC 9209). */
export const proxyStatusName = 'gossamer'

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const perConnection = /^(?:connection|keep-alive|proxy-.*|te|trailer|upgrade)$/i

/** Maximum bytes of a request body stored for a second attempt. */
const maxStored = 2 ** 20

type Outcome = { answered(answer: IncomingMessage): void; failed(error: Error): void }

/**
 * Forwards a request, over a keep-alive connection if the agent has one. A site may close that connection just as the
 * request arrives, so a request without any response byte is sent again on a new connection, as browsers do. A request
 * that fails on a new connection is not repeated, because the site has refused the request itself. Returns a function
 * that cancels the request.
 */
function sendOn(
  request: IncomingMessage,
  { agent, ...options }: RequestOptions & { agent: Agent },
  { answered, failed }: Outcome,
): () => void {
  const body = storeBody(request)
  let isCancelled = false
  const start = (connection: RequestOptions, onError: (error: Error) => void): ClientRequest =>
    send({ ...options, ...connection })
      .on('response', answered)
      .on('error', onError)
  const first = start({ agent }, (error) => {
    if (isCancelled || !isUnanswered() || !body.isWhole()) return failed(error)
    sent = start({ createConnection: agent.createConnection }, failed)
    for (const chunk of body.chunks) sent.write(chunk)
    request.pipe(sent)
  })
  const isUnanswered = watchReusedSocket(first)
  let sent = first
  request.pipe(first)
  return () => {
    isCancelled = true
    sent.destroy()
  }
}

/** Returns a function that returns true if the connection was reused and has received nothing for this request. */
function watchReusedSocket(sent: ClientRequest): () => boolean {
  let bytesBefore: number | undefined
  sent.once('socket', (socket) => {
    bytesBefore = socket.bytesRead
  })
  return () => sent.reusedSocket && sent.socket?.bytesRead === bytesBefore
}

/** Stores the chunks of a request body; `isWhole` returns false if it is too long. */
function storeBody(request: IncomingMessage): { chunks: readonly Buffer[]; isWhole(): boolean } {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxStored) chunks.push(chunk)
    else chunks.length = 0
  })
  return { chunks, isWhole: () => bytes <= maxStored }
}

function forward(upstream: Upstream, request: IncomingMessage, response: ServerResponse): void {
  const url = URL.parse(request.url ?? '')
  if (url?.protocol !== 'http:' || upstream.isBlocked(bareHost(url.hostname)))
    return void response.writeHead(403, { 'proxy-status': proxyStatusName }).end()
  response.on('error', () => {})
  upstream.errors.forget(url)
  const login = upstream.relay ? proxyAuthorization(upstream.relay) : {}
  const options = {
    ...targetOf(url),
    agent: upstream.agent,
    method: request.method,
    path: upstream.relay ? `${url.origin}${url.pathname}${url.search}` : `${url.pathname}${url.search}`,
    headers: [...forwardedHeaders(request.rawHeaders), ...Object.entries(login).flat()],
    setDefaultHeaders: false,
    ...tolerantParser,
  }
  const failed = (error: unknown) => {
    upstream.errors.record(url, error)
    failResponse(response)
  }
  const cancel = sendOn(request, options, {
    answered(answer) {
      answer.on('error', () => response.destroy())
      void answerWith(response, answer, upstream.refusal(answer.statusCode, url)).catch(failed)
    },
    failed,
  })
  response.on('close', cancel)
}

async function answerWith(response: ServerResponse, answer: IncomingMessage, refusal: Refusal): Promise<void> {
  const refused = await refusal
  if (refused) throw refused
  const { statusCode = 502, statusMessage = '', rawHeaders } = answer
  response.writeHead(statusCode, withoutControls(statusMessage), forwardedHeaders(rawHeaders).map(withoutControls))
  answer.pipe(response)
}

/** Removes characters that the tolerant parser of Node accepts, but Node does not send. */
const withoutControls = (text: string) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')

function failResponse(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(502, { 'proxy-status': proxyStatusName }).end()
}

function forwardedHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !perConnection.test(name) ? [name, rawHeaders[at + 1] ?? ''] : [],
  )
}
