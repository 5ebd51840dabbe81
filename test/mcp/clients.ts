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
import {
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { Caller } from '../../src/surfaces/mcp/server-options.ts'

export type Options = { signal?: AbortSignal; onprogress?: (note: { progress: number }) => void }
export type Result = { content: { type: string; text?: string; [key: string]: unknown }[]; isError?: boolean }
/** The output in a JSON answer. */
export const outputOf = ({ content }: Result): unknown => JSON.parse(content[0]?.text ?? '')
/** Functions that the tests need of any client. */
export type AnyClient = {
  tools(): Promise<{ name: string; [key: string]: unknown }[]>
  call(name: string, args: Record<string, unknown>, options?: Options): Promise<Result>
  resources(): Promise<{ uri: string; mimeType?: string | undefined }[]>
  /** Subscribes to these resources, and to the list. */
  watch(uris: string[]): Promise<void>
  extensions(): object | undefined
  instructions(): string | undefined
  /** The client itself, for functions that all clients share. */
  sdk: Pick<ClientV2, 'listPrompts' | 'getPrompt' | 'complete'>
  read(uri: string): Promise<{ contents: { uri: string; text?: string; blob?: string; mimeType?: string }[] }>
  templates(): Promise<{ uriTemplate: string }[]>
  close(): Promise<void>
}
export const kinds = ['v1', 'v2 legacy', 'v2 auto', 'v2 2026-07-28'] as const
export type Kind = (typeof kinds)[number]

const info = { name: 'test', version: '1' }
const modes = { 'v2 legacy': 'legacy', 'v2 auto': 'auto', 'v2 2026-07-28': { pin: '2026-07-28' } } as const
const changes = ['notifications/resources/list_changed', 'notifications/resources/updated'] as const

export type Question = { mode?: string; message: string; url?: string }
export type Abilities = {
  capabilities?: { elicitation?: { url?: {}; form?: {} }; extensions?: Record<string, {}> }
  /** Answer of the person to a question. */
  elicit?: (question: Question) => Promise<'accept' | 'decline' | 'cancel'>
  /** Receives changed resources: a single one by its address, the list by the word `list`. */
  onUpdate?: (what: string) => void
}
type Target = { url: string; headers?: Record<string, string> } | { command: string[]; env?: Record<string, string> }

/** A real client, connected. */
export async function connect(
  kind: Kind,
  target: Target,
  { capabilities = {}, elicit, onUpdate }: Abilities = {},
): Promise<AnyClient & { stderr: Readable | null }> {
  const record = ({ params }: { params?: object | undefined }) => {
    onUpdate?.(params && 'uri' in params ? String(params.uri) : 'list')
  }
  const answer = async ({ params }: { params: object }) => ({ action: await elicit!(params as Question), content: {} })
  const init = 'url' in target ? { requestInit: { headers: target.headers ?? {} } } : {}
  if (kind === 'v1') {
    const client = new ClientV1(info, { capabilities })
    if (elicit) client.setRequestHandler(ElicitRequestSchema, answer)
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, record)
    client.setNotificationHandler(ResourceListChangedNotificationSchema, record)
    const transport = 'url' in target ? new HttpV1(new URL(target.url), init) : new StdioV1(spawning(target))
    await client.connect(transport as Parameters<ClientV1['connect']>[0])
    return {
      ...shared(client as unknown as ClientV2),
      call: async (name, args, options) =>
        (await client.callTool({ name, arguments: args }, undefined, options)) as Result,
      watch: subscribing(client),
      stderr: transport instanceof StdioV1 ? (transport.stderr as Readable) : null,
    }
  }
  const client = new ClientV2(info, { versionNegotiation: { mode: modes[kind] }, capabilities })
  if (elicit) client.setRequestHandler('elicitation/create', answer)
  for (const change of changes) client.setNotificationHandler(change, record)
  const transport = 'url' in target ? new HttpV2(new URL(target.url), init) : new StdioV2(spawning(target))
  await client.connect(transport)
  return {
    ...shared(client),
    call: async (name, args, options) => (await client.callTool({ name, arguments: args }, options)) as Result,
    watch:
      kind === 'v2 legacy'
        ? subscribing(client)
        : async (uris) => void (await client.listen({ resourcesListChanged: true, resourceSubscriptions: uris })),
    stderr: transport instanceof StdioV2 ? (transport.stderr as Readable) : null,
  }
}

const shared = (client: ClientV2) => ({
  tools: async () => (await client.listTools()).tools,
  resources: async () => (await client.listResources()).resources,
  read: (uri: string) => client.readResource({ uri }) as ReturnType<AnyClient['read']>,
  templates: async () => (await client.listResourceTemplates()).resourceTemplates,
  instructions: () => client.getInstructions(),
  sdk: client,
  extensions: () => client.getServerCapabilities()?.extensions,
  close: () => client.close(),
})

const subscribing = (client: Pick<ClientV1, 'subscribeResource'>) => async (uris: string[]) => {
  for (const uri of uris) await client.subscribeResource({ uri })
}

/** The toy server as a command line. */
export const toyCommand = [process.execPath, fileURLToPath(new URL('toy-server.ts', import.meta.url))]
export const toyBrowserCommand = [process.execPath, fileURLToPath(new URL('toy-browser-server.ts', import.meta.url))]

function spawning({ command: [command = '', ...args], env = {} }: { command: string[]; env?: Record<string, string> }) {
  return { command, args, env, stderr: 'pipe' as const }
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

/** The caller of a request, by its header `authorization`; the first one if that is unknown. */
export const callerOf = (request: Request, callers: Record<string, Caller>): Caller =>
  callers[request.headers.get('authorization') ?? ''] ?? (Object.values(callers)[0] as Caller)
