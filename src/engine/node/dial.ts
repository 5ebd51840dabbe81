import type { WebSocket } from 'ws'
import { fail } from '../../kernel/error.ts'
import { type Channel, channelOver } from './node-channel.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Where a server takes the calls of the others. */
export const nodePath = '/internal/node'
/** Pictures and files of pages. */
export const maxNodeMessageBytes = 256 * 1024 * 1024
const dialMs = 5000
/** A server that was cut off answers no pings; what waits for it must not wait for ever. */
const pingMs = 10_000

export type Reachable = { id: string; url: string }

/** A channel to another server. Fails with REMOTE_UNAVAILABLE. */
export async function dialNode({ id, url }: Reachable, secret: string): Promise<Channel> {
  const authorization = nodeCredential({ secret, nodeId: id, now: Date.now() })
  return channelOver(await openSocket(`${url}${nodePath}`, { authorization }))
}

/** A WebSocket to another server, which is ended when it does not answer any more. Fails with REMOTE_UNAVAILABLE. */
export async function openSocket(url: string, headers: Record<string, string> = {}): Promise<WebSocket> {
  const { WebSocket: Socket } = await import('ws')
  const socket = new Socket(url.replace(/^http/, 'ws'), {
    headers,
    handshakeTimeout: dialMs,
    maxPayload: maxNodeMessageBytes,
    perMessageDeflate: false,
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  }).catch((cause: unknown) =>
    fail('REMOTE_UNAVAILABLE', { message: notReached, hint: 'Try again in a moment.', cause }),
  )
  // A fault ends the socket, which is told by its end.
  socket.on('error', () => {})
  watch(socket)
  return socket
}

export const notReached = 'The server that holds this browser session does not answer.'

function watch(socket: WebSocket): void {
  let isThere = true
  socket.on('pong', () => (isThere = true))
  const timer = setInterval(() => {
    // One that is held back does not hear its answer.
    if (socket.isPaused) return
    if (!isThere) return socket.terminate()
    isThere = false
    socket.ping()
  }, pingMs).unref()
  socket.once('close', () => clearInterval(timer))
}

/** `refused`: it answers, with this status; `silent`: it does not, for this reason. */
export type Probe =
  | { kind: 'admitted'; ms: number }
  | { kind: 'refused'; status: number }
  | { kind: 'silent'; reason: string }

const patienceMs = 5000

/** Whether a server takes the calls of one that knows the secret, and how long it takes to say so. Opens a channel for that, and ends it. */
export async function probeNode({ id, url }: Reachable, secret: string): Promise<Probe> {
  const { WebSocket: Socket } = await import('ws')
  const begin = performance.now()
  const authorization = nodeCredential({ secret, nodeId: id, now: Date.now() })
  const socket = new Socket(`${url}${nodePath}`.replace(/^http/, 'ws'), {
    headers: { authorization },
    handshakeTimeout: patienceMs,
    perMessageDeflate: false,
  })
  const answer = new Promise<Probe>((resolve) => {
    socket.once('open', () => resolve({ kind: 'admitted', ms: Math.ceil(performance.now() - begin) }))
    socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve({ kind: 'refused', status: statusCode }))
    // It also says that a socket was ended before it was open.
    socket.on('error', (cause) => resolve({ kind: 'silent', reason: cause.message }))
  })
  return answer.finally(() => socket.terminate())
}

/** For the clocks of two servers, and the time on the way. */
const maxAgeMs = 60_000
const scheme = 'Gossamer-Node'

type Named = {
  /** Shared by all servers on a database; it is itself never sent. */
  secret: string
  /** The server that is called: no other takes the credential. */
  nodeId: string
  now: number
}

/** The Authorization header by which one server shows another that it knows the secret. */
export const nodeCredential = ({ secret, nodeId, now }: Named): string =>
  `${scheme} ${now}.${macOf(secret, nodeId, now)}`

export function isNodeCredential(authorization: string | null, { secret, nodeId, now }: Named): boolean {
  const [, at = '', mac = ''] = /^Gossamer-Node (\d{1,15})\.([\w-]{1,64})$/.exec(authorization ?? '') ?? []
  if (at === '' || Math.abs(now - Number(at)) > maxAgeMs) return false
  const [given, wanted] = [mac, macOf(secret, nodeId, Number(at))].map((text) => Buffer.from(text)) as [Buffer, Buffer]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

const macOf = (secret: string, nodeId: string, at: number): string =>
  createHmac('sha256', secret).update(`gossamer node ${nodeId} ${at}`).digest('base64url')
