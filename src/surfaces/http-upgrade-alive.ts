import type { WebSocket, WebSocketServer } from 'ws'

/** Pings every socket each `everyMs` until the server closes, and cuts off those that have left the last ping unanswered. */
export function keepAlive(sockets: WebSocketServer, everyMs: number): void {
  const silent = new WeakSet<WebSocket>()
  const round = setInterval(() => {
    for (const socket of sockets.clients) {
      // A ping waits behind what is being sent; that has a time limit of its own.
      if (socket.bufferedAmount > 0) continue
      if (silent.has(socket)) socket.terminate()
      silent.add(socket)
      socket.once('pong', () => silent.delete(socket)).ping()
    }
  }, everyMs)
  round.unref()
  sockets.once('close', () => clearInterval(round))
}
