import { type Connection, createConnection } from '../../browser/cdp/connection.ts'
import type { WireListener } from '../../browser/cdp/shapes.ts'
import { type Reach, refusal } from '../cdp-allowed.ts'

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
