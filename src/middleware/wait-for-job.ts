import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../kernel/ctx.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { isFinished, type JobProgress, type JobState } from '../kernel/job-state.ts'

const firstPauseMs = 100
const longestPauseMs = 1000

/**
 * Calls that start a job can wait for it: `wait` is the longest wait in seconds (at most 300), and `job` in the answer is
 * the state of the job afterwards. The wait is on this side, so that it works the same with a remote service.
 */
export const waitForJob: Middleware = ({ follow }, next, invoke) => {
  if (!follow) return next
  return async (input, ctx) => {
    const { wait, ...rest } = input as { wait?: unknown }
    if (typeof wait !== 'number' || !Number.isInteger(wait) || wait < 0 || wait > 300) return next(input, ctx)
    const output = (await next(rest, ctx)) as { id: string }
    if (wait === 0) return output
    const { operation, answers } = follow
    const read = (range: Range) =>
      invoke(operation, { id: output.id, ...(answers === 'pages' && range) }, ctx) as Promise<JobProgress>
    return { ...output, job: await waitFor(read, wait * 1000, ctx) }
  }
}

/** Which of its pages an answer holds. */
type Range = { skip: number; limit: number }
type ReadState = (range: Range) => Promise<JobProgress>

async function waitFor(read: ReadState, waitMs: number, { signal, progress }: Ctx): Promise<JobProgress> {
  const endsAt = Date.now() + waitMs
  let pauseMs = firstPauseMs
  let state = await read({ skip: 0, limit: 1 })
  while (!isFinished(state) && Date.now() < endsAt) {
    await sleep(Math.min(pauseMs, Math.max(0, endsAt - Date.now())), undefined, { signal })
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)
    state = await read({ skip: state.completed, limit: 1 })
    progress(state.completed, state.total || undefined, newest(state))
  }
  return read({ skip: 0, limit: 100 })
}

/** How many pages there are, and the newest one. */
function newest({ data, completed, total }: JobProgress & Partial<Pick<JobState, 'data'>>): string {
  const [last] = Array.isArray(data) ? data.slice(-1) : []
  const { metadata } = (last ?? {}) as { metadata?: { sourceURL?: unknown } }
  const url = typeof metadata?.sourceURL === 'string' ? `: ${metadata.sourceURL}` : ''
  return `${completed} of ${total} pages${url}`
}
