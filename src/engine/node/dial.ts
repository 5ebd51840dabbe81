import type { WebSocket } from 'ws'
import { fail } from '../../kernel/error.ts'
import { type Channel, channelOver } from './channel.ts'
import { nodeCredential } from './credential.ts'

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
