import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, LookupFunction, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AddressRule } from '../address/address.ts'
import { forEachRule, type RuleOf } from '../address/team-rules.ts'
import { bareHost, portOf } from '../address/host.ts'
import { toNetworkError } from '../http/network-error.ts'
import { browserMakerHosts, type HostList } from './block-list.ts'
import { openSocket, type Target } from './open-socket.ts'
import { sendOn } from './resend.ts'
import type { UpstreamProxy } from './upstream-proxy.ts'

export type ForwardProxyOptions = {
  ruleOf: RuleOf
  adHosts: HostList
  lookup?: LookupFunction | undefined
  connectTimeoutMs?: number
}

/** Whose browser it is, which decides what it may reach, and through which upstream proxy. */
export type ProxyUse = { teamId: string; blockAds: boolean; proxy?: UpstreamProxy | undefined }
export type ForwardProxy = {
  /** `127.0.0.1:port` */
  server: string
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
    return { rule, errors, open: new Map<string, Promise<Server>>() }
  })
  return {
    async proxyFor({ teamId, blockAds, proxy }) {
      const { rule, errors, open } = proxies.of(await options.ruleOf(teamId))
      const key = JSON.stringify({ blockAds, proxy })
      const server = open.get(key) ?? listen(createUpstream({ ...options, rule, blockAds, proxy }, errors))
      open.set(key, server)
      const { port } = (await server).address() as AddressInfo
      return { server: `127.0.0.1:${port}`, errorOf: (url) => errors.find(url) }
    },
    async close() {
      const servers = await Promise.all(proxies.all().flatMap(({ open }) => [...open.values()]))
      for (const { open } of proxies.all()) open.clear()
      await Promise.all(servers.map(end))
    },
  }
}

async function end(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  for (const socket of connectSockets.get(server) ?? []) socket.destroy()
  await promise
}

/** Sockets of CONNECT tunnels, which the server no longer tracks itself. */
const connectSockets = new WeakMap<Server, Set<Duplex>>()

async function listen(upstream: Upstream): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 30_000 })
  const sockets = new Set<Duplex>()
  connectSockets.set(server, sockets)
  server.once('close', () => upstream.agent.destroy())
  server.on('request', (request, response) => forward(upstream, request, response))
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    void openConnectTunnel(upstream, request.url ?? '', socket, head)
  })
  server.on('clientError', (_, socket) => socket.destroy())
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  server.once('error', reject)
  server.listen(0, '127.0.0.1', () => resolve(server))
  server.unref()
  return promise
}

/** The browser learns only that its proxy failed; the reason is kept here for a while. */
type ConnectErrors = {
  /** Returns the error of the last request for the URL, or else the last error of its host. */
  find(url: string): unknown
  forget(url: URL): void
  record(url: URL, error: unknown): void
  /** Records whether a host can be reached. A connection for another page of the host leaves errors of URLs as they are. */
  track(target: Target, opening: Promise<Socket>): Promise<Socket>
}

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
  connect(host: string, port: number): Promise<Socket>
  errors: ConnectErrors
  /** Reuses plain HTTP connections to a host. */
  agent: Agent
}

type UpstreamOptions = Omit<ForwardProxyOptions, 'ruleOf'> & Omit<ProxyUse, 'teamId'> & { rule: AddressRule }

function createUpstream(options: UpstreamOptions, errors: ConnectErrors): Upstream {
  const { rule, adHosts, lookup, blockAds, proxy, connectTimeoutMs = 10_000 } = options
  const open: Upstream['connect'] = (host, port) =>
    errors.track({ host, port }, openSocket({ host, port }, { rule, lookup, proxy, timeoutMs: connectTimeoutMs }))
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  agent.createConnection = ({ host, port }, done) => {
    void connectFor(open(bareHost(host ?? ''), Number(port)), done)
    return undefined
  }
  return {
    isBlocked: (host) => browserMakerHosts.holds(host) || (blockAds && adHosts.holds(host)),
    connect: open,
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
    const site = await upstream.connect(bareHost(url.hostname), Number(url.port || 443))
    if (client.destroyed) return void site.destroy()
    site.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.on('close', () => site.destroy())
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) site.write(head)
    client.pipe(site).pipe(client)
  } catch {
    rejectConnect(client, 502)
  }
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
  const options = {
    ...targetOf(url),
    agent: upstream.agent,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: forwardedHeaders(request.rawHeaders),
    setDefaultHeaders: false,
  }
  const cancel = sendOn(request, options, {
    answered(answer) {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, forwardedHeaders(answer.rawHeaders))
      answer.on('error', () => response.destroy()).pipe(response)
    },
    failed(error) {
      upstream.errors.record(url, error)
      failResponse(response)
    },
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
