import { abortReason, unlessAborted } from '../../util/async.ts'
import { packThrown, type Thrown, unpackThrown } from '../../kernel/error.ts'

/** One end of a MessageChannel. */
type CallPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
  close(): void
}

/**
 * Functions of one thread that another may call. Arguments and results are copied (structured clone). A result that is a
 * function without arguments stays here and is called once, when the caller calls its copy.
 */
export type Callable<T> = { readonly [K in keyof T]: (asked: never, signal: AbortSignal) => Promise<unknown> }

type Asked<F> = F extends (asked: infer A, signal: AbortSignal) => Promise<unknown> ? A : never
type Answered<F> = F extends (asked: never, signal: AbortSignal) => Promise<infer R> ? R : never
/** Rejects as the function does, or immediately with the signal's reason, which also aborts the function's signal. */
export type Call<T> = <K extends keyof T & string>(
  name: K,
  asked: Asked<T[K]>,
  signal?: AbortSignal,
) => Promise<Answered<T[K]>>

type Request = { id: number; name: string; asked: unknown } | { abandoned: number } | { called: number }
type Answer = { id: number } & ({ value: unknown } | { holds: true } | { thrown: Thrown })

/** Serves calls received over a port. `close` aborts running calls and releases functions that callers still hold. */
export function serveCalls<T extends Callable<T>>(port: CallPort, functions: T): { close(): void } {
  const running = new Map<number, AbortController>()
  const held = new Map<number, () => void>()
  let isClosed = false
  const post = (answer: Answer) => port.postMessage(answer)

  function end(id: number): void {
    const ends = held.get(id)
    held.delete(id)
    ends?.()
  }
  async function carryOut(id: number, name: string, asked: unknown): Promise<void> {
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const value = await functions[name as keyof T](asked as never, controller.signal)
      if (typeof value !== 'function') return post({ id, value })
      held.set(id, value as () => void)
      if (isClosed) end(id)
      else post({ id, holds: true })
    } catch (thrown) {
      post({ id, thrown: packThrown(thrown) })
    } finally {
      running.delete(id)
    }
  }
  port.on('message', (given) => {
    const request = given as Request
    if ('abandoned' in request) running.get(request.abandoned)?.abort(new Error('The caller has left.'))
    else if ('called' in request) end(request.called)
    else void carryOut(request.id, request.name, request.asked)
  })
  return {
    close() {
      running.forEach((controller) => controller.abort(new Error('The caller has ended.')))
      isClosed = true
      held.forEach((_, id) => end(id))
      port.close()
    },
  }
}

/** Calls functions served at the other end of a port. */
export function callerOver<T extends Callable<T>>(port: CallPort): Call<T> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: Error): void }>()
  let lastId = 0
  port.on('message', (given) => {
    const answer = given as Answer
    const { id } = answer
    const call = waiting.get(id)
    waiting.delete(id)
    const release = () => port.postMessage({ called: id } satisfies Request)
    if ('thrown' in answer) call?.reject(unpackThrown(answer.thrown))
    else if ('value' in answer) call?.resolve(answer.value)
    // A caller that disconnected in the meantime cannot release it.
    else if (call) call.resolve(release)
    else release()
  })
  return async (name, asked, signal) => {
    if (signal?.aborted) throw abortReason(signal)
    const id = ++lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, { resolve, reject })
    try {
      port.postMessage({ id, name, asked } satisfies Request)
      return (await unlessAborted(signal, promise)) as never
    } catch (thrown) {
      // No answer has come.
      if (waiting.delete(id)) port.postMessage({ abandoned: id } satisfies Request)
      throw thrown
    }
  }
}
