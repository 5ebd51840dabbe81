import type { CdpMessage } from '../../browser/cdp/wire.ts'
import type { NodeJob } from '../child/code-child.ts'
import { createFrames } from '../frames.ts'
import { actionTimeoutMs, browserGone, type CodeOutcome, type OpenChannel } from './channel.ts'
import { connectProcess, type CodeClient } from './client.ts'

/** Node code talks to the browser directly, as one more client of the connection. */
export const openNodeChannel: OpenChannel = (execution, options) => {
  const { promise: done, resolve } = Promise.withResolvers<CodeOutcome>()
  let isOver = false
  let joined: CodeClient | undefined
  const over = (how: CodeOutcome) => {
    resolve(how)
    execution.socket.end()
  }
  const frames = createFrames<{ done: CodeOutcome; cdp: CdpMessage }>(
    execution.socket,
    {
      message({ done: outcome, cdp }) {
        if (outcome) over(outcome)
        else if (cdp) joined?.send(cdp)
      },
      broken: () => execution.kill(),
    },
    options.limits.maxMessageBytes,
  )

  return {
    async begin({ code, timeoutMs }) {
      joined = await connectProcess(options, {
        execution,
        frames,
        tell: (cdp) => frames.send({ cdp }),
        ended: () => {
          if (!isOver) resolve(browserGone)
          execution.kill()
        },
      })
      const job: NodeJob = {
        code,
        actionTimeoutMs: actionTimeoutMs(timeoutMs),
        pageId: options.pageId(),
        contextId: options.reach.contextId,
      }
      frames.send({ job })
      return done
    },
    async end() {
      isOver = true
      await joined?.close()
    },
  }
}
