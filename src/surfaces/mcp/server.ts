import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceRequest,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type ServerCapabilities,
  type ServerContext,
  type Tool as ListedTool,
  type Transport,
  type JSONRPCErrorResponse,
} from '@modelcontextprotocol/server'
import { type AppError, boundedText } from '../../kernel/error.ts'
import { appContents, appExtension, appResource, knowsApps } from './live-browser.ts'
import { allOffered } from '../../kernel/offer.ts'
import { callTool, callCtx, known, parsedInput } from './call-tool.ts'
import {
  forwardEvents,
  type EventScope,
  matchResource,
  type McpResource,
  mcpResources,
  toContents,
} from './resources.ts'
import type { Base, Caller, McpOptions } from './server-options.ts'
import { servePrompts } from './prompts.ts'
import { type SchemaForm, strictTool } from './tool-schema.ts'
import { mayBeTask, tasksExtension } from './task-state.ts'
import { serveTasks } from './serve-tasks.ts'
import { type McpTool, mcpTools, offerOf } from './tools.ts'
import { createRoundTrips, directChannel, type Request, type RoundTrips } from './transport/client-channel.ts'
import { lazily } from '../../util/async.ts'
import { isRecord } from '../../util/json.ts'
import { maxIdLength } from './opening/opening.ts'

export type MessageFault = { code: ProtocolErrorCode; message: string; id: string | number | null }
/** Finds the fault of a message; undefined if the protocol will check it. */
export type MessageCheck = (message: unknown) => MessageFault | undefined

/** Rejects messages that the protocol would reject unclearly or at great length. */
export const messageCheck =
  (tools: readonly { name: string; example: object }[]): MessageCheck =>
  (message) => {
    if (!isRecord(message)) return undefined
    const { id, method, params } = message
    if (typeof id === 'string' && id.length > maxIdLength)
      return fault(
        ProtocolErrorCode.InvalidRequest,
        `Invalid request: an id has at most ${maxIdLength} characters`,
        null,
      )
    if (method !== 'tools/call' || !isRecord(params)) return undefined
    const { name, arguments: sent } = params
    if (sent === undefined || isRecord(sent)) return undefined
    const example = tools.find((tool) => tool.name === name)?.example ?? { url: 'https://example.com' }
    const requestId = typeof id === 'string' || typeof id === 'number' ? id : null
    const text = `Invalid params: arguments is not an object. Expected one such as ${JSON.stringify(example)}`
    return fault(ProtocolErrorCode.InvalidParams, text, requestId)
  }

const fault = (code: ProtocolErrorCode, message: string, id: string | number | null) => ({ code, message, id })

const maxMessageBytes = 8000

/** Limits the length of an error of the protocol, which quotes the input and lists a fault for each of its parts. */
function boundedError<T extends object>(message: T): T {
  if (!('error' in message) || !isRecord(message.error)) return message
  const { code, message: text, data } = message.error as JSONRPCErrorResponse['error']
  const fits = data !== undefined && Buffer.byteLength(JSON.stringify(data)) <= maxMessageBytes
  return { ...message, error: { code, message: boundedText(text, maxMessageBytes), ...(fits && { data }) } }
}

/** Creates the server of one connection, or over HTTP of one request. */
export type NewServer = (caller: Caller, eventScope: EventScope) => Server

const stable = { ttlMs: 3_600_000, cacheScope: 'public' } as const
/** Hint for lists that depend on the client's choice of tools and its capabilities. */
const stablePerClient = { ...stable, cacheScope: 'private' } as const
const uncached = { ttlMs: 0, cacheScope: 'private' } as const
const cacheHints = {
  'server/discover': stablePerClient,
  'tools/list': stablePerClient,
  'prompts/list': stablePerClient,
  'resources/templates/list': stable,
  'resources/list': uncached,
  'resources/read': uncached,
}

/** Creates servers cheaply: they share one list of tools and resources, built on first use. */
export function createMcpServers(options: McpOptions & { roundTrips?: RoundTrips }): NewServer {
  const shared = lazily(() => {
    return { tools: mcpTools(options.tools, options), resources: mcpResources(options.operations) }
  })
  const apps = options.apps ?? []
  return (caller, eventScope) => {
    // A client without support for Apps would show its model the data for them.
    const offer = (client: 'known' | 'unknown') =>
      offerOf(shared().tools, { only: caller.tools ?? options.only, apps: client })
    const offerFor = ({ abilities }: Request) => offer(knowsApps(abilities) ? 'known' : 'unknown')
    const offered = new Set(offer('unknown').keys())
    const schemas = caller.schemas ?? options.schemas ?? 'plain'
    const server = new BoundedServer(options.info, {
      capabilities: capabilitiesOf(options),
      instructions: options.instructions(offered),
      cacheHints,
    })
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no listeners
    server.onerror = (error) => options.log.debug('mcp_error', { error })
    const from = (context: ServerContext): Request => ({
      caller: callerOf(context, caller),
      context,
      abilities: abilitiesOf(context) ?? server.getClientCapabilities() ?? {},
    })
    // Shared if each server handles one request, since the server of another request may continue the call. Otherwise
    // calls end with the server.
    const roundTrips = options.roundTrips ?? createRoundTrips()
    const base: Base = {
      tools: (context) => [...offerFor(from(context)).values()].map((tool) => described(tool, schemas, options.jobs)),
      callTool: (request, context) => {
        const call = () =>
          callTool(options, { tools: offerFor(from(context)), schemas, roundTrips }, request, from(context))
        return options.continued ? options.continued(traceOf(context), call) : call()
      },
      readResource: (request, context) => readResource(options, shared().resources, request, from(context)),
    }
    server.setRequestHandler('tools/list', (_request, context) => ({ tools: [...base.tools(context)] }))
    server.setRequestHandler('tools/call', base.callTool)
    server.setRequestHandler('resources/list', async (_request, context) => ({
      resources: [...((await options.liveResources?.(callerOf(context, caller))) ?? []), ...apps.map(appResource)],
    }))
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: shared().resources.map(({ template }) => template),
    }))
    server.setRequestHandler('resources/read', base.readResource)
    if (options.jobs) serveTasks(server, { ...options, jobs: options.jobs, from, offerFor })
    if (options.prompts) servePrompts(server, options, { offered, resources: () => shared().resources, from })
    const stop = options.resourceEvents && forwardEvents(server, options.resourceEvents, caller.team.id, eventScope)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no listeners
    server.onclose = () => {
      stop?.()
      if (!options.roundTrips) roundTrips.end()
    }
    options.extend?.(server, base)
    return server
  }
}

function capabilitiesOf({ prompts, resourceEvents, jobs, apps = [] }: McpOptions): ServerCapabilities {
  const extensions = { ...(apps.length > 0 && appExtension), ...(jobs && { [tasksExtension]: {} }) }
  return {
    tools: {},
    ...(prompts && { prompts: {}, completions: {} }),
    resources: resourceEvents ? { subscribe: true, listChanged: true } : {},
    ...(jobs && { tasks: { cancel: {}, requests: { tools: { call: {} } } } }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  }
}

/** A tool as listed, with fields that the SDK adds only for clients of one revision. */
const described = ({ tool, listed }: McpTool, schemas: SchemaForm, jobs: McpOptions['jobs']): ListedTool => ({
  ...(schemas === 'strict' ? strictTool(listed) : listed),
  ...(jobs && mayBeTask(tool) && { execution: { taskSupport: 'optional' } }),
})

/** A server whose protocol errors are limited in length. */
class BoundedServer extends Server {
  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(boundedError(message), options)
    return super.connect(transport)
  }
}

/** The caller of a request: over HTTP that of the request, otherwise the one that the server was created for. */
function callerOf({ http }: ServerContext, fallback: Caller): Caller {
  return (http?.authInfo?.extra?.['caller'] as Caller | undefined) ?? fallback
}

/** The client's capabilities in a request of 2026-07-28; undefined for older clients, which send them on connecting. */
function abilitiesOf({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope: Record<string, ClientCapabilities | undefined> = { ...mcpReq.envelope }
  return envelope[CLIENT_CAPABILITIES_META_KEY]
}

/** W3C trace context in the metadata of a request. Over stdio, no other place exists for it. */
function traceOf({ mcpReq: { _meta: meta } }: ServerContext): Headers {
  const given = ['traceparent', 'tracestate'].map((name) => [name, meta?.[name]] as const)
  return new Headers(given.filter((entry): entry is [string, string] => isHeaderValue(entry[1])))
}
const isHeaderValue = (value: unknown) => typeof value === 'string' && /^[\x21-\x7e]{1,512}$/.test(value)

/** Handles resources/read: an App, or the whole response of the operation behind the URI. */
async function readResource(
  options: McpOptions,
  resources: readonly McpResource[],
  { params: { uri } }: ReadResourceRequest,
  request: Request,
): Promise<ReadResourceResult> {
  const app = options.apps?.find((offered) => offered.uri === uri)
  if (app) return { contents: await appContents(app) }
  const { operation, input, mimeType } = matchResource(resources, uri)
  const ctx = callCtx(options, request, directChannel(request))
  try {
    const output = await options.invoke(operation, input, ctx)
    const face = operation.mcp || {}
    const shown = face.present?.(output, parsedInput(operation, input), allOffered)
    if (!shown) return { contents: [{ uri, mimeType, text: JSON.stringify(output) }] }
    return { contents: toContents(uri, mimeType, shown) }
  } catch (thrown) {
    throw toProtocolError(known(thrown, operation, ctx), uri)
  } finally {
    ctx.stop()
  }
}

function toProtocolError(error: AppError, uri: string): ProtocolError {
  if (error.status === 404 || error.code === 'BAD_REQUEST') return new ResourceNotFoundError(uri)
  const code = error.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  return new ProtocolError(code, `${error.code}: ${error.message}`, { uri, code: error.code, hint: error.hint })
}
