import { createFrames } from '../frames.ts'
import { createApi } from '../playwright/context.ts'
import { actionTimeoutMs, type CodeOutcome, type OpenChannel, browserGone } from './channel.ts'
import { createObjects, type Objects } from './objects.ts'
import { connectInProcess } from './client.ts'
import { createBridgeEnd } from './bridge.ts'

type ObjectRequest = { request: number; path: unknown }

/** Python code calls the API in this process, so its own needs only the standard library. */
export const openPythonChannel: OpenChannel = (execution, { connection, reach, limits, pageId }) => {
  const { promise: done, resolve } = Promise.withResolvers<CodeOutcome>()
  const over = (how: CodeOutcome) => {
    resolve(how)
    execution.socket.end()
  }
  let objects: Objects | undefined
  let leave: (() => void) | undefined
  const frames = createFrames<{ done: CodeOutcome } & ObjectRequest>(
    execution.socket,
    {
      message({ done: outcome, request, path }) {
        if (outcome) over(outcome)
        else if (objects && request !== undefined) void answer(objects, { request, path })
      },
      broken: () => execution.kill(),
    },
    limits.maxMessageBytes,
  )
  const send = (message: object) => {
    frames.send(message)
    if (frames.waiting() > limits.maxMessageBytes) execution.kill()
  }

  async function answer(all: Objects, { request, path }: ObjectRequest): Promise<void> {
    try {
      send({ response: request, value: await all.follow(path) })
    } catch (thrown) {
      const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown))
      send({ response: request, error: { name, message } })
    }
  }

  return {
    async begin({ code, timeoutMs }) {
      const own = await connectInProcess(connection, reach)
      leave = () => own.close()
      const { browser, context } = await createApi(own, {
        contextId: reach.contextId,
        timeoutMs: actionTimeoutMs(timeoutMs),
      })
      const page = context.pageOf(pageId()) ?? context.pages().at(-1) ?? (await context.newPage())
      objects = createObjects({ browser, context, page }, (callback, argument) => send({ callback, argument }))
      send({ job: { code } })
      return done
    },
    end: async () => leave?.(),
  }
}

/** Python code uses the installed Playwright, which reaches the browser over the bridge in its sandbox. */
export const openPlaywrightChannel: OpenChannel = (execution, options) => {
  const { promise: done, resolve } = Promise.withResolvers<CodeOutcome>()
  const bridge = createBridgeEnd(execution, options, {
    message({ done: outcome = {} }) {
      resolve(outcome)
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
      // Connecting to the browser takes part of this time.
      const lastStepEndsMs = Date.now() + stepMs
      bridge.send({ job: { code, actionTimeoutMs: stepMs, lastStepEndsMs, pageId: options.pageId() } })
      return done
    },
    end: bridge.close,
  }
}
