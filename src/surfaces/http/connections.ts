import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { failure } from '../../kernel/error.ts'
import { refuseSocket } from './refusal/refusal.ts'

export type ConnectionLimits = {
  /** Connections at once. For one more the client is cut off that has let us wait longest; if all get answers, the new one is refused. */
  maxConnections: number
  /** Requests of one connection that run at once, as a client may send them without waiting for answers. */
  maxPipelined: number
  /** A client that takes nothing of its answer for so long is cut off, ms. */
  unreadMs: number
}

export const usualLimits: ConnectionLimits = { maxConnections: 4000, maxPipelined: 32, unreadMs: 60_000 }

export type Connections = {
  readonly sockets: Iterable<Socket>
  readonly running: ReadonlySet<ServerResponse>
  watch(server: Server): void
  /** False for a request that is not to be answered; its connection is gone. */
  admits(request: IncomingMessage, response: ServerResponse): boolean
  /** Its connection turns to another protocol, which has limits of its own. */
  upgrades(request: IncomingMessage): void
}

type Held = { running: Set<IncomingMessage>; isUpgraded: boolean }

/** The connections of one server, within limits that hold whatever its clients do. */
export function createConnections({ maxConnections, maxPipelined, unreadMs }: ConnectionLimits): Connections {
  /** Whoever was answered last comes last. */
  const held = new Map<Socket, Held>()
  const running = new Set<ServerResponse>()

  function add(socket: Socket): void {
    if (held.size >= maxConnections && !cutOffSlowest()) return refuseSocket(socket, tooMany())
    held.set(socket, { running: new Set(), isUpgraded: false })
    socket.once('close', () => held.delete(socket))
  }

  function cutOffSlowest(): boolean {
    for (const [socket, each] of held)
      if (isWaitedFor(each)) {
        held.delete(socket)
        socket.destroy()
        return true
      }
    return false
  }

  function done(request: IncomingMessage, response: ServerResponse): void {
    running.delete(response)
    const each = held.get(request.socket)
    if (!each?.running.delete(request) || each.running.size > 0) return
    held.delete(request.socket)
    held.set(request.socket, each)
  }

  return {
    sockets: { [Symbol.iterator]: () => held.keys() },
    running,
    watch: (server) => void server.on('connection', add),
    admits(request, response) {
      const { socket } = request
      const each = held.get(socket)
      if (!each || each.running.size >= maxPipelined) {
        socket.destroy()
        return false
      }
      each.running.add(request)
      running.add(response)
      response.once('close', () => done(request, response))
      response.setTimeout(unreadMs, () => {
        if (socket.writableLength > 0) socket.destroy()
      })
      return true
    },
    upgrades({ socket }) {
      const each = held.get(socket)
      if (each) each.isUpgraded = true
    },
  }
}

/** Nothing was asked yet, or the rest of a body is still to come. */
const isWaitedFor = ({ running, isUpgraded }: Held) => !isUpgraded && ![...running].some(({ complete }) => complete)

const tooMany = () => failure('QUEUE_FULL', { message: 'Too many connections are open.' })
