import type { CdpMessage } from '../../browser/cdp/shapes.ts'
import { refusal } from '../cdp-allowed.ts'
import type { Execution } from '../execution.ts'
import type { Frames } from '../frames.ts'
import type { ChannelOptions } from './channel.ts'

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
