import type { WebSocket } from 'ws'
import type { Peer } from '../../src/contracts/session.ts'

/** A WebSocket as the engine knows it. */
export const peerOf = (socket: WebSocket): Peer => ({
  send: (message) => socket.send(message),
  waiting: () => socket.bufferedAmount,
  pause: () => socket.pause(),
  resume: () => socket.resume(),
  listen({ message, closed }) {
    socket.on('message', (data, isBinary) => message(isBinary ? (data as Buffer) : String(data)))
    socket.on('close', closed)
  },
  close: (code, reason) => socket.close(code, reason),
})
