import { TimeoutError } from './errors.ts'

type Listener = (given: never) => unknown

type WaitOptions = { timeout?: number; predicate?: (given: unknown) => unknown }

export type Emitter = {
  on(event: string, listener: Listener): void
  off(event: string, listener: Listener): void
  once(event: string, listener: Listener): void
  has(event: string): boolean
  emit(event: string, given?: unknown): void
  /** Fails with a TimeoutError after `timeoutMs`; 0 waits for ever. */
  wait(event: string, timeoutMs: number, predicate?: WaitOptions['predicate']): Promise<unknown>
}

export function createEmitter(): Emitter {
  const listeners = new Map<string, Set<Listener>>()
  const off = (event: string, listener: Listener) => void listeners.get(event)?.delete(listener)
  const on = (event: string, listener: Listener) =>
    void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
  return {
    on,
    off,
    once(event, listener) {
      const first: Listener = (given) => {
        off(event, first)
        return listener(given)
      }
      on(event, first)
    },
    has: (event) => (listeners.get(event)?.size ?? 0) > 0,
    emit(event, given) {
      for (const listener of Array.from(listeners.get(event) ?? [])) listener(given as never)
    },
    wait(event, timeoutMs, predicate = () => true) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const hear = (given: unknown) => {
        if (predicate(given)) resolve(given)
      }
      const late = () => reject(new TimeoutError(`Timeout ${timeoutMs}ms exceeded while waiting for event "${event}"`))
      const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs).unref() : undefined
      on(event, hear)
      return promise.finally(() => {
        clearTimeout(timer)
        off(event, hear)
      })
    },
  }
}

/** The event methods of API objects, named as in Playwright. */
export function eventMethods(emitter: Emitter, timeoutMs: () => number) {
  const { on, off, once } = emitter
  return {
    on,
    off,
    once,
    addListener: on,
    removeListener: off,
    waitForEvent(event: string, options: WaitOptions | WaitOptions['predicate'] = {}): Promise<unknown> {
      const { timeout, predicate } =
        typeof options === 'function' ? { predicate: options, timeout: undefined } : options
      return emitter.wait(event, timeout ?? timeoutMs(), predicate)
    },
  }
}
