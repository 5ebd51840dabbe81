import type { WebSocket } from 'ws'
import type { Peer } from '../../contracts/session.ts'

/** How long a peer may take for what is still on its way to it and the leave-taking, ms. */
const closeMs = 5_000

/** A WebSocket that has just been opened, as the doors of a session know it. */
export function peerOf(socket: WebSocket): Peer {
  return {
    send: (message) => {
      if (socket.readyState === socket.OPEN) socket.send(message)
    },
    waiting: () => socket.bufferedAmount,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    listen: ({ message, closed }) => {
      socket.on('message', (data: Buffer, isBinary) => message(isBinary ? data : data.toString()))
      socket.once('close', closed)
    },
    close: (code, reason) => {
      // A paused one would not see the other side close.
      socket.resume()
      socket.close(code, reason)
      // One that does not read would have us keep what waits for it.
      const late = setTimeout(() => socket.terminate(), closeMs).unref()
      socket.once('close', () => clearTimeout(late))
    },
  }
}
