import { deserialize, serialize } from 'node:v8'
import type { WebSocket } from 'ws'

/** One end of what carries calls and their answers, as a MessagePort does between threads. */
export type CallPort = {
  postMessage(message: unknown): void
  on(event: 'message', heard: (message: unknown) => void): unknown
  close(): void
}
/** The WebSocket of another server. */
export type NodeSocket = WebSocket
export type Channel = {
  /** Calls of the server that opened the channel, and of the one that was asked. */
  opener: CallPort
  opened: CallPort
  /** Resolves once it carries nothing any more. */
  closed: Promise<void>
  close(): void
}

const [ofOpener, ofOpened] = [0, 1]

/** Values are copied as between threads (structured clone), for which the peer must be trusted. */
export function channelOver(socket: WebSocket): Channel {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const heard = new Map<number, (message: unknown) => void>()
  socket.binaryType = 'nodebuffer'
  socket.once('close', () => resolve())
  socket.on('message', (data: Buffer) => {
    const [port, message] = deserialize(data) as [number, unknown]
    heard.get(port)?.(message)
  })
  const portOf = (port: number): CallPort => ({
    postMessage(message) {
      if (socket.readyState === socket.OPEN) socket.send(serialize([port, message]))
    },
    on: (_, listener) => heard.set(port, listener),
    close: () => heard.delete(port),
  })
  return { opener: portOf(ofOpener), opened: portOf(ofOpened), closed, close: () => socket.close(1000) }
}
