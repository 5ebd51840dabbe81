import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import {
  type AuthInfo,
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  ProtocolErrorCode,
  type ServerEvent,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { jsonExcess } from '../../../util/json/amount.ts'
import type { ResourceEvent, ResourceEvents } from '../events.ts'
import type { Caller, McpOptions } from '../options.ts'
import { createMcpServers, type NewServer } from '../server.ts'
import { messageCheck } from './bounds.ts'
import { createRoundTrips } from './round-trips.ts'
import { wishReader } from './wishes.ts'

export type McpFetch = {
  /** Answers one request of any protocol era. Who may call, and how large a body may be, is decided before. */
  fetch(request: Request, caller: Caller): Promise<Response>
  sessionCount(): number
  /** Ends all streams and sessions. */
  close(): Promise<void>
}

/**
 * MCP on one address: requests of the era 2026-07-28 are each served by a server of their own and leave nothing
 * behind; older clients get a session, because their protocol cannot do without.
 */
export function createMcpFetch(options: McpOptions & Partial<SessionLimits>): McpFetch {
  const roundTrips = createRoundTrips()
  const newServer = createMcpServers({ ...options, roundTrips })
  const sessions = createSessions(newServer, {
    sessionTtlMs: options.sessionTtlMs ?? sessionDefaults.sessionTtlMs,
    maxSessions: options.maxSessions ?? sessionDefaults.maxSessions,
    now: options.now ?? sessionDefaults.now,
  })
  const check = messageCheck(options.tools)
  const wishesOf = wishReader(options)
  const streams = createStreams(options.resourceEvents ?? (() => () => {}))
  const modern = createMcpHandler(({ authInfo }) => newServer(authInfo?.extra?.['caller'] as Caller, 'nothing'), {
    legacy: 'reject',
    bus: streams.bus,
    onerror: (error) => options.log.debug('mcp_error', { error }),
  })
  return {
    fetch: async (request, caller) => {
      const wishes = wishesOf(request.headers)
      if ('fault' in wishes) return refusal(400, ProtocolErrorCode.InvalidRequest, `Invalid request: ${wishes.fault}`)
      const wishing = { ...caller, ...wishes }
      const authInfo = authInfoOf(wishing)
      if (request.method === 'POST' && !isJsonContentType(request.headers.get('content-type')))
        return modern.fetch(request, { authInfo })
      const body = request.method === 'POST' ? await parsed(request) : undefined
      if (body instanceof Response) return body
      const fault = (Array.isArray(body) ? body : [body]).map(check).find(Boolean)
      if (fault) return refusal(400, fault.code, fault.message, fault.id)
      const message = { authInfo, ...(body !== undefined && { parsedBody: body }) }
      if (!(await isLegacyRequest(request, body)))
        return streams.during(caller.team.id, () => modern.fetch(request, message))
      return inSession(sessions, request, wishing, message)
    },
    sessionCount: sessions.count,
    close: async () => {
      roundTrips.end()
      await Promise.all([modern.close(), sessions.close()])
    },
  }
}

type Message = { authInfo: AuthInfo; parsedBody?: unknown }

async function inSession(sessions: Sessions, request: Request, caller: Caller, message: Message): Promise<Response> {
  const id = request.headers.get('mcp-session-id')
  if (id === null && isInitializeRequest(message.parsedBody))
    return (await sessions.create(caller)).handleRequest(request, message)
  if (id === null) return refusal(400, -32_000, 'The Mcp-Session-Id header is missing; initialize first')
  const transport = sessions.find(id, caller.team.id)
  if (!transport) return refusal(404, -32_001, 'Session not found')
  const response = await transport.handleRequest(request, message)
  if (request.method === 'GET' && response.ok) sessions.hold(id, request.signal)
  const cancelled = cancelledId(message.parsedBody)
  if (cancelled !== undefined) transport.closeSSEStream(cancelled)
  return response
}

/** A cancelled call gets no answer, so its stream would stay open for as long as the session. */
function cancelledId(body: unknown): string | number | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { requestId?: string | number } }
  return method === 'notifications/cancelled' ? params?.requestId : undefined
}

/** The body is parsed once for all who look at it. An empty one is as wrong as one that is no JSON. */
async function parsed(request: Request): Promise<unknown> {
  const bytes = Buffer.from(await request.arrayBuffer())
  const excess = jsonExcess(bytes)
  if (excess !== undefined)
    return refusal(
      400,
      ProtocolErrorCode.InvalidRequest,
      `Invalid request: the JSON of the body is too much, ${excess}`,
    )
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return refusal(400, ProtocolErrorCode.ParseError, 'Parse error: the body is not JSON')
  }
}

/** The SDK hands this on to every handler, which is how a call learns its team. */
const authInfoOf = (caller: Caller): AuthInfo => ({
  token: '',
  clientId: caller.team.id,
  scopes: [],
  extra: { caller },
})

const refusal = (status: number, code: number, message: string, id: string | number | null = null): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status })

/**
 * The change events of a handler that all teams share. The SDK asks for them while it answers `subscriptions/listen`
 * and knows no teams, so that whose stream it is has to be known from around the request.
 */
function createStreams(events: ResourceEvents): {
  bus: ServerEventBus
  during<T>(teamId: string, answer: () => T): T
} {
  const asking = new AsyncLocalStorage<string>()
  return {
    bus: {
      publish: () => {},
      subscribe: (listener) => {
        const teamId = asking.getStore()
        return teamId === undefined ? () => {} : events(teamId, (event) => listener(toServerEvent(event)))
      },
    },
    during: (teamId, answer) => asking.run(teamId, answer),
  }
}

const toServerEvent = (event: ResourceEvent): ServerEvent =>
  event.kind === 'list' ? { kind: 'resources_list_changed' } : { kind: 'resource_updated', uri: event.uri }

type SessionLimits = {
  /** A session unused for this long is closed. */
  sessionTtlMs: number
  /** With more sessions than this, one of the team that has most is closed: the one unused for longest. */
  maxSessions: number
  now: () => number
}
const sessionDefaults: SessionLimits = { sessionTtlMs: 30 * 60_000, maxSessions: 500, now: Date.now }

type Session = {
  transport: WebStandardStreamableHTTPServerTransport
  teamId: string
  usedAt: number
  /** Streams that are open for the client to listen on; a session with one is in use. */
  streams: number
}
type Sessions = {
  /** The transport of a session of this team; undefined when there is none. */
  find(id: string, teamId: string): WebStandardStreamableHTTPServerTransport | undefined
  /** A transport for a client that is about to initialize. */
  create(caller: Caller): Promise<WebStandardStreamableHTTPServerTransport>
  /** Keeps a session in use until the signal fires. */
  hold(id: string, until: AbortSignal): void
  count(): number
  close(): Promise<void>
}

/** Sessions of clients that speak a protocol before 2026-07-28, bound to the team that opened them. */
function createSessions(newServer: NewServer, limits: SessionLimits): Sessions {
  const sessions = new Map<string, Session>()
  const isIdle = ({ streams, usedAt }: Session) => streams === 0 && usedAt + limits.sessionTtlMs <= limits.now()

  const dismiss = (id: string) => {
    const session = sessions.get(id)
    sessions.delete(id)
    return session?.transport.close()
  }
  /** There is no timer: idle sessions go when a new one comes, and the cap bounds them until then. */
  const makeRoom = () => {
    for (const [id, session] of sessions) if (isIdle(session)) void dismiss(id)
    if (sessions.size < limits.maxSessions) return
    const counts = Map.groupBy(sessions.values(), ({ teamId }) => teamId)
    const share = (session: Session) => counts.get(session.teamId)?.length ?? 0
    // The team with the most sessions makes room, so that none can push out another's.
    const order = (a: Session, b: Session) => share(b) - share(a) || a.streams - b.streams || a.usedAt - b.usedAt
    const [first] = [...sessions].sort(([, a], [, b]) => order(a, b))
    if (first) void dismiss(first[0])
  }
  return {
    find: (id, teamId) => {
      const session = sessions.get(id)
      if (!session || session.teamId !== teamId) return undefined
      if (isIdle(session)) return void dismiss(id)
      session.usedAt = limits.now()
      return session.transport
    },
    create: async (caller) => {
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => {
          makeRoom()
          sessions.set(id, { transport, teamId: caller.team.id, usedAt: limits.now(), streams: 0 })
        },
      })
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport knows no listeners
      transport.onclose = () => void sessions.delete(transport.sessionId ?? '')
      await newServer(caller, 'subscribed').connect(transport)
      return transport
    },
    hold: (id, until) => {
      const session = sessions.get(id)
      if (!session || until.aborted) return
      session.streams += 1
      until.addEventListener('abort', () => {
        session.streams -= 1
        session.usedAt = limits.now()
      })
    },
    count: () => sessions.size,
    close: async () => {
      await Promise.all([...sessions.keys()].map(dismiss))
    },
  }
}
