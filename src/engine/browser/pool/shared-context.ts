import type { Connection } from '../cdp/connection.ts'
import { type ContextOptions, openContext, type OpenContext } from './context.ts'

/** A context that requests share while it is in use, and for some time after. */
export type SharedContext = {
  readonly opened: Promise<OpenContext>
  once<T>(work: () => Promise<T>): Promise<T>
  /** Called once for each `enter`. */
  leave(): void
}

const contextOpenMs = 15_000
const idleMs = 60_000

/** One context for each key and its options, opened on first use and closed after a minute without use. */
export function createSharedContexts(connection: Connection) {
  const contexts = new Map<string, SharedContext & { enter(): void; stop(): void }>()

  function open(key: string, options: ContextOptions) {
    const opened = openContext(connection, options, AbortSignal.timeout(contextOpenMs))
    let visits = 0
    let timer: NodeJS.Timeout | undefined
    const stop = () => {
      clearTimeout(timer)
      contexts.delete(key)
    }
    const close = () => {
      stop()
      void opened.then((context) => context.close()).catch(() => undefined)
    }
    opened.catch(stop)
    return {
      opened,
      once: createRunOnce(),
      enter() {
        visits++
        clearTimeout(timer)
      },
      leave() {
        visits--
        if (visits === 0) timer = setTimeout(close, idleMs).unref()
      },
      stop,
    }
  }

  return {
    enter(key: string, options: ContextOptions): SharedContext {
      const id = JSON.stringify([key, options])
      const context = contexts.get(id) ?? open(id, options)
      contexts.set(id, context)
      context.enter()
      return context
    },
    /** The browser closes, and all contexts with it. */
    stop: () => contexts.forEach((context) => context.stop()),
  }
}

/** Work that failed for one request is tried again by the next. */
function createRunOnce(): SharedContext['once'] {
  let done: Promise<unknown> | undefined
  return async function once<T>(work: () => Promise<T>): Promise<T> {
    const before = done
    if (before === undefined) {
      done = work()
      done.catch(() => (done = undefined))
      return done as Promise<T>
    }
    return (before as Promise<T>).catch(() => once(work))
  }
}
