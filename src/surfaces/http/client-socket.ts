import type { WebSocket } from 'ws'
import type { ClientSocket } from '../../contracts/session.ts'

/** Time to deliver what is buffered and complete the closing handshake, ms. */
const closeMs = 5_000

/** Adapts a WebSocket that has just been opened. */
export function clientSocket(socket: WebSocket): ClientSocket {
  return {
    send: (message) => {
      if (socket.readyState === socket.OPEN) socket.send(message)
    },
    bufferedBytes: () => socket.bufferedAmount,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    listen: ({ message, closed }) => {
      socket.on('message', (data: Buffer, isBinary) => message(isBinary ? data : data.toString()))
      socket.once('close', closed)
    },
    close: (code, reason) => {
      // A paused socket would not see the other side close.
      socket.resume()
      socket.close(code, reason)
      // A client that does not read would make us keep what is buffered.
      const late = setTimeout(() => socket.terminate(), closeMs).unref()
      socket.once('close', () => clearTimeout(late))
    },
  }
}
