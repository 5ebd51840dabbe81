import type { Job, Jobs } from '../contracts/ports.ts'
import type { Ctx } from '../kernel/ctx.ts'
import { toAppError } from '../kernel/error.ts'
import type { Policy } from '../kernel/invoke.ts'
import type { AnyOperation, Settled } from '../kernel/operation.ts'

type Ending = Settled<object, object>

/** Every job leaves its record, its activity row and its price before the caller hears of it, so that nothing acknowledged is lost. */
export const recorded =
  (jobs: Pick<Jobs, 'record'>): Policy =>
  (next) =>
  async (operation, input, ctx) => {
    if (!operation.job) return next(operation, input, ctx)
    const record = (ending: Ending) =>
      jobs.record(jobOf(operation, ending, ctx)).catch((cause: unknown) => unrecorded(ctx, cause))
    const output = await next(operation, input, ctx).catch(async (thrown: unknown) => {
      const error = toAppError(thrown)
      await record({ input, error })
      throw error
    })
    await record({ input, output })
    return output
  }

/** A full disk must not cost the caller the answer; it is told that the job cannot be read again. */
function unrecorded(ctx: Ctx, cause: unknown): void {
  ctx.log.error('job not recorded', { jobId: ctx.jobId, cause })
  ctx.warn('This job could not be recorded, so it cannot be read again by its id.')
}

function jobOf(operation: AnyOperation, ending: Ending, ctx: Ctx) {
  const { job, price } = operation
  return {
    id: ctx.jobId,
    teamId: ctx.team.id,
    keyName: ctx.team.key,
    endpoint: job?.endpoint ?? operation.name,
    target: job?.target(ending.input) ?? null,
    createdAt: ctx.startedAt,
    status: ending.error ? ('failed' as const) : ('completed' as const),
    errorCode: ending.error?.code ?? null,
    ...keptOf(job, ending),
    credits: price?.(ending) ?? 0,
  }
}

/** Of a call that failed nothing is kept. */
function keptOf(job: AnyOperation['job'], { input, output }: Ending): Pick<Job, 'result' | 'replay'> {
  if (!job || !output) return { result: null, replay: null }
  return { result: job.keep(input, output) ?? null, replay: job.replay?.(input) ?? null }
}
