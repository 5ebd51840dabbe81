import { setTimeout as sleep } from 'node:timers/promises'
import { CdpError } from '../cdp/error.ts'
import type { Session } from '../cdp/session.ts'

/** A place of our own beside the scripts of a frame: it sees the same document, and nothing that they have overridden or can watch. */
export type World = {
  /** Calls a self-contained function there. A page that leaves meanwhile is asked again where it arrives. */
  call<A extends readonly unknown[], R>(run: (...args: A) => R, args: A, signal?: AbortSignal): Promise<Awaited<R>>
  /** The same for what stays in the page: the id of the object. */
  refer<A extends readonly unknown[]>(run: (...args: A) => unknown, args: A, signal?: AbortSignal): Promise<string>
}

/** What a script in the page threw. The message is the page's: it goes to whoever sent the script, never to the log. */
export class PageError extends Error {
  override readonly name = 'PageError'
}

const maxTries = 40
const tryAgainMs = 25

export function createWorld(session: Session, frameId: string): World {
  let current: number | undefined
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id === frameId) current = undefined
  })

  async function open(signal?: AbortSignal): Promise<number> {
    const wish = { frameId, worldName: 'gossamer' }
    return (await session.send('Page.createIsolatedWorld', wish, signal)).executionContextId
  }

  async function within<T>(work: (contextId: number) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work((current ??= await open(signal)))
      } catch (error) {
        current = undefined
        if (!hasLeft(error) || tries >= maxTries) throw error
        await sleep(tryAgainMs, undefined, { signal })
      }
    }
  }

  return {
    call: <A extends readonly unknown[], R>(run: (...args: A) => R, args: A, signal?: AbortSignal) =>
      within(
        (contextId) => evaluate<Awaited<R>>(session, { expression: callOf(run, args), contextId }, signal),
        signal,
      ),
    refer: (run, args, signal) =>
      within(async (contextId) => {
        const { result } = await session.send('Runtime.evaluate', { expression: callOf(run, args), contextId }, signal)
        return result.objectId ?? ''
      }, signal),
  }
}

/** Evaluates an expression, awaits its promise and takes the value by copy. Throws PageError for what the page threw. */
export async function evaluate<T>(
  session: Session,
  what: { expression: string; contextId?: number; userGesture?: boolean },
  signal?: AbortSignal,
): Promise<T> {
  const { result, exceptionDetails } = await session.send(
    'Runtime.evaluate',
    { ...what, returnByValue: true, awaitPromise: true },
    signal,
  )
  if (!exceptionDetails) return result.value as T
  const { exception, text } = exceptionDetails
  throw new PageError(String(exception?.description ?? exception?.value ?? text).split('\n', 1)[0])
}

/** Whether a call failed because the page went elsewhere while it ran. */
export const hasLeft = (error: unknown): boolean =>
  error instanceof CdpError &&
  error.why === 'refused' &&
  /context|navigated|No frame|Internal error|Promise was collected/i.test(error.message)

export const callOf = (run: { toString(): string }, args: readonly unknown[]): string =>
  `(${run.toString()})(${args.map((arg) => JSON.stringify(arg) ?? 'undefined').join(',')})`
