import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyOperation } from '../kernel/operation.ts'
import type { Document, JobEnd } from './api.ts'
import type { Caller } from './call.ts'
import { type FollowedJob, statesOf } from './follow.ts'
import type { PagesOptions } from './options.ts'

type State = Omit<JobEnd, 'id'> & { data: readonly Document[] }
export type Pages = (input: object, options?: PagesOptions) => AsyncGenerator<Document, JobEnd, undefined>

/**
 * Begins the job and gives its pages as they come; the return value is how it ended. A job whose pages are not read to
 * their end, since the loop was left or the signal fired, is cancelled.
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

/** The operations that tell how far a job is and end it: one route, by two methods. */
function routesOfJob({ name, follow }: AnyOperation, operations: readonly AnyOperation[]) {
  const status = follow?.operation
  const cancel = operations.find(({ route }) => route === status?.route.replace(/^GET/, 'DELETE'))
  if (!status || !cancel) throw new Error(`${name} begins no job that can be followed and cancelled.`)
  return { status, cancel }
}
