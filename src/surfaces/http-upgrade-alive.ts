import type { WebSocket, WebSocketServer } from 'ws'

export type Heartbeat = {
  /** How often a peer is asked to show that it is there, ms. */
  everyMs: number
  /** One that has left so many in a row unanswered is cut off. */
  maxMissed: number
}

/** Pings every socket until the server closes, and cuts off those that do not answer. */
export function keepAlive(sockets: WebSocketServer, { everyMs, maxMissed }: Heartbeat): void {
  const missed = new WeakMap<WebSocket, number>()
  const round = setInterval(() => {
    for (const socket of sockets.clients) {
      // A ping waits behind what is being sent; that has a limit of its own.
      if (socket.bufferedAmount > 0) continue
      const before = missed.get(socket)
      if (before === undefined) socket.on('pong', () => missed.set(socket, 0))
      if ((before ?? 0) >= maxMissed) socket.terminate()
      missed.set(socket, (before ?? 0) + 1)
      socket.ping()
    }
  }, everyMs)
  round.unref()
  sockets.once('close', () => clearInterval(round))
}
