import { Server, type ServerContext } from '@modelcontextprotocol/server'
import { callTool, readResource } from './mcp-call.ts'
import { forwardEvents, type Hearing } from './mcp-events.ts'
import type { Base, Guest, McpOptions } from './mcp-options.ts'
import { mcpResources } from './mcp-resources.ts'
import { mcpTools } from './mcp-tools.ts'

/** Makes the server of one connection, or over HTTP of one request. */
export type NewServer = (guest: Guest, hearing: Hearing) => Server

const unchanging = { ttlMs: 3_600_000, cacheScope: 'public' } as const
const fleeting = { ttlMs: 0, cacheScope: 'private' } as const
const cacheHints = {
  'server/discover': unchanging,
  'tools/list': unchanging,
  'resources/templates/list': unchanging,
  'resources/list': fleeting,
  'resources/read': fleeting,
}

/** Servers made here are cheap, because they share one list of tools and resources, made on first use. */
export function createMcpServers(options: McpOptions): NewServer {
  const shared = lazily(() => {
    const tools = mcpTools(options.operations, options)
    const listed = Object.freeze([...tools.values()].map(({ tool }) => tool))
    return { tools, listed, resources: mcpResources(options.operations) }
  })
  return (guest, hearing) => {
    const server = new Server(options.info, {
      capabilities: {
        tools: {},
        resources: options.resourceEvents ? { subscribe: true, listChanged: true } : {},
      },
      instructions: options.instructions,
      cacheHints,
    })
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no listeners
    server.onerror = (error) => options.log.debug('mcp_error', { error })
    const base: Base = {
      tools: () => shared().listed,
      callTool: (request, context) => callTool(options, shared().tools, guestOf(context, guest), request, context),
      readResource: (request, context) =>
        readResource(options, shared().resources, guestOf(context, guest), request, context),
    }
    server.setRequestHandler('tools/list', () => ({ tools: [...base.tools()] }))
    server.setRequestHandler('tools/call', base.callTool)
    server.setRequestHandler('resources/list', async (_request, context) => ({
      resources: [...((await options.liveResources?.(guestOf(context, guest))) ?? [])],
    }))
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: shared().resources.map(({ template }) => template),
    }))
    server.setRequestHandler('resources/read', base.readResource)
    if (options.resourceEvents) forwardEvents(server, options.resourceEvents, hearing)
    options.extend?.(server, base)
    return server
  }
}

/** Over HTTP the guest of each request travels with it; elsewhere it is the one the server was made for. */
function guestOf({ http }: ServerContext, fallback: Guest): Guest {
  return (http?.authInfo?.extra?.['guest'] as Guest | undefined) ?? fallback
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
