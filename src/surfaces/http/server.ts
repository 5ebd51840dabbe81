import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { failure, toAppError, toBody } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { framingFault } from './guard.ts'
import { refuseSocket } from './responses.ts'

type ConnectionLimits = {
  /**
   * Maximum concurrent connections. If a client opens one more, the connection that has been idle longest is closed; if
   * all are waiting for responses, the new connection is refused.
   */
  maxConnections: number
  /** Requests of one connection that run concurrently, because a client may pipeline them. */
  maxPipelined: number
  /** A client that reads nothing of its response for this time is disconnected, ms. */
  unreadMs: number
}

const usualLimits: ConnectionLimits = { maxConnections: 4000, maxPipelined: 32, unreadMs: 60_000 }

type Connections = {
  readonly sockets: Iterable<Socket>
  readonly running: ReadonlySet<ServerResponse>
  watch(server: Server): void
  /** False for a request that must not be answered; its connection is closed. */
  admits(request: IncomingMessage, response: ServerResponse): boolean
  /** Excludes the connection of a request from these limits, since it changes to a protocol that has its own. */
  upgrades(request: IncomingMessage): void
}

type Connection = { running: Set<IncomingMessage>; isUpgraded: boolean }

/** Tracks the connections of one server and enforces their limits. */
function createConnections({ maxConnections, maxPipelined, unreadMs }: ConnectionLimits): Connections {
  /** In order of the last response, oldest first; a connection without a response counts by the time of connecting. */
  const open = new Map<Socket, Connection>()
  const running = new Set<ServerResponse>()

  function add(socket: Socket): void {
    if (open.size >= maxConnections && !closeLongestIdle()) return refuseSocket(socket, tooMany())
    open.set(socket, { running: new Set(), isUpgraded: false })
    socket.once('close', () => open.delete(socket))
  }

  function closeLongestIdle(): boolean {
    for (const [socket, each] of open)
      if (isIdle(each)) {
        open.delete(socket)
        socket.destroy()
        return true
      }
    return false
  }

  function done(request: IncomingMessage, response: ServerResponse): void {
    running.delete(response)
    const each = open.get(request.socket)
    if (!each?.running.delete(request) || each.running.size > 0) return
    open.delete(request.socket)
    open.set(request.socket, each)
  }

  return {
    sockets: { [Symbol.iterator]: () => open.keys() },
    running,
    watch: (server) => void server.on('connection', add),
    admits(request, response) {
      const { socket } = request
      const each = open.get(socket)
      if (!each || each.running.size >= maxPipelined) {
        socket.destroy()
        return false
      }
      each.running.add(request)
      running.add(response)
      response.once('close', () => done(request, response))
      response.setTimeout(unreadMs, () => {
        if (socket.writableLength > 0) socket.destroy()
      })
      return true
    },
    upgrades({ socket }) {
      const each = open.get(socket)
      if (each) each.isUpgraded = true
    },
  }
}

/** True if the connection has no request that has arrived completely: the server waits for the client. */
const isIdle = ({ running, isUpgraded }: Connection) => !isUpgraded && ![...running].some(({ complete }) => complete)

const tooMany = () => failure('QUEUE_FULL', { message: 'Too many connections are open.' })

export type ListenOptions = Partial<ConnectionLimits> & {
  app: { fetch(request: Request): Response | Promise<Response> }
  host: string
  /** 0 picks a free port. */
  port: number
  log: Log
  /** Time limit for the request headers, ms. */
  headersTimeoutMs?: number
  /** Time limit for the whole request, ms; the response may take longer. */
  requestTimeoutMs?: number
  keepAliveTimeoutMs?: number
  maxHeaderBytes?: number
}

export type Listening = {
  url: string
  port: number
  /** Node server, which receives upgrades to other protocols. */
  server: Server
  /** Accepts no more connections, lets running requests finish for `graceMs`, then closes the others. */
  close(graceMs: number): Promise<void>
}

/** Serves an app over HTTP. Fails with an Error that says what to do if the address is not available. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const connections = createConnections({ ...usualLimits, ...options })
  const answer = listenerOf(options)
  const server = createServer({ ...serverOptions(options), shouldUpgradeCallback }, (request, response) => {
    if (connections.admits(request, response)) void answer(request, response)
  })
  connections.watch(server)
  const close = drainOf(server, connections, options.log)

  function shouldUpgradeCallback(request: IncomingMessage): boolean {
    const isUpgraded = isForSockets(server, request)
    if (isUpgraded) connections.upgrades(request)
    return isUpgraded
  }
  await bind(server, options)
  server.on('error', (cause) => options.log.error('server error', { cause }))
  const { port } = server.address() as AddressInfo
  const url = `http://${dialable(options.host)}:${port}`
  options.log.info('listening', { url })
  return { url, port, server, close }
}

/** Some clients offer HTTP/2 in the Upgrade header of every request; these are ordinary requests. */
const isForSockets = (server: Server, { headers }: IncomingMessage) =>
  server.listenerCount('upgrade') > 0 && headers.upgrade?.toLowerCase() === 'websocket'

function serverOptions(options: ListenOptions) {
  const headersTimeout = options.headersTimeoutMs ?? 15_000
  return {
    headersTimeout,
    requestTimeout: Math.max(headersTimeout, options.requestTimeoutMs ?? 120_000),
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
    // Interval at which Node checks for timeouts.
    connectionsCheckingInterval: Math.min(headersTimeout, 5_000),
  }
}

function listenerOf({ app, log }: ListenOptions) {
  const answer = getRequestListener((request) => app.fetch(request), {
    overrideGlobalObjects: false,
    errorHandler: (thrown) => {
      const error =
        thrown instanceof RequestError
          ? failure('BAD_REQUEST', { message: 'The request line or the Host header is not valid.' })
          : toAppError(thrown)
      if (error.status >= 500) log.error('request failed', { code: error.code, details: error.details, cause: thrown })
      return Response.json(toBody(error), { status: error.status })
    },
  })
  return (request: IncomingMessage, response: ServerResponse) => {
    const fault = framingFault(request)
    return fault === undefined ? answer(request, response) : refuseFraming(response, fault)
  }
}

/** Closes the connection too, because the start of the next request is unknown. */
function refuseFraming(response: ServerResponse, message: string): void {
  const error = failure('BAD_REQUEST', { message })
  response.writeHead(error.status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify(toBody(error)))
}

function bind(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new Error(`Cannot listen on ${host} port ${port}: ${adviceFor(cause.code, port)}`, { cause }))
    })
    server.listen(port, host, resolve)
  })
}

function adviceFor(code: string | undefined, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `another program has the port. Stop it (lsof -i :${port} names it) or choose another port.`
    case 'EACCES':
      return 'this port needs more rights. Choose a port above 1023.'
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address. Choose 127.0.0.1, or 0.0.0.0 for all addresses.'
    case 'ENOTFOUND':
      return 'the host name is not known. Choose 127.0.0.1, or 0.0.0.0 for all addresses.'
    default:
      return `the system reported ${code ?? 'nothing'}.`
  }
}

/** Host for the URL of the server: the loopback address if it listens on all addresses. */
function dialable(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function drainOf(server: Server, connections: Connections, log: Log): (graceMs: number) => Promise<void> {
  server.on('request', (_, response) => {
    if (!server.listening && !response.headersSent) response.setHeader('connection', 'close')
  })
  let closed: Promise<void> | undefined
  return (graceMs) => (closed ??= drain(server, { connections, graceMs, log }))
}

type Draining = { connections: Connections; graceMs: number; log: Log }

async function drain(server: Server, { connections: { sockets, running }, graceMs, log }: Draining): Promise<void> {
  log.info('draining', { running: running.size, graceMs })
  const ended = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  // A kept-alive connection would otherwise stay open after its last response.
  for (const response of running) if (!response.headersSent) response.setHeader('connection', 'close')
  // Upgraded sockets leave the server's own list, so closeAllConnections() would miss them.
  const cut = setTimeout(() => [...sockets].forEach((socket) => socket.destroy()), graceMs)
  await ended
  clearTimeout(cut)
  log.info('closed')
}
