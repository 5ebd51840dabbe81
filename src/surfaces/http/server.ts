import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { failure, toAppError, toBody } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'

export type ListenOptions = {
  app: { fetch(request: Request): Response | Promise<Response> }
  host: string
  /** 0 picks a free one. */
  port: number
  log: Log
  /** Time a client has for its headers, ms. */
  headersTimeoutMs?: number
  /** Time a client has for the whole request, ms; the answer may take longer. */
  requestTimeoutMs?: number
  keepAliveTimeoutMs?: number
  maxHeaderBytes?: number
}

export type Listening = {
  url: string
  port: number
  /** For upgrades to other protocols. */
  server: Server
  /** Takes no more connections, lets running requests end for `graceMs`, then cuts the rest off. */
  close(graceMs: number): Promise<void>
}

/** Serves an app over HTTP. Fails with an Error that says what to do when the address cannot be had. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const server = createServer({ ...serverOptions(options), shouldUpgradeCallback: isForSockets }, listenerOf(options))
  const close = drainOf(server, options.log)
  await bind(server, options)
  server.on('error', (cause) => options.log.error('server error', { cause }))
  const { port } = server.address() as AddressInfo
  const url = `http://${dialable(options.host)}:${port}`
  options.log.info('listening', { url })
  return { url, port, server, close }
}

/** Some clients offer HTTP/2 in the Upgrade header of every request; theirs are ordinary requests. */
function isForSockets(this: Server, { headers }: IncomingMessage): boolean {
  return this.listenerCount('upgrade') > 0 && headers.upgrade?.toLowerCase() === 'websocket'
}

function serverOptions(options: ListenOptions) {
  const headersTimeout = options.headersTimeoutMs ?? 15_000
  return {
    headersTimeout,
    requestTimeout: Math.max(headersTimeout, options.requestTimeoutMs ?? 120_000),
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
    // Node looks for late clients only this often.
    connectionsCheckingInterval: Math.min(headersTimeout, 5_000),
  }
}

function listenerOf({ app, log }: ListenOptions) {
  return getRequestListener((request) => app.fetch(request), {
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
      return `the system said ${code ?? 'nothing'}.`
  }
}

/** An address to type: a server on every address is reached by the loopback one. */
function dialable(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function drainOf(server: Server, log: Log): (graceMs: number) => Promise<void> {
  // Upgraded sockets leave the server's own list, so closeAllConnections() would miss them.
  const sockets = new Set<Socket>()
  const running = new Set<ServerResponse>()
  server.on('connection', (socket) => track(sockets, socket))
  server.on('request', (_, response) => {
    track(running, response)
    if (!server.listening) response.setHeader('connection', 'close')
  })
  let closed: Promise<void> | undefined
  return (graceMs) => (closed ??= drain(server, { sockets, running, graceMs, log }))
}

function track<T extends { once(event: 'close', listener: () => void): unknown }>(set: Set<T>, item: T): void {
  set.add(item)
  item.once('close', () => set.delete(item))
}

type Draining = { sockets: ReadonlySet<Socket>; running: ReadonlySet<ServerResponse>; graceMs: number; log: Log }

async function drain(server: Server, { sockets, running, graceMs, log }: Draining): Promise<void> {
  log.info('draining', { running: running.size, graceMs })
  const ended = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  // A kept-alive connection would otherwise stay open after its last answer.
  for (const response of running) if (!response.headersSent) response.setHeader('connection', 'close')
  const cut = setTimeout(() => sockets.forEach((socket) => socket.destroy()), graceMs)
  await ended
  clearTimeout(cut)
  log.info('closed')
}
