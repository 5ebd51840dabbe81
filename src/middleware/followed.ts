import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../kernel/ctx.ts'
import type { Caller, Policy } from '../kernel/invoke.ts'
import { isOver, type JobState } from '../kernel/job-state.ts'
import type { AnyOperation } from '../kernel/operation.ts'

const firstPauseMs = 100
const longestPauseMs = 1000

/**
 * Calls that begin a job may wait for it: `wait` says how many seconds at most, and `job` in the answer how far it is
 * then. It is the caller here that waits, so that it works the same when the job runs at a remote service.
 */
export const followed: Policy = (next) => async (operation, input, ctx) => {
  const { wait, ...rest } = input as { wait?: unknown }
  if (!operation.follow || typeof wait !== 'number' || !Number.isInteger(wait) || wait < 0 || wait > 300)
    return next(operation, input, ctx)
  const output = (await next(operation, rest, ctx)) as { id: string }
  return wait === 0 ? output : { ...output, job: await follow(next, operation.follow, output.id, wait * 1000, ctx) }
}

async function follow(
  next: Caller,
  { operation }: NonNullable<AnyOperation['follow']>,
  id: string,
  waitMs: number,
  ctx: Ctx,
): Promise<object> {
  const endsAt = Date.now() + waitMs
  const read = (skip: number, limit: number) => next(operation, { id, skip, limit }, ctx) as Promise<JobState>
  let pauseMs = firstPauseMs
  let state = await read(0, 1)
  while (!isOver(state) && Date.now() < endsAt) {
    await sleep(Math.min(pauseMs, Math.max(0, endsAt - Date.now())), undefined, { signal: ctx.signal })
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)
    state = await read(state.completed, 1)
    ctx.progress(state.completed, state.total || undefined, newest(state))
  }
  return read(0, 100)
}

/** The page that came last. */
function newest({ data, completed, total }: JobState): string {
  const { metadata } = (data.at(-1) ?? {}) as { metadata?: { sourceURL?: unknown } }
  const url = typeof metadata?.sourceURL === 'string' ? `: ${metadata.sourceURL}` : ''
  return `${completed} of ${total} pages${url}`
}
