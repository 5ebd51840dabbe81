import { Agent, createServer, type IncomingMessage, request as send, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, LookupFunction, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AddressRule } from '../address/address.ts'
import { bareHost, portOf } from '../address/host.ts'
import { networkFailure } from '../http/failures.ts'
import { browserMakerHosts, type HostList } from './block-list.ts'
import { dial, type Place } from './dial.ts'
import type { ProxyAddress } from './proxy-address.ts'

export type EgressOptions = {
  rule: AddressRule
  adHosts: HostList
  lookup?: LookupFunction | undefined
  connectTimeoutMs?: number
}

/** One way out of the browser. */
export type Exit = { blockAds: boolean; proxy?: ProxyAddress | undefined }
export type Egress = {
  /** The proxy server for a browser context, `127.0.0.1:port`; it is opened when it is first asked for. */
  addressOf(exit: Exit): Promise<string>
  /** Why the host of an address was last not reached; undefined when it was. */
  faultOf(url: string): unknown
  close(): Promise<void>
}

/**
 * The only way from a browser to the network: proxies on loopback that judge every host by the address rule, resolve
 * it once and connect to what they resolved. Advertising and the browser's own calls home end here.
 */
export function createEgress(options: EgressOptions): Egress {
  const open = new Map<string, Promise<Server>>()
  const faults = createFaults()
  return {
    faultOf: (url) => faults.of(url),
    async addressOf(exit) {
      const key = JSON.stringify(exit)
      const server = open.get(key) ?? listen(wayOut(options, exit, faults))
      open.set(key, server)
      return `127.0.0.1:${((await server).address() as AddressInfo).port}`
    },
    async close() {
      const servers = await Promise.all(open.values())
      open.clear()
      await Promise.all(servers.map(end))
    },
  }
}

async function end(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  for (const socket of tunnels.get(server) ?? []) socket.destroy()
  await promise
}

/** Sockets handed over by CONNECT are no longer the server's own. */
const tunnels = new WeakMap<Server, Set<Duplex>>()

async function listen(way: Way): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 30_000 })
  const sockets = new Set<Duplex>()
  tunnels.set(server, sockets)
  server.once('close', () => way.agent.destroy())
  server.on('request', (request, response) => forward(way, request, response))
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    void tunnel(way, request.url ?? '', socket, head)
  })
  server.on('clientError', (_, socket) => socket.destroy())
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  server.once('error', reject)
  server.listen(0, '127.0.0.1', () => resolve(server))
  server.unref()
  return promise
}

/** A browser sees only that its proxy failed; why is kept here for a while. */
type Faults = {
  of(url: string): unknown
  note(place: Place, error: unknown): void
  noted(place: Place, dialling: Promise<Socket>): Promise<Socket>
}

const keyOf = ({ host, port }: Place) => `${host}:${port}`

function createFaults(maxPlaces = 500): Faults {
  const byPlace = new Map<string, unknown>()
  const note: Faults['note'] = (place, error) => {
    if (byPlace.size >= maxPlaces) byPlace.delete(byPlace.keys().next().value ?? '')
    byPlace.set(keyOf(place), networkFailure(error))
  }
  return {
    of(url) {
      const parsed = URL.parse(url)
      return parsed && byPlace.get(keyOf({ host: bareHost(parsed.hostname), port: portOf(parsed) }))
    },
    note,
    async noted(place, dialling) {
      byPlace.delete(keyOf(place))
      try {
        return await dialling
      } catch (error) {
        note(place, error)
        throw error
      }
    },
  }
}

type Way = {
  isBlocked(host: string): boolean
  open(host: string, port: number): Promise<Socket>
  /** What went wrong at a place that was reached. */
  note(place: Place, error: unknown): void
  /** Keeps connections of plain HTTP for the next request to the same host. */
  agent: Agent
}

function wayOut(options: EgressOptions, { blockAds, proxy }: Exit, faults: Faults): Way {
  const { rule, adHosts, lookup, connectTimeoutMs = 10_000 } = options
  const open: Way['open'] = (host, port) =>
    faults.noted({ host, port }, dial({ host, port }, { rule, lookup, proxy, timeoutMs: connectTimeoutMs }))
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  agent.createConnection = ({ host, port }, done) => {
    void connectFor(open(bareHost(host ?? ''), Number(port)), done)
    return undefined
  }
  return {
    isBlocked: (host) => browserMakerHosts.holds(host) || (blockAds && adHosts.holds(host)),
    open,
    note: faults.note,
    agent,
  }
}

type Done = NonNullable<Parameters<Agent['createConnection']>[1]>

async function connectFor(opening: Promise<Socket>, done: Done | undefined): Promise<void> {
  try {
    done?.(null, await opening)
  } catch (error) {
    done?.(error as Error, undefined as never)
  }
}

/** HTTPS and WebSockets: bytes go through as they are. */
async function tunnel(way: Way, target: string, client: Duplex, head: Buffer): Promise<void> {
  client.on('error', () => client.destroy())
  const url = URL.parse(`tunnel://${target}`)
  if (!url?.hostname || way.isBlocked(bareHost(url.hostname))) return refuse(client, 403)
  try {
    const site = await way.open(bareHost(url.hostname), Number(url.port || 443))
    if (client.destroyed) return void site.destroy()
    site.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.on('close', () => site.destroy())
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) site.write(head)
    client.pipe(site).pipe(client)
  } catch {
    refuse(client, 502)
  }
}

function refuse(client: Duplex, status: 403 | 502): void {
  client.end(
    `HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Bad Gateway'}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  )
}

/** Tells an answer of the proxy from one that the site has sent (RFC 9209). */
export const ownAnswer = 'gossamer'

/** Headers that belong to one connection (RFC 9110 7.6.1) and end here. */
const perConnection = /^(?:connection|keep-alive|proxy-.*|te|trailer|upgrade)$/i

function forward(way: Way, request: IncomingMessage, response: ServerResponse): void {
  const url = URL.parse(request.url ?? '')
  if (url?.protocol !== 'http:' || way.isBlocked(bareHost(url.hostname)))
    return void response.writeHead(403, { 'proxy-status': ownAnswer }).end()
  response.on('error', () => {})
  const sent = send({
    agent: way.agent,
    host: bareHost(url.hostname),
    port: portOf(url),
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: kept(request.rawHeaders),
    setDefaultHeaders: false,
  })
  response.on('close', () => sent.destroy())
  sent.on('error', (error) => {
    way.note({ host: bareHost(url.hostname), port: portOf(url) }, error)
    fault(response)
  })
  sent.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, kept(answer.rawHeaders))
    answer.on('error', () => response.destroy()).pipe(response)
  })
  request.pipe(sent)
}

function fault(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(502, { 'proxy-status': ownAnswer }).end()
}

function kept(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !perConnection.test(name) ? [name, rawHeaders[at + 1] ?? ''] : [],
  )
}
