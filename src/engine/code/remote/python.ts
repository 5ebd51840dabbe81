import { createFrames } from '../frames.ts'
import { createApi } from '../playwright/context.ts'
import { actionTimeoutMs, type Done, type OpenChannel, browserGone } from './channel.ts'
import { createObjects, type Objects } from './objects.ts'
import { connectAsCode } from './client.ts'
import { createBridgeEnd } from './bridge.ts'

type ObjectRequest = { request: number; path: unknown }

/** Python code calls the API that lives here: its own process needs nothing but the standard library. */
export const openPythonChannel: OpenChannel = (execution, { connection, reach, limits, pageId }) => {
  const { promise: done, resolve } = Promise.withResolvers<Done>()
  const over = (how: Done) => {
    resolve(how)
    execution.socket.end()
  }
  let objects: Objects | undefined
  let leave: (() => void) | undefined
  const frames = createFrames(
    execution.socket,
    {
      message(message) {
        if ('done' in message) over(message['done'] as Done)
        else if (objects && 'request' in message) void answer(objects, message as ObjectRequest)
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
      const own = await connectAsCode(connection, reach)
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
