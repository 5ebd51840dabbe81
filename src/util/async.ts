import { setTimeout as sleep } from 'node:timers/promises'

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
 * Runs a step with a time limit. Rejects with a DeadlineError at the limit, or with the signal's reason, even if the
 * work never settles; the signal passed to the work aborts at that moment.
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
    // A promise settles once, so a late result or error is dropped.
    work(controller.signal).then(resolve, reject).finally(clear)
  })
}

/** Returns the reason of an aborted signal. A reason that is not an Error is wrapped in one. */
export const abortReason = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('The call was aborted.', { cause: reason })

/** Settles as the work does, or rejects with the signal's reason, even if the work ignores the signal. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const leave = () => reject(abortReason(signal))
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  return Promise.race([aborted, work]).finally(() => signal.removeEventListener('abort', leave))
}

/** Resolves with true if the work succeeds, with false if it fails. */
export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

export type Notifier = {
  /** Ends the current wait, or the next one immediately if none is in progress. */
  notify(): void
  /** Resolves on the next notification or after `ms`. The wait does not keep the process alive. */
  wait(ms: number): Promise<void>
}

/** Lets a loop sleep until there is work. */
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
 * Resolves in a separate turn of the event loop. Long work runs in parts, one part per turn across all callers, so that
 * other requests are served in between.
 */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
  return last
}

/**
 * Yields a list in parts of `size`, each in its own turn of the event loop; a list that fits in one part is yielded
 * immediately.
 */
export async function* inTurns<T>(list: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) {
    if (list.length > size) await ownTurn()
    yield list.slice(at, at + size)
  }
}

export type Lazy<T> = (() => Promise<T>) & {
  /** Closes the value if it was ever created. */
  close(end: (value: T) => Promise<void>): Promise<void>
}

/** Runs `make` on the first call and returns its result to every call; after an error, the next call tries again. */
export function once<T>(make: () => Promise<T>): Lazy<T> {
  let result: Promise<T> | undefined
  const get = () => {
    result ??= make().catch((cause: unknown) => {
      result = undefined
      throw cause
    })
    return result
  }
  return Object.assign(get, {
    close: async (end: (value: T) => Promise<void>) => {
      if (result) await end(await result)
    },
  })
}

/** Runs `make` on the first call and returns its result to every call. */
export function lazily<T>(make: () => T): () => T {
  let result: { value: T } | undefined
  return () => (result ??= { value: make() }).value
}

type AsyncFunctions<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => Promise<R> : never
}

/**
 * A port that is opened by the first call of any of its functions, so nothing heavy is loaded at startup. The names of
 * the functions are unknown until then, so it cannot be copied by spreading; `overriding` replaces some of them.
 */
export const lazyPort = <T extends AsyncFunctions<T>>(open: () => Promise<T>): T =>
  new Proxy({} as T, {
    get: (_, name) =>
      // Without `then`, a promise can resolve to the port itself.
      name === 'then' ? undefined : async (...args: unknown[]) => callOf(await open(), name as keyof T, args),
    ownKeys() {
      throw new Error('A port that is not open yet cannot be copied: use overriding.')
    },
  })

const callOf = <T>(port: T, name: keyof T, args: unknown[]) =>
  (port[name] as (...args: unknown[]) => Promise<unknown>)(...args)

/** Returns the port with some of its functions replaced. */
export const overriding = <T extends object>(port: T, own: Partial<T>): T =>
  new Proxy(port, { get: (all, name): unknown => Reflect.get(Object.hasOwn(own, name) ? own : all, name) })

/** Repeats a read until its result is accepted or `ms` have passed. Returns the last result. */
export async function poll<T>(
  ms: number,
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
  isEnough: (result: T) => boolean = (result) => result !== undefined,
  everyMs = 100,
): Promise<T> {
  for (const until = performance.now() + ms; ;) {
    const result = await read()
    if (isEnough(result) || performance.now() >= until) return result
    await sleep(everyMs, undefined, { signal })
  }
}
