import type { Clock, Ports } from '../contracts/ports.ts'
import type { Handler, Invoke, Middleware } from '../kernel/invoke.ts'
import type { LinkedFiles } from '../contracts/fetch.ts'
import { type AnyOperation, type Settled, takesIdempotencyKey } from '../kernel/operation.ts'
import { collectWarnings, externalizeMedia, waitForJob } from './answers.ts'
import { checkedInput, readLeniently, readLocalFile, validateOnly } from './check-input.ts'
import {
  endWithTeam,
  limitConcurrency,
  limitRate,
  requireAllowed,
  requireCredits,
  requirePermission,
  requireStorage,
} from './team-limits.ts'
import type { Account, FirstAnswer, Idempotency } from '../contracts/account-ports.ts'
import type { Job, Jobs } from '../contracts/job-ports.ts'
import type { Ctx } from '../kernel/ctx.ts'
import { toAppError } from '../kernel/error.ts'

type RecordPorts = { jobs: Pick<Jobs, 'record'>; account: Pick<Account, 'releaseCredits'> }
type Outcome = Settled<object, object>
type JobRule = NonNullable<AnyOperation['job']>

/** Records each job with its activity and price before the caller gets the answer, so no acknowledged job is lost. */
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

/** Adds a warning instead of failing, so that a full disk does not cost the caller the answer. */
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
    ...storedOf(rule, outcome),
    credits: price?.(outcome) ?? 0,
  }
}

/** True if nothing of the call may be stored, even if the operation refuses it for that reason. */
const isPrivate = (rule: JobRule, input: object) =>
  rule.isPrivate?.(input) || ('zeroDataRetention' in input && input.zeroDataRetention === true)

/** The result and the input to store. A failed call stores only its input, so that support can find the cause. */
function storedOf(rule: JobRule, { input, output }: Outcome): Pick<Job, 'result' | 'replay'> {
  if (isPrivate(rule, input)) return { result: null, replay: null }
  const result = output ? rule.keep(input, output) : undefined
  return { result: result ?? null, replay: rule.replay?.(input) ?? null }
}

/**
 * Runs a call with an idempotency key once and repeats its answer verbatim; repeats are neither charged nor recorded.
 * Fails with IDEMPOTENCY_KEY_REUSED.
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
            const raised: string[] = []
            const result = await next(input, { ...ctx, jobId, warn: (warning) => void raised.push(warning) })
            const answer = { output: result, warnings: raised }
            return { answer, kept: repeatedOf(operation, input, answer) }
          },
          isCharged: (thrown) => (operation.price?.({ input, error: toAppError(thrown) }) ?? 0) > 0,
        },
      )
      for (const warning of warnings) ctx.warn(warning)
      return output
    }
  }

/** The answer to store for repeats. Of a private call, only the id and URL of a job that it started are stored. */
function repeatedOf({ job, follow }: AnyOperation, input: object, answer: FirstAnswer): FirstAnswer | undefined {
  if (!job?.isPrivate?.(input)) return answer
  const { id, url } = answer.output as { id?: unknown; url?: unknown }
  return follow && { output: { id, url }, warnings: [] }
}

export type PipelineOptions = {
  ports: Pick<Ports, 'account' | 'idempotency' | 'jobs' | 'storage' | 'usage' | 'files'>
  clock: Clock
  /** No call may change anything. */
  readOnly: boolean
  /** Counts all calls, regardless of outcome. */
  measureCalls: Middleware
  trackInFlight: Middleware
  recordRefusals: Middleware
  /** Runs operations at a remote service, which applies the rest of this middleware itself. */
  remote: ((operation: AnyOperation) => Handler) | undefined
}
/** Set if media are returned as links to this server. */
export type MediaLinks = Pick<LinkedFiles, 'keep'> | undefined

/** Passes on the parsed input, without unknown keys. They cause a warning, and in a strict call an error. */
export const validate: Middleware = (operation, next) => async (input, ctx) =>
  next(ctx.checked === operation.name ? input : checkedInput(operation, input, ctx), ctx)

/** Wraps operations in all middleware, outermost first. Each operation gets only the parts it needs. */
export function openPipeline(options: PipelineOptions, mediaLinks?: MediaLinks): Invoke {
  const { ports, clock, readOnly, measureCalls, trackInFlight, recordRefusals, remote } = options
  const local = [
    validate,
    requireAllowed(readOnly),
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
    // A remote service records its own refusals.
    ...(remote ? [] : [recordRefusals, endWithTeam(ports.account)]),
    collectWarnings,
    readLeniently,
    readLocalFile(ports.files),
    waitForJob,
    ...(remote ? [validateOnly, requireAllowed(readOnly)] : local),
  ]
  return compose(middleware, remote)
}

/**
 * The first middleware is the outermost. The chain of an operation is built at its first call. Operations run in this
 * process unless `handlerOf` returns another handler.
 */
export function compose(
  middleware: readonly Middleware[],
  handlerOf: (operation: AnyOperation) => Handler = ({ run }) => run,
): Invoke {
  const handlers = new WeakMap<AnyOperation, Handler>()
  const invoke: Invoke = async (operation, input, ctx) => {
    const handler = handlers.get(operation) ?? wrapped(operation)
    handlers.set(operation, handler)
    return handler(input, ctx)
  }
  const wrapped = (operation: AnyOperation) =>
    middleware.reduceRight((next, wrap) => wrap(operation, next, invoke), handlerOf(operation))
  return invoke
}

/** Tracks running calls, so that nothing they need is closed before they end. */
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
