import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { type AppError, fail, toAppError } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { leavesShare } from '../../util/semaphore.ts'
import { once } from '../../util/async.ts'
import { type GuardRules, hostAdmission, originAdmission, framingFault } from '../http/guard.ts'
import { loggedPath } from '../http/observe-requests.ts'
import { refuseSocket } from '../http/refusal.ts'

/** Takes a socket over; whatever it throws ends the socket. */
export type Accept = (socket: WebSocket) => void | Promise<void>
/** Teams share how many sockets there may be. */
export type Admission = { teamId: string; accept: Accept }
export type SocketLimits = {
  /** Largest message a client may send; a larger one ends its socket. */
  maxMessageBytes: number
  /** Pings that it may leave unanswered in a row. */
  maxMissedPings: number
}
export type UpgradeRoute = {
  /** Undefined for a request that is another route's. What it throws is the answer. */
  match(request: Request): Admission | undefined | Promise<Admission | undefined>
  /** Whether the page that asks may open these sockets; by default the origins of the guard decide. */
  admitsOrigin?(request: Request): boolean
  limits?: SocketLimits
}

export type UpgradeOptions = GuardRules & {
  routes: readonly UpgradeRoute[]
  log: Log
  maxSockets?: number
  /** How often a peer must show that it is there, ms. */
  pingMs?: number
}
export type Upgrades = {
  /** Takes no more sockets and tells those there are that the server goes away. */
  close(): Promise<void>
}

const usualLimits: SocketLimits = { maxMessageBytes: 1_000_000, maxMissedPings: 1 }

/** Answers WebSocket requests of a server: the same guard as for HTTP, then the first route that knows the path. */
export function acceptUpgrades(server: Server, options: UpgradeOptions): Upgrades {
  const admitsHost = hostAdmission(options)
  const sockets = once(() => openSockets(options))
  const owners = new Map<WebSocket, string>()
  const begin = async (incoming: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const request = requestOf(incoming)
    if (!admitsHost(request)) fail('ORIGIN_REFUSED')
    const { teamId, accept, limits } = await admissionOf(options, request)
    const accepting = (await sockets()).within(limits)
    if (!leavesShare(teamId, [...owners.values()], options.maxSockets ?? 1000)) fail('QUEUE_FULL', tooMany)
    accepting.handleUpgrade(incoming, duplex, head, (socket) => {
      owners.set(socket, teamId)
      socket.once('close', () => owners.delete(socket))
      void serve(socket, accept, request, options.log)
    })
  }
  server.on('upgrade', (incoming: IncomingMessage, duplex: Duplex, head: Buffer) => {
    // Node leaves an upgraded connection to us, its faults included.
    duplex.on('error', () => duplex.destroy())
    begin(incoming, duplex, head).catch((thrown: unknown) => refuse(duplex, toAppError(thrown), options.log))
  })
  return { close: () => sockets.close(async (all) => all.close()) }
}

const tooMany = {
  message: 'Too many sockets are open.',
  hint: 'Close those that are not needed, or ask again in a while; a share of them is kept for other teams.',
}

type Sockets = { within(limits: SocketLimits): WebSocketServer; close(): void }

/** Limits are those of a server, so that each kind has its own. */
async function openSockets({ pingMs, routes }: UpgradeOptions): Promise<Sockets> {
  const ws = await import('ws')
  const open = ({ maxMessageBytes, maxMissedPings }: SocketLimits) => {
    const limits = { maxPayload: maxMessageBytes, perMessageDeflate: false, autoPong: false }
    const sockets = new ws.WebSocketServer({ noServer: true, ...limits })
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

/** A page of a foreign origin learns of no route whether there is one. */
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
  // A message that breaks the protocol or is too long; the socket closes itself.
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

/** One answer at a time, to the newest ping (RFC 6455, section 5.5.3): answers to who pings and never reads would pile up. */
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

/** What Node read, as the guard and the routes know requests. Fails with BAD_REQUEST. */
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

/** The refusal as the plain HTTP answer it would be without the upgrade. */
function refuse(duplex: Duplex, error: AppError, log: Log): void {
  if (error.status >= 500) log.error('upgrade failed', { code: error.code, details: error.details, cause: error.cause })
  refuseSocket(duplex, error)
}

export type Heartbeat = {
  /** How often a peer is asked to show that it is there, ms. */
  everyMs: number
  /** One that has left so many in a row unanswered is cut off. */
  maxMissed: number
}

/** Pings every socket until the server closes, and cuts off those that do not answer. */
function keepAlive(sockets: WebSocketServer, { everyMs, maxMissed }: Heartbeat): void {
  const missed = new WeakMap<WebSocket, number>()
  const round = setInterval(() => {
    for (const socket of sockets.clients) {
      // A ping waits behind what is being sent; that has a limit of its own.
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

type NodeCalls = {
  path: string
  maxMessageBytes: number
  /** Whether an Authorization header shows a server of the same database; undefined where none is expected: then there is no such path. */
  admits(authorization: string | null): boolean | undefined
  take(socket: WebSocket): void
}

/** Where the other servers on the database open their channels. Callers have nothing to look for here. */
export const nodeRoute = ({ path, maxMessageBytes, admits, take }: NodeCalls): UpgradeRoute => ({
  // No page sends what an Authorization header must hold here.
  admitsOrigin: ({ headers }) => headers.get('origin') === null,
  limits: { maxMessageBytes, maxMissedPings: 2 },
  match({ url, headers }) {
    const isOurs = new URL(url).pathname === path
    const isAdmitted = isOurs ? admits(headers.get('authorization')) : undefined
    if (isAdmitted === undefined) return undefined
    if (!isAdmitted) fail('UNAUTHORIZED')
    return { teamId: 'the servers of this database', accept: take }
  },
})
