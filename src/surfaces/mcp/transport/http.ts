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
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { jsonExcess } from '../../../util/json.ts'
import type { Elsewhere } from '../../../kernel/forwarding.ts'
import type { ResourceEvent, ResourceEvents } from '../resources.ts'
import type { Caller, McpOptions } from '../server-options.ts'
import { createMcpServers, messageCheck, type NewServer } from '../server.ts'
import { createRoundTrips } from './client-channel.ts'
import { randomUUID } from 'node:crypto'
import { toAppError } from '../../../kernel/error.ts'
import type { KeyLimits } from '../../../contracts/account-ports.ts'
import { isForModels, operationsOf, type Tool } from '../../../kernel/tool.ts'
import { chosenTools } from '../../../kernel/offer.ts'
import { type SchemaForm, schemaForms } from '../tool-schema.ts'

/**
 * Preferences that a client can send in headers, and the tools also in the URL (`/mcp?tools=read`). Older clients send
 * them when they open their session.
 */
type SessionPreferences = Pick<Caller, 'tools' | 'schemas'>

const toolsHeader = 'x-gossamer-tools'
const schemasHeader = 'x-gossamer-schemas'

/** Reads the preferences; for an invalid one, returns its fault. */
function preferenceReader({
  tools,
  only,
  sets,
}: McpOptions): (request: Request, caller: Caller) => SessionPreferences | { fault: string } {
  const all = only ?? tools.filter(isForModels).map(({ name }) => name)
  return ({ headers, url }, { team }) => {
    const offered = all.filter((name) => tools.some((tool) => tool.name === name && isAllowed(tool, team.limits)))
    try {
      const schemas = headers.get(schemasHeader)?.trim().toLowerCase()
      if (schemas !== undefined && !isForm(schemas))
        return { fault: `the header ${schemasHeader}: Expected ${schemaForms.join(' or ')}` }
      const choice = headers.get(toolsHeader) ?? new URL(url).searchParams.get('tools') ?? ''
      return {
        tools: chosenTools(choice || (team.limits && !only ? 'all' : ''), offered, sets) ?? (team.limits && offered),
        ...(schemas && { schemas }),
      }
    } catch (thrown) {
      return { fault: `${toolsHeader} or tools in the URL: ${toAppError(thrown).message}` }
    }
  }
}

/** True if a key with these limits may use the tool. */
const isAllowed = (tool: Tool, { readOnly, operations }: KeyLimits = {}) =>
  (!readOnly || tool.effect === 'read') &&
  (!operations || operationsOf(tool).some(({ name }) => operations.includes(name)))

const isForm = (word: string): word is SchemaForm => schemaForms.some((form) => form === word)

/**
 * Sessions, and calls that wait for a person, stay on the server that started them. Their ids name it, so any server
 * can forward.
 */
type McpElsewhere = Pick<Elsewhere, 'isElsewhere' | 'forward'> & {
  /** Creates an id for a session or call of this server. */
  newId(): string
}

/** Used if there are no other servers. */
const alone: McpElsewhere = {
  newId: randomUUID,
  isElsewhere: () => false,
  forward: async () => undefined,
}

export type McpFetch = {
  /** Answers one request of any protocol version, whose authorization and body size have been checked. */
  fetch(request: Request, caller: Caller): Promise<Response>
  sessionCount(): number
  /** Ends all streams and sessions. */
  close(): Promise<void>
}

export type McpFetchOptions = McpOptions & Partial<SessionLimits> & { elsewhere?: McpElsewhere | undefined }

const sessionDefaults: SessionLimits = { sessionTtlMs: 30 * 60_000, maxSessions: 500, now: Date.now }

/**
 * Serves all protocol versions of MCP at one address. Each request of version 2026-07-28 has its own server, without
 * state; older clients get a session, which their protocol requires.
 */
export function createMcpFetch(options: McpFetchOptions): McpFetch {
  const { elsewhere = alone } = options
  const roundTrips = createRoundTrips(elsewhere.newId)
  const newServer = createMcpServers({ ...options, roundTrips })
  const sessions = createSessions(newServer, {
    sessionTtlMs: options.sessionTtlMs ?? sessionDefaults.sessionTtlMs,
    maxSessions: options.maxSessions ?? sessionDefaults.maxSessions,
    now: options.now ?? sessionDefaults.now,
    newId: elsewhere.newId,
  })
  const check = messageCheck(options.tools)
  const readPreferences = preferenceReader(options)
  const streams = createStreams(options.resourceEvents ?? (() => () => {}))
  const modern = createMcpHandler(({ authInfo }) => newServer(authInfo?.extra?.['caller'] as Caller, 'nothing'), {
    legacy: 'reject',
    bus: streams.bus,
    onerror: (error) => options.log.debug('mcp_error', { error }),
  })
  return {
    fetch: async (request, caller) => {
      const sessionId = request.headers.get('mcp-session-id')
      if (sessionId !== null && elsewhere.isElsewhere(sessionId))
        return (await passOn(elsewhere, sessionId, { request, body: await bytesOf(request) }, caller)) ?? noSession()
      const preferences = readPreferences(request, caller)
      if ('fault' in preferences)
        return refusal(400, ProtocolErrorCode.InvalidRequest, `Invalid request: ${preferences.fault}`)
      const client = { ...caller, ...preferences }
      const authInfo = authInfoOf(client)
      if (request.method === 'POST' && !isJsonContentType(request.headers.get('content-type')))
        return modern.fetch(request, { authInfo })
      const body = request.method === 'POST' ? await parsed(request) : undefined
      if (body instanceof Response) return body
      const fault = (Array.isArray(body) ? body : [body]).map(check).find(Boolean)
      if (fault) return refusal(400, fault.code, fault.message, fault.id)
      const message = { authInfo, ...(body !== undefined && { parsedBody: body }) }
      if (!(await isLegacyRequest(request, body))) {
        const there = await continuedElsewhere(elsewhere, request, body, caller)
        return there ?? streams.during(caller.team.id, () => modern.fetch(request, message))
      }
      return inSession(sessions, request, client, message)
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
  if (!transport) return noSession()
  const response = await transport.handleRequest(request, message)
  if (request.method === 'GET' && response.ok) sessions.hold(id, request.signal)
  const cancelled = cancelledId(message.parsedBody)
  if (cancelled !== undefined) transport.closeSSEStream(cancelled)
  return response
}

type SessionLimits = {
  /** A session unused for this time is closed. */
  sessionTtlMs: number
  /** Beyond this number, the least recently used session of the team with the most sessions is closed. */
  maxSessions: number
  now: () => number
}

type Session = {
  transport: WebStandardStreamableHTTPServerTransport
  teamId: string
  usedAt: number
  /** Open streams on which the client listens; a session with one is in use. */
  streams: number
}
type Sessions = {
  /** The transport of a session of this team; undefined if there is none. */
  find(id: string, teamId: string): WebStandardStreamableHTTPServerTransport | undefined
  /** A transport for a client that is about to initialize. */
  create(caller: Caller): Promise<WebStandardStreamableHTTPServerTransport>
  /** Keeps a session in use until the signal fires. */
  hold(id: string, until: AbortSignal): void
  count(): number
  close(): Promise<void>
}

/** Sessions of clients with a protocol before 2026-07-28, bound to the team that opened them. */
function createSessions(newServer: NewServer, limits: SessionLimits & { newId(): string }): Sessions {
  const sessions = new Map<string, Session>()
  const isIdle = ({ streams, usedAt }: Session) => streams === 0 && usedAt + limits.sessionTtlMs <= limits.now()

  const dismiss = (id: string) => {
    const session = sessions.get(id)
    sessions.delete(id)
    return session?.transport.close()
  }
  /** No timer: idle sessions are closed when a new one is opened, and the limit bounds them until then. */
  const makeRoom = () => {
    for (const [id, session] of sessions) if (isIdle(session)) void dismiss(id)
    if (sessions.size < limits.maxSessions) return
    const counts = Map.groupBy(sessions.values(), ({ teamId }) => teamId)
    const share = (session: Session) => counts.get(session.teamId)?.length ?? 0
    // The team with the most sessions loses one, so no team can displace another's.
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
        sessionIdGenerator: limits.newId,
        onsessioninitialized: (id) => {
          makeRoom()
          sessions.set(id, { transport, teamId: caller.team.id, usedAt: limits.now(), streams: 0 })
        },
      })
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no listeners
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

/** Forwards a reply to the server on which its call waits for a person; undefined if that is not another server. */
async function continuedElsewhere(
  elsewhere: McpElsewhere,
  request: Request,
  body: unknown,
  caller: Caller,
): Promise<Response | undefined> {
  const { params } = (body ?? {}) as { params?: { requestState?: unknown } }
  const id = params?.requestState
  if (typeof id !== 'string' || !elsewhere.isElsewhere(id)) return undefined
  return passOn(elsewhere, id, { request, body: Buffer.from(JSON.stringify(body)) }, caller)
}

async function passOn(
  elsewhere: McpElsewhere,
  id: string,
  { request: { method, headers, signal }, body }: { request: Request; body: Buffer },
  { team, baseUrl, handling }: Caller,
): Promise<Response | undefined> {
  try {
    return await elsewhere.forward(id, { method, headers, signal, path: '/mcp', body, team, baseUrl, handling })
  } catch (thrown) {
    signal.throwIfAborted()
    const { code, message, status } = toAppError(thrown)
    return refusal(status, -32_000, `${code}: ${message}`)
  }
}

/** Id of the call that a message cancels. Its stream must be closed, since no response ends it. */
function cancelledId(body: unknown): string | number | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { requestId?: string | number } }
  return method === 'notifications/cancelled' ? params?.requestId : undefined
}

const bytesOf = async (request: Request): Promise<Buffer> => Buffer.from(await request.arrayBuffer())

/** Parses the body once for all readers. An empty body is as invalid as one that is not JSON. */
async function parsed(request: Request): Promise<unknown> {
  const bytes = await bytesOf(request)
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

/** The caller in a form that the SDK passes to every handler. */
const authInfoOf = (caller: Caller): AuthInfo => ({
  token: '',
  clientId: caller.team.id,
  scopes: [],
  extra: { caller },
})

/** Response after which a client opens a new session. */
const noSession = (): Response => refusal(404, -32_001, 'Session not found')

const refusal = (status: number, code: number, message: string, id: string | number | null = null): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status })

/**
 * Change events for a handler that all teams share. The SDK, which does not know teams, subscribes while it answers
 * `subscriptions/listen`, so the team is that of the request being answered.
 */
function createStreams(events: ResourceEvents): {
  bus: ServerEventBus
  during<T>(teamId: string, answer: () => T): T
} {
  const teams = new AsyncLocalStorage<string>()
  return {
    bus: {
      publish: () => {},
      subscribe: (listener) => {
        const teamId = teams.getStore()
        if (teamId === undefined) return () => {}
        // Without a session, changes since the last stream of the client are unknown, so the list counts as changed.
        listener(toServerEvent({ kind: 'list' }))
        return events(teamId, (event) => listener(toServerEvent(event)))
      },
    },
    during: (teamId, answer) => teams.run(teamId, answer),
  }
}

const toServerEvent = (event: ResourceEvent): ServerEvent =>
  event.kind === 'list' ? { kind: 'resources_list_changed' } : { kind: 'resource_updated', uri: event.uri }
