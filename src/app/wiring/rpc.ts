import { abortReason, unlessAborted } from '../../util/async.ts'
import { packThrown, type Thrown, unpackThrown } from '../../kernel/error.ts'

/** One end of a MessageChannel. */
type CallPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
  close(): void
}

/**
 * Functions of one thread that another may call. Arguments and results are copied (structured clone). A function that a
 * call returns (a release) is kept here, and runs once, when the caller calls its copy.
 */
export type Callable<T> = { readonly [K in keyof T]: (input: never, signal: AbortSignal) => Promise<unknown> }

type InputOf<F> = F extends (input: infer I, signal: AbortSignal) => Promise<unknown> ? I : never
type ResultOf<F> = F extends (input: never, signal: AbortSignal) => Promise<infer R> ? R : never
/**
 * Rejects as the function does. If the signal aborts, rejects immediately with its reason, and aborts the signal of the
 * function too.
 */
export type Call<T> = <K extends keyof T & string>(
  name: K,
  input: InputOf<T[K]>,
  signal?: AbortSignal,
) => Promise<ResultOf<T[K]>>

type Request = { id: number; name: string; input: unknown } | { abandoned: number } | { released: number }
type Answer = { id: number } & ({ value: unknown } | { isRelease: true } | { thrown: Thrown })

/** Serves calls received over a port. `close` aborts running calls, and runs the releases that callers did not call. */
export function serveCalls<T extends Callable<T>>(port: CallPort, functions: T): { close(): void } {
  const running = new Map<number, AbortController>()
  const releases = new Map<number, () => void>()
  let isClosed = false
  const post = (message: Answer) => port.postMessage(message)

  function release(id: number): void {
    const run = releases.get(id)
    releases.delete(id)
    run?.()
  }
  async function answer(id: number, name: string, input: unknown): Promise<void> {
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const value = await functions[name as keyof T](input as never, controller.signal)
      if (typeof value !== 'function') return post({ id, value })
      releases.set(id, value as () => void)
      if (isClosed) release(id)
      else post({ id, isRelease: true })
    } catch (thrown) {
      post({ id, thrown: packThrown(thrown) })
    } finally {
      running.delete(id)
    }
  }
  port.on('message', (message) => {
    const request = message as Request
    if ('abandoned' in request) running.get(request.abandoned)?.abort(new Error('The caller has left.'))
    else if ('released' in request) release(request.released)
    else void answer(request.id, request.name, request.input)
  })
  return {
    close() {
      running.forEach((controller) => controller.abort(new Error('The caller has ended.')))
      isClosed = true
      releases.forEach((_, id) => release(id))
      port.close()
    },
  }
}

/** Calls functions served at the other end of a port. */
export function callerOver<T extends Callable<T>>(port: CallPort): Call<T> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: Error): void }>()
  let lastId = 0
  port.on('message', (message) => {
    const answer = message as Answer
    const { id } = answer
    const call = waiting.get(id)
    waiting.delete(id)
    const release = () => port.postMessage({ released: id } satisfies Request)
    if ('thrown' in answer) call?.reject(unpackThrown(answer.thrown))
    else if ('value' in answer) call?.resolve(answer.value)
    else if (call) call.resolve(release)
    // The call was abandoned, so nobody else can release it.
    else release()
  })
  return async (name, input, signal) => {
    if (signal?.aborted) throw abortReason(signal)
    const id = ++lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, { resolve, reject })
    try {
      port.postMessage({ id, name, input } satisfies Request)
      return (await unlessAborted(signal, promise)) as never
    } catch (thrown) {
      // `waiting` has the id as long as no answer has arrived.
      if (waiting.delete(id)) port.postMessage({ abandoned: id } satisfies Request)
      throw thrown
    }
  }
}
