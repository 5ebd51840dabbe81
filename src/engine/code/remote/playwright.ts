import { createBridgeEnd } from './bridge.ts'
import { actionTimeoutMs, browserGone, type Done, type OpenChannel } from './channel.ts'

/** Python code has Playwright itself, which comes to the browser over the bridge in its sandbox. */
export const openPlaywrightChannel: OpenChannel = (execution, options) => {
  const { promise: done, resolve } = Promise.withResolvers<Done>()
  const bridge = createBridgeEnd(execution, options, {
    message(message) {
      resolve(message['done'] as Done)
      execution.socket.end()
    },
    browserGone() {
      resolve(browserGone)
      execution.kill()
    },
  })
  return {
    begin({ code, timeoutMs }) {
      const stepMs = actionTimeoutMs(timeoutMs)
      // To get to the browser takes a part of its time.
      const lastStepEndsMs = Date.now() + stepMs
      bridge.send({ job: { code, actionTimeoutMs: stepMs, lastStepEndsMs, pageId: options.pageId() } })
      return done
    },
    end: bridge.close,
  }
}
