import type { Clock, Ports } from '../contracts/ports.ts'
import { compose, type Handler, type Invoke, type Middleware } from '../kernel/invoke.ts'
import type { LinkedFiles } from '../contracts/fetch.ts'
import { type AnyOperation, type Settled, takesIdempotencyKey } from '../kernel/operation.ts'
import { collectWarnings, externalizeMedia, waitForJob } from './answers.ts'
import { readLeniently, readLocalFile, validate, validateOnly } from './check-input.ts'
import { limitConcurrency, limitRate, requireCredits, requirePermission, requireStorage } from './team-limits.ts'
import type { Account, FirstAnswer, Idempotency } from '../contracts/account-ports.ts'
import type { Job, Jobs } from '../contracts/job-ports.ts'
import type { Ctx } from '../kernel/ctx.ts'
import { toAppError } from '../kernel/error.ts'

type RecordPorts = { jobs: Pick<Jobs, 'record'>; account: Pick<Account, 'releaseCredits'> }
type Outcome = Settled<object, object>
type JobRule = NonNullable<AnyOperation['job']>

/** Records every job with its activity and its price before the caller gets the answer, so that nothing acknowledged is lost. */
export const recordAndCharge =
  ({ jobs, account }: RecordPorts): Middleware =>
  (operation, next) => {
    const { job } = operation
    if (!job) return next
    return async (input, ctx) => {
      const record = (outcome: Outcome) =>
        jobs
          .record(jobOf(job, operation.price, outcome, ctx))
          .catch((cause: unknown) => unrecorded(account, ctx, cause))
      const output = await next(input, ctx).catch(async (thrown: unknown) => {
        const error = toAppError(thrown)
        await record({ input, error })
        throw error
      })
      await record({ input, output })
      return output
    }
  }

/** A full disk must not cost the caller the answer; a warning says that the job cannot be read again. */
async function unrecorded(account: RecordPorts['account'], ctx: Ctx, cause: unknown): Promise<void> {
  await account.releaseCredits(ctx.jobId).catch(() => {})
  ctx.log.error('job not recorded', { jobId: ctx.jobId, cause })
  ctx.warn('This job could not be stored, so it cannot be read again by its id.')
}

function jobOf(rule: JobRule, price: AnyOperation['price'], outcome: Outcome, ctx: Ctx): Job {
  const { error, input } = outcome
  return {
    id: ctx.jobId,
    teamId: ctx.team.id,
    keyName: ctx.team.key,
    endpoint: rule.endpoint,
    target: isPrivate(rule, input) ? null : rule.target(input),
    createdAt: ctx.startedAt,
    status: error ? 'failed' : 'completed',
    errorCode: error?.code ?? null,
    ...keptOf(rule, outcome),
    credits: price?.(outcome) ?? 0,
  }
}

/** Also where the operation refuses such calls: it does so after they came in. */
const isPrivate = (rule: JobRule, input: object) =>
  rule.isPrivate?.(input) || ('zeroDataRetention' in input && input.zeroDataRetention === true)

/** Of a call that failed only what it asked for is kept, so that support can see why. */
function keptOf(rule: JobRule, { input, output }: Outcome): Pick<Job, 'result' | 'replay'> {
  if (isPrivate(rule, input)) return { result: null, replay: null }
  const result = output ? rule.keep(input, output) : undefined
  return { result: result ?? null, replay: rule.replay?.(input) ?? null }
}

/**
 * Calls that carry an idempotency key are done once, and answered again as they were: what is repeated is neither
 * charged nor recorded. Fails with IDEMPOTENCY_KEY_REUSED.
 */
const answerOnce =
  ({ once }: Idempotency): Middleware =>
  (operation, next) => {
    if (!takesIdempotencyKey(operation)) return next
    return async (input, ctx) => {
      const { idempotencyKey: key, team, signal } = ctx
      if (key === undefined) return next(input, ctx)
      const asks = { operation: operation.name, input }
      const { output, warnings } = await once(
        { teamId: team.id, key, jobId: ctx.jobId, asks, signal },
        {
          async run(jobId) {
            const said: string[] = []
            const result = await next(input, { ...ctx, jobId, warn: (warning) => void said.push(warning) })
            const answer = { output: result, warnings: said }
            return { answer, kept: repeatedOf(operation, input, answer) }
          },
          isCharged: (thrown) => (operation.price?.({ input, error: toAppError(thrown) }) ?? 0) > 0,
        },
      )
      for (const warning of warnings) ctx.warn(warning)
      return output
    }
  }

/** Of a job of which nothing may be kept it is still known which one was begun. */
function repeatedOf({ job, follow }: AnyOperation, input: object, answer: FirstAnswer): FirstAnswer | undefined {
  if (!job?.isPrivate?.(input)) return answer
  const { id, url } = answer.output as { id?: unknown; url?: unknown }
  return follow && { output: { id, url }, warnings: [] }
}

export type PipelineOptions = {
  ports: Pick<Ports, 'account' | 'idempotency' | 'jobs' | 'storage' | 'usage' | 'files'>
  clock: Clock
  /** Counts calls, whatever they end with. */
  measureCalls: Middleware
  trackInFlight: Middleware
  noteRefusals: Middleware
  /** Runs operations at a remote service, which has the rest of this middleware itself. */
  remote: ((operation: AnyOperation) => Handler) | undefined
}
/** Set where media are answered as links to this server. */
export type MediaLinks = Pick<LinkedFiles, 'keep'> | undefined

/** All that a call passes through, outermost first. An operation passes only through what it needs. */
export function openPipeline(options: PipelineOptions, mediaLinks?: MediaLinks): Invoke {
  const { ports, clock, measureCalls, trackInFlight, noteRefusals, remote } = options
  const here = [
    validate,
    requirePermission,
    answerOnce(ports.idempotency),
    requireStorage(ports.storage),
    limitRate(ports.account),
    limitConcurrency(ports.account, clock),
    recordAndCharge(ports),
    requireCredits({ ...ports, clock }),
  ]
  const middleware = [
    ...(mediaLinks ? [externalizeMedia(mediaLinks)] : []),
    measureCalls,
    trackInFlight,
    // A remote service notes its own.
    ...(remote ? [] : [noteRefusals]),
    collectWarnings,
    readLeniently,
    readLocalFile(ports.files),
    waitForJob,
    ...(remote ? [validateOnly] : here),
  ]
  return compose(middleware, remote)
}

/** The running calls, so that nothing they need is closed under them. */
export function createInFlight(ended: () => void = () => {}): {
  track: Middleware
  isBusy(): boolean
  settled(): Promise<void>
} {
  const calls = new Set<Promise<unknown>>()
  return {
    track: (_operation, next) => (input, ctx) => {
      const call = next(input, ctx)
      calls.add(call)
      const forget = () => {
        calls.delete(call)
        ended()
      }
      call.then(forget, forget)
      return call
    },
    isBusy: () => calls.size > 0,
    settled: async () => void (await Promise.allSettled(calls)),
  }
}
