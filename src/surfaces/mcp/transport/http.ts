import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type AuthInfo,
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  ProtocolErrorCode,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import type { ResourceEvent, ResourceEvents } from '../events.ts'
import type { Guest, McpOptions } from '../options.ts'
import { createMcpServers } from '../server.ts'
import { createRounds } from './rounds.ts'
import { createSessions, sessionDefaults, type SessionLimits, type Sessions } from './sessions.ts'

export type McpFetch = {
  /** Answers one request of any protocol era. Who may call, and how large a body may be, is decided before. */
  fetch(request: Request, guest: Guest): Promise<Response>
  sessionCount(): number
  /** Ends all streams and sessions. */
  close(): Promise<void>
}

/**
 * MCP on one address: requests of the era 2026-07-28 are each served by a server of their own and leave nothing
 * behind; older clients get a session, because their protocol cannot do without.
 */
export function createMcpFetch(options: McpOptions & Partial<SessionLimits>): McpFetch {
  const rounds = createRounds()
  const newServer = createMcpServers({ ...options, rounds })
  const sessions = createSessions(newServer, {
    sessionTtlMs: options.sessionTtlMs ?? sessionDefaults.sessionTtlMs,
    maxSessions: options.maxSessions ?? sessionDefaults.maxSessions,
    now: options.now ?? sessionDefaults.now,
  })
  const streams = createStreams(options.resourceEvents ?? (() => () => {}))
  const modern = createMcpHandler(({ authInfo }) => newServer(authInfo?.extra?.['guest'] as Guest, 'nothing'), {
    legacy: 'reject',
    bus: streams.bus,
    onerror: (error) => options.log.debug('mcp_error', { error }),
  })
  return {
    fetch: async (request, guest) => {
      const authInfo = carrying(guest)
      if (request.method === 'POST' && !isJsonContentType(request.headers.get('content-type')))
        return modern.fetch(request, { authInfo })
      const body = request.method === 'POST' ? await parsed(request) : undefined
      if (body instanceof Response) return body
      const message = { authInfo, ...(body !== undefined && { parsedBody: body }) }
      if (!(await isLegacyRequest(request, body)))
        return streams.during(guest.team.id, () => modern.fetch(request, message))
      return inSession(sessions, request, guest, message)
    },
    sessionCount: sessions.count,
    close: async () => {
      rounds.end()
      await Promise.all([modern.close(), sessions.close()])
    },
  }
}

type Message = { authInfo: AuthInfo; parsedBody?: unknown }

async function inSession(sessions: Sessions, request: Request, guest: Guest, message: Message): Promise<Response> {
  const id = request.headers.get('mcp-session-id')
  if (id === null && isInitializeRequest(message.parsedBody))
    return (await sessions.create(guest)).handleRequest(request, message)
  if (id === null) return refusal(400, -32_000, 'The Mcp-Session-Id header is missing; initialize first')
  const transport = sessions.find(id, guest.team.id)
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
  try {
    return JSON.parse(await request.text())
  } catch {
    return refusal(400, ProtocolErrorCode.ParseError, 'Parse error: the body is not JSON')
  }
}

/** The SDK hands this on to every handler, which is how a call learns its team. */
const carrying = (guest: Guest): AuthInfo => ({ token: '', clientId: guest.team.id, scopes: [], extra: { guest } })

const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })

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
