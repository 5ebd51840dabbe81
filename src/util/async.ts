/** A step that exceeded its time limit. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly step: string
  readonly ms: number

  constructor(step: string, ms: number) {
    super(`${step} did not end within ${ms} ms`)
    this.step = step
    this.ms = ms
  }
}

/**
 * Runs a step with a time limit. Rejects in time with a DeadlineError, or with the signal's reason, even when the work never
 * settles; the signal given to the work aborts at that moment.
 */
export function withDeadline<T>(
  { step, ms }: { step: string; ms: number },
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) return Promise.reject(abortReason(signal))
  const controller = new AbortController()
  return new Promise<T>((resolve, reject) => {
    const clear = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const end = (reason: Error) => {
      clear()
      reject(reason)
      controller.abort(reason)
    }
    const onAbort = () => signal && end(abortReason(signal))
    const timer = setTimeout(() => end(new DeadlineError(step, ms)), ms)
    signal?.addEventListener('abort', onAbort, { once: true })
    // A promise settles once: a late result or error is dropped.
    work(controller.signal).then(resolve, reject).finally(clear)
  })
}

/** The reason of an aborted signal. One that is no Error becomes the cause of an Error. */
export const abortReason = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('The call was aborted.', { cause: reason })

export type Notifier = {
  /** Ends the current wait, or else the next one at once. */
  notify(): void
  /** Resolves on the next notification, or after so long. The wait does not keep the process alive. */
  wait(ms: number): Promise<void>
}

/** Lets a loop sleep until there is something to do. */
export function createNotifier(): Notifier {
  let isNotified = false
  let wakeUp: (() => void) | undefined
  return {
    notify() {
      isNotified = true
      wakeUp?.()
    },
    async wait(ms) {
      if (!isNotified) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wakeUp = resolve
        const timer = setTimeout(resolve, ms)
        timer.unref()
        await promise
        clearTimeout(timer)
        wakeUp = undefined
      }
      isNotified = false
    },
  }
}

let last = Promise.resolve()

/**
 * A turn of the event loop of one's own: whoever does work that takes a while does a part of it in each turn, and one alone
 * does so in a turn, however many ask, so that everybody else is answered in between.
 */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
  return last
}

/** A long list in parts, each in a turn of its own; a list of one part needs none. */
export async function* inTurns<T>(list: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) {
    if (list.length > size) await ownTurn()
    yield list.slice(at, at + size)
  }
}

export type Lazy<T> = (() => Promise<T>) & {
  /** Closes the value if it was ever made. */
  close(end: (value: T) => Promise<void>): Promise<void>
}

/** Runs `make` on the first call and returns its result to every call; after an error the next call tries again. */
export function once<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined
  const get = () => {
    made ??= make().catch((cause: unknown) => {
      made = undefined
      throw cause
    })
    return made
  }
  return Object.assign(get, {
    close: async (end: (value: T) => Promise<void>) => {
      if (made) await end(await made)
    },
  })
}

type AsyncFunctions<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => Promise<R> : never
}

/** The names of all functions of a port: a missing one does not compile. */
type NamesOf<T> = Readonly<Record<keyof T & string, true>>

/** A port that is opened when one of its functions is first called, so that nothing heavy is loaded at start. */
export function lazyPort<T extends AsyncFunctions<T>>(open: () => Promise<T>, names: NamesOf<T>): T {
  const call =
    (name: keyof T) =>
    async (...args: unknown[]) => {
      const port = await open()
      return (port[name] as (...args: unknown[]) => Promise<unknown>)(...args)
    }
  return Object.fromEntries(Object.keys(names).map((name) => [name, call(name as keyof T)])) as unknown as T
}
