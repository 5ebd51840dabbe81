import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createDoor, type LookupFunction, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { failure } from '../../../kernel/error.ts'
import type { AddressRule } from '../address-rule.ts'
import { forEachRule, type RuleOf } from '../team-rules.ts'
import { bareHost, portOf } from '../http/canonical-url.ts'
import { toNetworkError } from '../http/connector.ts'
import { tolerantParser } from '../http/arrival.ts'
import { browserMakerHosts, type HostList } from './block-list.ts'
import { openSocket } from './open-socket.ts'
import { sendOn } from './resend.ts'
import { readSocksTarget, replyToSocks, type Target } from './socks.ts'
import { proxyAuthorization, proxyRefused, relayOf, type UpstreamProxy } from './upstream-proxy.ts'

export type ForwardProxyOptions = {
  ruleOf: RuleOf
  adHosts: HostList
  lookup?: LookupFunction | undefined
  connectTimeoutMs?: number
}

/** Whose browser it is, which decides what it may reach, and through which upstream proxy. */
export type ProxyUse = { teamId: string; blockAds: boolean; proxy?: UpstreamProxy | undefined }
export type ForwardProxy = {
  /** `127.0.0.1:port`, for HTTP. */
  server: string
  /**
   * For browsers: the same by SOCKS, which carries bytes, so that a browser reads what no HTTP parser of ours would. An upstream
   * proxy for HTTP takes requests, hence HTTP there.
   */
  forBrowsers: string
  /** Why the last connection to the host of a URL failed; undefined if it did not. */
  errorOf(url: string): unknown
}
export type ForwardProxies = {
  /** The proxy server for a browser context; started on first use, and shared by those who may reach the same. */
  proxyFor(use: ProxyUse): Promise<ForwardProxy>
  close(): Promise<void>
}

/**
 * Forward proxies on loopback, the only way from a browser to the network (SSRF protection): each checks every host
 * against the address rule, resolves it once and connects to the address it resolved. Ads and the browser's own
 * requests to its vendor are blocked here.
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
      return { server: address, forBrowsers, errorOf: (url) => errors.find(url) }
    },
    async close() {
      const servers = await Promise.all(proxies.all().flatMap(({ open }) => [...open.values()]))
      for (const { open } of proxies.all()) open.clear()
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

type Listening = { port: number; close(): Promise<void> }

/** One port for both kinds of clients: SOCKS begins with its version, and no method of HTTP with that byte. */
async function listen(upstream: Upstream): Promise<Listening> {
  const server = httpServer(upstream)
  const sockets = new Set<Socket>()
  const door = createDoor((socket) => {
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
  door.once('error', reject).listen(0, '127.0.0.1', resolve)
  await open
  return {
    port: (door.address() as AddressInfo).port,
    async close() {
      const { promise: closed, resolve: end } = Promise.withResolvers<void>()
      door.close(() => end())
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

/** The browser learns only that its proxy failed; the reason is kept here for a while. */
type ConnectErrors = {
  /** Returns the error of the last request for the URL, or else the last error of its host. */
  find(url: string): unknown
  forget(url: URL): void
  /** Records that the host is on a list of those that are not asked. */
  refuse(target: Target): void
  record(url: URL, error: unknown): void
  /** Records whether a host can be reached. A connection for another page of the host leaves errors of URLs as they are. */
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

type Upstream = {
  isBlocked(host: string): boolean
  connect(target: Target): Promise<Socket>
  /** The proxy that takes plain requests. */
  relay: UpstreamProxy | undefined
  errors: ConnectErrors
  /** Reuses plain HTTP connections to a host. */
  agent: Agent
}

type UpstreamOptions = Omit<ForwardProxyOptions, 'ruleOf'> & Omit<ProxyUse, 'teamId'> & { rule: AddressRule }

function createUpstream(options: UpstreamOptions, errors: ConnectErrors): Upstream {
  const { rule, adHosts, lookup, blockAds, proxy, connectTimeoutMs = 10_000 } = options
  const relay = relayOf(proxy, 'http:')
  const open = (target: Target, wants: 'tunnel' | 'relay') =>
    errors.track(target, openSocket(target, { rule, lookup, proxy, timeoutMs: connectTimeoutMs, wants }))
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  agent.createConnection = ({ host, port }, done) => {
    const target = { host: bareHost(host ?? ''), port: Number(port) }
    void connectFor(open(target, relay ? 'relay' : 'tunnel'), done)
    return undefined
  }
  return {
    isBlocked: (host) => browserMakerHosts.holds(host) || (blockAds && adHosts.holds(host)),
    connect: (target) => open(target, 'tunnel'),
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

/** HTTPS and WebSockets: a CONNECT tunnel that copies bytes. */
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

/** Whatever a browser asks for: a tunnel that copies bytes, without looking at them. */
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

/** Marks responses of the proxy itself in the Proxy-Status header (RFC 9209). */
export const proxyStatusName = 'gossamer'

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const perConnection = /^(?:connection|keep-alive|proxy-.*|te|trailer|upgrade)$/i

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
  const refused = (error: unknown) => {
    upstream.errors.record(url, error)
    failResponse(response)
  }
  const cancel = sendOn(request, options, {
    answered(answer) {
      if (upstream.relay && answer.statusCode === 407) return refused(proxyRefused())
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, forwardedHeaders(answer.rawHeaders))
      answer.on('error', () => response.destroy()).pipe(response)
    },
    failed: refused,
  })
  response.on('close', cancel)
}

function failResponse(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(502, { 'proxy-status': proxyStatusName }).end()
}

function forwardedHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !perConnection.test(name) ? [name, rawHeaders[at + 1] ?? ''] : [],
  )
}
