import type { CdpMessage, WireListener } from '../../browser/cdp/wire.ts'
import { refusal, type Reach } from '../cdp-allowed.ts'
import type { Execution } from '../execution.ts'
import type { Frames } from '../frames.ts'
import type { ChannelOptions } from './channel.ts'
import { createConnection, type Connection } from '../../browser/cdp/connection.ts'

/** The process that runs the code. */
export type CodeProcess = {
  execution: Pick<Execution, 'kill'>
  frames: Frames
  tell(cdp: CdpMessage): void
  /** The browser is gone, or the client was closed. */
  ended(): void
}
export type CodeClient = {
  send(message: CdpMessage): void
  close(): Promise<void>
}

/** Connects code in another process as a client of the browser, limited to what code may do and to the pace at which it reads. */
export async function connectProcess(
  { connection, reach, limits }: ChannelOptions,
  { execution, frames, tell, ended }: CodeProcess,
): Promise<CodeClient> {
  const client = await connection.client({
    receive(cdp) {
      tell(cdp)
      // Code that does not read would make us buffer the browser's messages.
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

/** A connection over a shared one, limited to what code may do: for API calls that we make on behalf of code. */
export async function connectInProcess(shared: Pick<Connection, 'client'>, reach: Reach): Promise<Connection> {
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
    // Errors in listeners set by code are its own.
    { error() {} },
  )
}
