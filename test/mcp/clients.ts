import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Guest } from '../../src/surfaces/mcp-options.ts'

export type Options = { signal?: AbortSignal; onprogress?: (note: { progress: number }) => void }
export type Result = {
  content: { type: string; text?: string; [key: string]: unknown }[]
  structuredContent?: unknown
  isError?: boolean
}
/** What the tests need of any client. */
export type AnyClient = {
  tools(): Promise<{ name: string; [key: string]: unknown }[]>
  call(name: string, args: Record<string, unknown>, options?: Options): Promise<Result>
  read(uri: string): Promise<{ contents: { uri: string; text?: string }[] }>
  templates(): Promise<{ uriTemplate: string }[]>
  close(): Promise<void>
}
export const kinds = ['v1', 'v2 legacy', 'v2 auto', 'v2 2026-07-28'] as const
export type Kind = (typeof kinds)[number]

const info = { name: 'test', version: '1' }
const modes = { 'v2 legacy': 'legacy', 'v2 auto': 'auto', 'v2 2026-07-28': { pin: '2026-07-28' } } as const

/** A real client, connected. */
export async function connect(
  kind: Kind,
  road: { url: string } | { command: string[] },
): Promise<AnyClient & { stderr: Readable | null }> {
  if (kind === 'v1') {
    const client = new ClientV1(info)
    const transport = 'url' in road ? new HttpV1(new URL(road.url)) : new StdioV1(spawning(road.command))
    await client.connect(transport as Parameters<ClientV1['connect']>[0])
    return {
      tools: async () => (await client.listTools()).tools,
      call: async (name, args, options) =>
        (await client.callTool({ name, arguments: args }, undefined, options)) as Result,
      read: (uri) => client.readResource({ uri }) as ReturnType<AnyClient['read']>,
      templates: async () => (await client.listResourceTemplates()).resourceTemplates,
      close: () => client.close(),
      stderr: transport instanceof StdioV1 ? (transport.stderr as Readable) : null,
    }
  }
  const client = new ClientV2(info, { versionNegotiation: { mode: modes[kind] } })
  const transport = 'url' in road ? new HttpV2(new URL(road.url)) : new StdioV2(spawning(road.command))
  await client.connect(transport)
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args, options) => (await client.callTool({ name, arguments: args }, options)) as Result,
    read: (uri) => client.readResource({ uri }) as ReturnType<AnyClient['read']>,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    close: () => client.close(),
    stderr: transport instanceof StdioV2 ? (transport.stderr as Readable) : null,
  }
}

/** The toy server as a command line. */
export const toyCommand = [process.execPath, fileURLToPath(new URL('toy-server.ts', import.meta.url))]

function spawning([command = '', ...args]: string[]) {
  return { command, args, stderr: 'pipe' as const }
}

/** A web-standard handler behind a real server on a free loopback port. */
export async function startHttp(
  answer: (request: Request) => Promise<Response>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(getRequestListener(answer, { overrideGlobalObjects: false }))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close: () => closed(server) }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}

/** Which guest a request of the tests is made for. */
export const guestOf = (request: Request, guests: Record<string, Guest>): Guest =>
  guests[request.headers.get('authorization') ?? ''] ?? (Object.values(guests)[0] as Guest)
