import { once } from 'node:events'
import { type ClientOptions, WebSocket } from 'ws'
import type { ClientSocket, Sessions } from '../../src/contracts/session-port.ts'
import type { BaseUrlRules } from '../../src/surfaces/http/guard.ts'
import { endpointSockets } from '../../src/surfaces/http/endpoints.ts'
import { listen, type Listening } from '../../src/surfaces/http/server.ts'
import { acceptUpgrades, type UpgradeOptions } from '../../src/surfaces/ws/upgrade.ts'
import { memoryLog, toyApp } from './toys.ts'

export const keys = { cdp: 'cdp-secret-key-0123456789', view: 'view-secret-key-0123456789' }

/** Request of a client for a WebSocket. */
export const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.alloc(16).toString('base64'),
}

export type EndpointToys = {
  server: Listening
  log: ReturnType<typeof memoryLog>
  /** The connected clients, with the messages that each has sent. */
  peers: { peer: ClientSocket; received: (string | Uint8Array)[]; closed: boolean }[]
  close(): Promise<void>
}

const pages = async () => [{ id: 'P1', url: 'https://a.example/', title: 'A page' }]

type Endpoint = Awaited<ReturnType<Sessions['endpoint']>> & {}

/** Endpoints that record clients and their messages, and send back messages that are not JSON objects. */
export function toyEndpoints(peers: EndpointToys['peers']): (key: string) => Endpoint | undefined {
  const record = (peer: ClientSocket) => {
    const recorded: EndpointToys['peers'][number] = { peer, received: [], closed: false }
    peers.push(recorded)
    peer.listen({
      message: (data) => {
        recorded.received.push(data)
        if (!String(data).startsWith('{')) peer.send(data)
      },
      closed: () => void (recorded.closed = true),
    })
  }
  const version = { product: 'Chrome/1.2', protocolVersion: '1.3', userAgent: 'Toy' }
  const html = '<!doctype html><title>Live</title>'
  const policy = "default-src 'none'; frame-ancestors *"
  const cdp: Endpoint = { teamId: 'red', kind: 'cdp', version, pages, connect: async (peer) => record(peer) }
  const view: Endpoint = {
    teamId: 'blue',
    kind: 'view',
    role: 'view',
    page: async () => ({ html, contentSecurityPolicy: policy }),
    join: record,
    file: () => ({ name: 'a.txt', mediaType: 'text/plain', base64: '' }),
  }
  return (key) => (key === keys.cdp ? cdp : key === keys.view ? view : undefined)
}

export async function serveToys(
  over: BaseUrlRules = {},
  upgrading: Partial<UpgradeOptions> = {},
): Promise<EndpointToys> {
  const log = memoryLog()
  const peers: EndpointToys['peers'] = []
  const find = toyEndpoints(peers)
  const options = {
    endpoints: { endpoint: async (key: string) => find(key) },
    allowedHosts: ['127.0.0.1', 'toys.example'],
    allowedOrigins: ['https://good.example'],
    log,
    ...over,
  }
  const server = await listen({ app: toyApp(options), host: '127.0.0.1', port: 0, log })
  const upgrades = acceptUpgrades(server.server, { ...options, routes: endpointSockets(options), ...upgrading })
  return { server, log, peers, close: async () => void (await upgrades.close(), await server.close(0)) }
}

export type Dialled = { socket: WebSocket; messages: string[]; closed: Promise<{ code: number; reason: string }> }

export function dial({ server }: Pick<EndpointToys, 'server'>, path: string, options: ClientOptions = {}): Dialled {
  const socket = new WebSocket(server.url.replace('http', 'ws') + path, options)
  const messages: string[] = []
  socket.on('message', (bytes: Buffer) => messages.push(bytes.toString()))
  const closed = once(socket, 'close').then(([code, reason]) => ({ code: code as number, reason: String(reason) }))
  return { socket, messages, closed }
}
