import type { Connection } from '../cdp/connection.ts'
import { type ContextWish, openContext, type OpenContext } from './context.ts'

/** A context that visits share while it is in use, and for some time after. */
export type SharedContext = {
  readonly opened: Promise<OpenContext>
  once<T>(work: () => Promise<T>): Promise<T>
  /** Called by each that entered. */
  leave(): void
}

const openMs = 15_000
const idleMs = 60_000

/** One context for each key and wish, opened at first need and closed when nobody has used it for a minute. */
export function createSharedContexts(connection: Connection) {
  const contexts = new Map<string, SharedContext & { enter(): void; stop(): void }>()

  function open(key: string, wish: ContextWish) {
    const opened = openContext(connection, wish, AbortSignal.timeout(openMs))
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
      once: onlyOnce(),
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
    enter(key: string, wish: ContextWish): SharedContext {
      const whole = JSON.stringify([key, wish])
      const context = contexts.get(whole) ?? open(whole, wish)
      contexts.set(whole, context)
      context.enter()
      return context
    },
    /** The browser ends, and all contexts with it. */
    stop: () => contexts.forEach((context) => context.stop()),
  }
}

/** What failed for one visit is tried anew by the next. */
function onlyOnce(): SharedContext['once'] {
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
