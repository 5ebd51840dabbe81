import { AppError } from '../kernel/error.ts'
import { isFinished } from '../kernel/job-state.ts'

type StateOfPages = { status: string; completed: number; data: readonly unknown[] }

export type FollowedJob<S extends StateOfPages> = {
  /** What became of the job, with its pages from number `skip` on. */
  state(skip: number): Promise<S>
  /** How many pages have been taken. */
  taken(): number
  /** Resolves after the time, or when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

const pollMs = 250
const retries = 5

/**
 * The states of a job until it is over. Whoever reads them takes the pages of one before the next is asked for. When the
 * signal aborts there is one more state, with what there is by then.
 */
export async function* statesOf<S extends StateOfPages>(job: FollowedJob<S>, signal: AbortSignal): AsyncGenerator<S> {
  for (;;) {
    const isLast = signal.aborted
    const state = await patiently(job, signal)
    yield state
    const isCaughtUp = state.data.length === 0 || job.taken() >= state.completed
    if (isLast || (isCaughtUp && isFinished(state))) return
    if (isCaughtUp) await job.pause(pollMs, signal)
  }
}

/** A remote service may be away for a moment, and a long crawl should not end by that. */
async function patiently<S extends StateOfPages>(job: FollowedJob<S>, signal: AbortSignal): Promise<S> {
  for (let tries = 1; ; tries += 1)
    try {
      return await job.state(job.taken())
    } catch (thrown) {
      if (tries > retries || signal.aborted || !isPassing(thrown)) throw thrown
      await job.pause(1000 * tries, signal)
    }
}

const isPassing = (thrown: unknown) =>
  thrown instanceof AppError && ['REMOTE_UNAVAILABLE', 'QUEUE_FULL'].includes(thrown.code)
