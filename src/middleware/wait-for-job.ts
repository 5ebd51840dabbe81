import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../kernel/ctx.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { isFinished, type JobState } from '../kernel/job-state.ts'

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
    const read = (skip: number, limit: number) =>
      invoke(follow.operation, { id: output.id, skip, limit }, ctx) as Promise<JobState>
    return { ...output, job: await waitFor(read, wait * 1000, ctx) }
  }
}

type ReadState = (skip: number, limit: number) => Promise<JobState>

async function waitFor(read: ReadState, waitMs: number, { signal, progress }: Ctx): Promise<JobState> {
  const endsAt = Date.now() + waitMs
  let pauseMs = firstPauseMs
  let state = await read(0, 1)
  while (!isFinished(state) && Date.now() < endsAt) {
    await sleep(Math.min(pauseMs, Math.max(0, endsAt - Date.now())), undefined, { signal })
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)
    state = await read(state.completed, 1)
    progress(state.completed, state.total || undefined, newest(state))
  }
  return read(0, 100)
}

/** How many pages there are, and the newest one. */
function newest({ data, completed, total }: JobState): string {
  const { metadata } = (data.at(-1) ?? {}) as { metadata?: { sourceURL?: unknown } }
  const url = typeof metadata?.sourceURL === 'string' ? `: ${metadata.sourceURL}` : ''
  return `${completed} of ${total} pages${url}`
}
