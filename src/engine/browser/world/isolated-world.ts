import { setTimeout as sleep } from 'node:timers/promises'
import type { Protocol } from 'devtools-protocol'
import { CdpError } from '../cdp/error.ts'
import type { Session } from '../cdp/session.ts'
import {
  type ArgsOf,
  callFunction,
  type InjectedFunctions,
  injectFunctions,
  type PageFunction,
  preloadPageScript,
  type ResultOf,
} from './page-script.ts'

/** An isolated world of a frame: it shares the document with the page's scripts, which can neither see nor override what is in it. */
export type World = {
  /** Calls a function of the page script there. If the page leaves meanwhile, it is called again where the page arrives. */
  call<N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal): Promise<ResultOf<N>>
  /** The same for a result that stays in the page: the id of the object. */
  refer<N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal): Promise<string>
}

/** What a script in the page threw. The message is the page's: it goes to whoever sent the script, never to the log. */
export class PageError extends Error {
  override readonly name = 'PageError'
}

export const worldName = 'gossamer'
/** So often a call is made again while the page goes elsewhere. */
const usualTries = 40
const tryAgainMs = 25

export function createWorld(session: Session, frameId: string, maxTries = usualTries): World {
  preloadPageScript()
  let current: InjectedFunctions | undefined
  /** The world of a document keeps its functions, and what they remember. */
  let known: { contextId: number; functions: InjectedFunctions } | undefined
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id === frameId) current = undefined
  })

  async function open(signal?: AbortSignal): Promise<InjectedFunctions> {
    const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName }, signal)
    if (known?.contextId !== executionContextId) {
      const functions = await injectFunctions(session, executionContextId, signal)
      // Two calls at once may have opened it.
      if (known?.contextId !== executionContextId) known = { contextId: executionContextId, functions }
    }
    return known.functions
  }

  async function within<T>(work: (functions: InjectedFunctions) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work((current ??= await open(signal)))
      } catch (error) {
        current = undefined
        if (!hasLeft(error) || tries >= maxTries) throw error
        known = undefined
        await sleep(tryAgainMs, undefined, { signal })
      }
    }
  }

  return {
    call: <N extends PageFunction>(name: N, args: ArgsOf<N>, signal?: AbortSignal) =>
      within(
        async (functions) =>
          valueOf<ResultOf<N>>(await callFunction(session, functions, name, args, { as: 'value' }, signal)),
        signal,
      ),
    refer: (name, args, signal) =>
      within(async (functions) => {
        const { result } = await callFunction(session, functions, name, args, { as: 'object' }, signal)
        return result.objectId ?? ''
      }, signal),
  }
}

/** Evaluates an expression among the page's own scripts, awaits its promise and copies the value. Throws PageError for what the page threw. */
export async function evaluate<T>(session: Session, expression: string, signal?: AbortSignal): Promise<T> {
  const options = { userGesture: true, returnByValue: true, awaitPromise: true }
  return valueOf(await session.send('Runtime.evaluate', { expression, ...options }, signal))
}

function valueOf<T>({ result, exceptionDetails }: Protocol.Runtime.EvaluateResponse): T {
  if (!exceptionDetails) return result.value as T
  const { exception, text } = exceptionDetails
  throw new PageError(String(exception?.description ?? exception?.value ?? text).split('\n', 1)[0])
}

/** Whether a call failed because the page went elsewhere while it ran. */
export const hasLeft = (error: unknown): boolean =>
  error instanceof CdpError &&
  error.why === 'refused' &&
  /context|navigated|No frame|object with given id|Internal error|Promise was collected/i.test(error.message)
