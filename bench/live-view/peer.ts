import type { WebSocket } from 'ws'
import type { ClientSocket } from '../../src/contracts/session-port.ts'

/** Adapts a WebSocket to the interface of the engine. */
export const peerOf = (socket: WebSocket): ClientSocket => ({
  send: (message) => socket.send(message),
  bufferedBytes: () => socket.bufferedAmount,
  pause: () => socket.pause(),
  resume: () => socket.resume(),
  listen({ message, closed }) {
    socket.on('message', (data, isBinary) => message(isBinary ? (data as Buffer) : String(data)))
    socket.on('close', closed)
  },
  close: (code, reason) => socket.close(code, reason),
})
