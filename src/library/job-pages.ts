import type { Document, JobEnd } from './api.ts'
import type { EachOptions, PageHandler, PagesOptions, CallOptions } from './options.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyOperation, isFinished } from '../kernel/operation.ts'
import { AppError } from '../kernel/error.ts'

export type Caller = (operation: AnyOperation, input: object, options?: CallOptions) => Promise<object>

type StateOfPages = { status: string; completed: number; data: readonly unknown[] }

export type FollowedJob<S extends StateOfPages> = {
  /** State of the job, with its pages starting at `skip`. */
  state(skip: number): Promise<S>
  /** Number of pages taken so far. */
  taken(): number
  /** Resolves after the time, or when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

const pollMs = 250
const retries = 5

/**
 * Yields the states of a job until it has ended. The consumer takes the pages of each state before the next one is
 * requested. After the signal aborts, one last state is yielded with the pages available by then.
 */
export async function* statesOf<S extends StateOfPages>(job: FollowedJob<S>, signal: AbortSignal): AsyncGenerator<S> {
  for (;;) {
    const isLast = signal.aborted
    const state = await stateOf(job, signal)
    yield state
    const isCaughtUp = state.data.length === 0 || job.taken() >= state.completed
    if (isLast || (isCaughtUp && isFinished(state))) return
    if (isCaughtUp) await job.pause(pollMs, signal)
  }
}

/** Requests the state. Retries if a remote service is unavailable for a moment, which must not end a long crawl. */
async function stateOf<S extends StateOfPages>(job: FollowedJob<S>, signal: AbortSignal): Promise<S> {
  for (let tries = 1; ; tries += 1)
    try {
      return await job.state(job.taken())
    } catch (thrown) {
      if (tries > retries || signal.aborted || !isTemporary(thrown)) throw thrown
      await job.pause(1000 * tries, signal)
    }
}

const isTemporary = (thrown: unknown) =>
  thrown instanceof AppError && ['REMOTE_UNAVAILABLE', 'QUEUE_FULL'].includes(thrown.code)

type State = Omit<JobEnd, 'id'> & { data: readonly Document[] }
type Pages = (input: object, options?: PagesOptions) => AsyncGenerator<Document, JobEnd, undefined>

/**
 * Returns a function that starts the job and yields its pages as they arrive; its return value is the final state. The
 * job is cancelled if the loop ends early or the signal aborts.
 */
export function pagesOf(operation: AnyOperation, operations: readonly AnyOperation[], call: Caller): Pages {
  const { status, cancel } = routesOfJob(operation, operations)
  return async function* pages(input, { signal = new AbortController().signal } = {}) {
    const { id } = (await call(operation, input, { signal })) as { id: string }
    let taken = 0
    let last: State | undefined
    try {
      const job: FollowedJob<State> = {
        state: async (skip) => (await call(status, { id, skip }, { signal })) as State,
        taken: () => taken,
        pause: (ms) => sleep(ms, undefined, { signal }).catch(() => {}),
      }
      for await (const state of statesOf(job, signal)) {
        for (const document of state.data) {
          taken += 1
          yield document
          signal.throwIfAborted()
        }
        last = state
        signal.throwIfAborted()
      }
      const { data: _, ...end } = last!
      return { id, ...end }
    } finally {
      if (last === undefined || last.status === 'scraping') await call(cancel, { id }).catch(() => {})
    }
  }
}

/** Returns the operations that read and cancel the job. They have the same path. */
function routesOfJob({ name, follow }: AnyOperation, operations: readonly AnyOperation[]) {
  const status = follow?.operation
  const cancel = operations.find(({ route }) => route === status?.route.replace(/^GET/, 'DELETE'))
  if (!status || !cancel) throw new Error(`${name} starts no job that can be followed and cancelled.`)
  return { status, cancel }
}

/** Maximum number of pages that are handled at a time. */
const maxHandlers = 1000

/** Returns a function that calls a handler with each page of a job. An error in the handler cancels the job. */
export function eachPage(readPages: Pages) {
  return async (input: object, handle: PageHandler<Document>, options: EachOptions = {}): Promise<JobEnd> => {
    const { signal: given, concurrency = 1 } = options
    if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > maxHandlers)
      throw new RangeError(`concurrency: Expected a whole number from 1 to ${maxHandlers}, received ${concurrency}`)
    const failed = new AbortController()
    const signal = given ? AbortSignal.any([given, failed.signal]) : failed.signal
    const pages = readPages(input, { signal })
    let end: JobEnd | undefined
    // A generator queues calls of next(), so workers can share it.
    const work = async () => {
      while (!signal.aborted) {
        const { done, value } = await pages.next()
        if (done) {
          end ??= value
          return
        }
        await handle(value, { signal })
      }
    }
    const workers = Array.from({ length: concurrency }, () => work().catch((thrown: unknown) => failed.abort(thrown)))
    await Promise.all(workers)
    await pages.return(end!)
    signal.throwIfAborted()
    return end!
  }
}
