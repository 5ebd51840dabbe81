import type { Connection } from '../../../browser/cdp/connection.ts'
import type { CdpMessage } from '../../../browser/cdp/wire.ts'
import { refusal, type Reach } from '../allowed.ts'
import type { CodeJob } from '../../../../core/session.ts'
import type { CodeLimits } from '../limits.ts'
import { createFrames } from '../frames.ts'
import type { Execution } from '../execution.ts'

/** What the program says when its code has come to an end. */
export type Done = { lastValue?: string | null; error?: string }
/** Code ends with its browser. */
export const browserGone: Done = { error: 'The browser of the session is gone.' }
/** The other end of a program's descriptor 3. */
export type Channel = {
  /** Hands over the code; resolves when the program has said how it ended, never if it just ends. */
  begin(job: CodeJob): Promise<Done>
  end(): Promise<void>
}
export type ChannelOptions = {
  connection: Pick<Connection, 'client'>
  reach: Reach
  limits: CodeLimits
  /** The page that is looked at. */
  pageId(): string | undefined
}
export type OpenChannel = (execution: Execution, options: ChannelOptions) => Channel

/** How long one step may wait: less than the code itself, so that the answer tells what it waited for. */
export const actionTimeoutMs = (timeoutMs: number) => Math.min(30_000, Math.max(timeoutMs - 1000, timeoutMs / 2))

/** Node code speaks with the browser itself, as one more client of the connection. */
export const openNodeChannel: OpenChannel = (execution, { connection, reach, limits, pageId }) => {
  const { promise: done, resolve } = Promise.withResolvers<Done>()
  let isOver = false
  const over = (how: Done) => {
    resolve(how)
    execution.socket.end()
  }
  const client: { send?: (message: CdpMessage) => void; close?: () => Promise<void> } = {}
  const frames = createFrames(
    execution.socket,
    {
      message(message) {
        if ('done' in message) over(message['done'] as Done)
        else if (typeof message['cdp'] === 'object') client.send?.(message['cdp'] as CdpMessage)
      },
      broken: () => execution.kill(),
    },
    limits.maxMessageBytes,
  )

  return {
    async begin({ code, timeoutMs }) {
      const joined = await connection.client({
        receive(cdp) {
          frames.send({ cdp })
          // Code that does not read would have us keep what the browser says.
          if (frames.waiting() > limits.maxMessageBytes) execution.kill()
        },
        ended: () => {
          if (!isOver) resolve(browserGone)
          execution.kill()
        },
        refusal: (message) => refusal(message, reach),
        contextId: reach.contextId,
      })
      client.close = () => joined.close()
      client.send = (message) => {
        joined.send(message)
        if (!joined.isFull()) return
        frames.pause()
        void joined.drained().then(frames.resume)
      }
      frames.send({
        job: { code, actionTimeoutMs: actionTimeoutMs(timeoutMs), pageId: pageId(), contextId: reach.contextId },
      })
      return done
    },
    async end() {
      isOver = true
      await client.close?.()
    },
  }
}
