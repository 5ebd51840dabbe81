import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Upgraded } from '../../kernel/forwarding.ts'
import { type AppError, fail, toAppError } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { leavesShare } from '../../util/semaphore.ts'
import { once } from '../../util/async.ts'
import { type GuardRules, hostAdmission, originAdmission, framingFault } from '../http/guard.ts'
import { loggedPath, refuseSocket } from '../http/responses.ts'

/** Takes over a socket; an error ends the socket. */
export type Accept = (socket: WebSocket) => void | Promise<void>
/**
 * An accepted request; `teamId` is the team whose share of the sockets it uses. `headers` are lines of the response;
 * `there` is the connection to another server that has accepted the request.
 */
export type Admission = { teamId: string } & ({ accept: Accept; headers?: readonly string[] } | { there: Upgraded })
export type SocketLimits = {
  /** Maximum message size of a client; a larger one ends its socket. */
  maxMessageBytes: number
  /** Maximum successive unanswered pings. */
  maxMissedPings: number
}
export type UpgradeRoute = {
  /** Undefined if another route handles the request. An error is the response. */
  match(request: Request): Admission | undefined | Promise<Admission | undefined>
  /** True if the requesting page may open these sockets; by default the guard's origins decide. */
  admitsOrigin?(request: Request): boolean
  limits?: SocketLimits
}

export type UpgradeOptions = GuardRules & {
  routes: readonly UpgradeRoute[]
  log: Log
  maxSockets?: number
  /** Ping interval, ms. */
  pingMs?: number
}
export type Upgrades = {
  /** Accepts no more sockets and closes the open ones. */
  close(): Promise<void>
}

const usualLimits: SocketLimits = { maxMessageBytes: 1_000_000, maxMissedPings: 1 }

/** Answers WebSocket requests of a server: the same guard as for HTTP, then the first route that matches the path. */
export function acceptUpgrades(server: Server, options: UpgradeOptions): Upgrades {
  const admitsHost = hostAdmission(options)
  const sockets = once(() => openSockets(options))
  const owners = new Map<WebSocket | Duplex, string>()
  const begin = async (incoming: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const request = requestOf(incoming)
    if (!admitsHost(request)) fail('ORIGIN_REFUSED')
    const admission = await admissionOf(options, request)
    const { teamId } = admission
    const accepting = (await sockets()).within(admission.limits)
    if (!leavesShare(teamId, [...owners.values()], options.maxSockets ?? 1000)) {
      if ('there' in admission) admission.there.end()
      fail('QUEUE_FULL', tooMany)
    }
    const own = (socket: WebSocket | Duplex) => {
      owners.set(socket, teamId)
      socket.once('close', () => owners.delete(socket))
    }
    if ('there' in admission) {
      // The client may have left meanwhile.
      if (duplex.destroyed) return admission.there.end()
      own(duplex)
      return admission.there.join(duplex, head)
    }
    const { accept, headers = [] } = admission
    responseHeaders.set(incoming, headers)
    accepting.handleUpgrade(incoming, duplex, head, (socket) => {
      own(socket)
      void serve(socket, accept, request, options.log)
    })
  }
  server.on('upgrade', (incoming: IncomingMessage, duplex: Duplex, head: Buffer) => {
    // Node leaves errors of an upgraded connection to its new owner.
    duplex.on('error', () => duplex.destroy())
    begin(incoming, duplex, head).catch((thrown: unknown) => refuse(duplex, toAppError(thrown), options.log))
  })
  return { close: () => sockets.close(async (all) => all.close()) }
}

const tooMany = {
  message: 'Too many sockets are open.',
  hint: 'Close those that are not needed, or try again later; some are reserved for other teams.',
}

/** Header lines for the responses to upgrades that are being accepted. */
const responseHeaders = new WeakMap<IncomingMessage, readonly string[]>()

type Sockets = { within(limits: SocketLimits): WebSocketServer; close(): void }

/** Creates a WebSocketServer for each set of limits. */
async function openSockets({ pingMs, routes }: UpgradeOptions): Promise<Sockets> {
  const ws = await import('ws')
  const open = ({ maxMessageBytes, maxMissedPings }: SocketLimits) => {
    const limits = { maxPayload: maxMessageBytes, perMessageDeflate: false, autoPong: false }
    const sockets = new ws.WebSocketServer({ noServer: true, ...limits })
    sockets.on('headers', (lines, incoming) => lines.push(...(responseHeaders.get(incoming) ?? [])))
    keepAlive(sockets, { everyMs: pingMs ?? 30_000, maxMissed: maxMissedPings })
    return sockets
  }
  const kinds = new Map(routes.map(limitsOf).map((limits) => [limits, open(limits)]))
  return {
    within: (limits) => kinds.get(limits)!,
    close: () => kinds.forEach(closeAll),
  }
}

const limitsOf = ({ limits }: UpgradeRoute): SocketLimits => limits ?? usualLimits

function closeAll(sockets: WebSocketServer): void {
  sockets.close()
  for (const socket of sockets.clients) socket.close(1001)
}

/** Fails alike for all paths if the page that asks is refused, so that it does not learn which routes exist. */
async function admissionOf(options: UpgradeOptions, request: Request): Promise<Admission & { limits: SocketLimits }> {
  const isListed = originAdmission(options)
  const open = options.routes.filter(({ admitsOrigin = isListed }) => admitsOrigin(request))
  for (const route of open) {
    const admission = await route.match(request)
    if (admission) return { ...admission, limits: limitsOf(route) }
  }
  return fail(open.length < options.routes.length ? 'ORIGIN_REFUSED' : 'NOT_FOUND')
}

async function serve(socket: WebSocket, accept: Accept, request: Request, log: Log): Promise<void> {
  const path = loggedPath(new URL(request.url).pathname)
  const start = performance.now()
  // A message breaks the protocol or is too long. The socket closes by itself.
  socket.on('error', (cause) => log.debug('socket fault', { path, cause }))
  answerPings(socket)
  socket.once('close', (code) => log.info('socket', { path, code, ms: Math.round(performance.now() - start) }))
  try {
    await accept(socket)
  } catch (cause) {
    if (socket.readyState !== socket.OPEN) return
    log.error('socket failed', { path, cause })
    socket.close(1011)
  }
}

/**
 * Sends one pong at a time, to the newest ping (RFC 6455, section 5.5.3): otherwise pongs to a client that never reads
 * would accumulate in memory.
 */
function answerPings(socket: WebSocket): void {
  let isSending = false
  let newest: Buffer | undefined
  function answer(): void {
    if (isSending || newest === undefined) return
    const data = newest
    newest = undefined
    isSending = true
    socket.pong(data, false, () => {
      isSending = false
      answer()
    })
  }
  socket.on('ping', (data: Buffer) => {
    newest = data
    answer()
  })
}

/** Converts Node's request to the form of the guard and the routes. Fails with BAD_REQUEST. */
function requestOf(incoming: IncomingMessage): Request {
  const { url = '', headersDistinct: sent } = incoming
  const fault = framingFault(incoming)
  if (fault !== undefined) fail('BAD_REQUEST', { message: fault })
  const target = URL.parse(url.startsWith('/') ? `http://${sent['host']?.[0]}${url}` : url)
  if (sent['host'] === undefined || target === null || target.username !== '' || target.password !== '')
    fail('BAD_REQUEST', { message: 'The request line or the Host header is not valid.' })
  const pairs = Object.entries(sent).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Request(target, { headers: pairs })
}

/** Sends the error as the plain HTTP response that it would be without the upgrade. */
function refuse(duplex: Duplex, error: AppError, log: Log): void {
  if (error.status >= 500) log.error('upgrade failed', { code: error.code, details: error.details, cause: error.cause })
  refuseSocket(duplex, error)
}

export type Heartbeat = {
  /** Ping interval, ms. */
  everyMs: number
  /** Number of successive unanswered pings after which a peer is disconnected. */
  maxMissed: number
}

/** Pings every socket until the server closes, and disconnects those that do not answer. */
function keepAlive(sockets: WebSocketServer, { everyMs, maxMissed }: Heartbeat): void {
  const missed = new WeakMap<WebSocket, number>()
  const round = setInterval(() => {
    for (const socket of sockets.clients) {
      // A ping would wait behind data being sent, which has its own limit.
      if (socket.bufferedAmount > 0) continue
      const before = missed.get(socket)
      if (before === undefined) socket.on('pong', () => missed.set(socket, 0))
      if ((before ?? 0) >= maxMissed) socket.terminate()
      missed.set(socket, (before ?? 0) + 1)
      socket.ping()
    }
  }, everyMs)
  round.unref()
  sockets.once('close', () => clearInterval(round))
}
