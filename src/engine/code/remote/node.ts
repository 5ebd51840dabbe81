import type { CdpMessage } from '../../browser/cdp/shapes.ts'
import { createFrames } from '../frames.ts'
import { actionTimeoutMs, browserGone, type Done, type OpenChannel } from './channel.ts'
import { joinAsCode, type Joined } from './client.ts'

/** Node code speaks with the browser itself, as one more client of the connection. */
export const openNodeChannel: OpenChannel = (execution, options) => {
  const { promise: done, resolve } = Promise.withResolvers<Done>()
  let isOver = false
  let joined: Joined | undefined
  const over = (how: Done) => {
    resolve(how)
    execution.socket.end()
  }
  const frames = createFrames(
    execution.socket,
    {
      message(message) {
        if ('done' in message) over(message['done'] as Done)
        else if (typeof message['cdp'] === 'object') joined?.send(message['cdp'] as CdpMessage)
      },
      broken: () => execution.kill(),
    },
    options.limits.maxMessageBytes,
  )

  return {
    async begin({ code, timeoutMs }) {
      joined = await joinAsCode(options, {
        execution,
        frames,
        tell: (cdp) => frames.send({ cdp }),
        ended: () => {
          if (!isOver) resolve(browserGone)
          execution.kill()
        },
      })
      const { contextId } = options.reach
      frames.send({ job: { code, actionTimeoutMs: actionTimeoutMs(timeoutMs), pageId: options.pageId(), contextId } })
      return done
    },
    async end() {
      isOver = true
      await joined?.close()
    },
  }
}
