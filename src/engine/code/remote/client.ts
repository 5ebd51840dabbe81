import type { CdpMessage, WireListener } from '../../browser/cdp/shapes.ts'
import { refusal, type Reach } from '../cdp-allowed.ts'
import type { Execution } from '../execution.ts'
import type { Frames } from '../frames.ts'
import type { ChannelOptions } from './channel.ts'
import { createConnection, type Connection } from '../../browser/cdp/connection.ts'

/** The program that the code is in, and what it is told. */
export type Joining = {
  execution: Pick<Execution, 'kill'>
  frames: Frames
  tell(cdp: CdpMessage): void
  /** The browser has gone, or the client has been closed. */
  ended(): void
}
export type Joined = {
  send(message: CdpMessage): void
  close(): Promise<void>
}

/** Makes code one more client of the connection, held to what code may do, and to the pace at which the other side reads. */
export async function joinAsCode(
  { connection, reach, limits }: ChannelOptions,
  { execution, frames, tell, ended }: Joining,
): Promise<Joined> {
  const client = await connection.client({
    receive(cdp) {
      tell(cdp)
      // Code that does not read would have us keep what the browser says.
      if (frames.waiting() > limits.maxMessageBytes) execution.kill()
    },
    ended,
    rejectionOf: (message) => refusal(message, reach),
    contextId: reach.contextId,
  })
  return {
    send(message) {
      client.send(message)
      if (!client.isFull()) return
      frames.pause()
      void client.drained().then(frames.resume)
    },
    close: () => client.close(),
  }
}

/** A connection of its own over a shared one, held to what code may do: for what we do in the name of code. */
export async function connectAsCode(shared: Pick<Connection, 'client'>, reach: Reach): Promise<Connection> {
  const listening: { listener?: WireListener } = {}
  const client = await shared.client({
    receive: (message) => listening.listener?.message(message),
    ended: (why) => listening.listener?.end(why),
    rejectionOf: (message) => refusal(message, reach),
    contextId: reach.contextId,
  })
  return createConnection(
    {
      send: (message) => client.send(message),
      isFull: () => client.isFull(),
      drained: () => client.drained(),
      listen: (listener) => Object.assign(listening, { listener }),
      end: () => void client.close(),
    },
    // A fault of a listener that code has set is its own.
    { error() {} },
  )
}
