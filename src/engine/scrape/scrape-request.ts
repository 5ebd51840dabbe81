import type { Ports, Clock } from '../../contracts/ports.ts'
import { createPageModel } from '../model/page/page-model.ts'
import type { PageView } from './formats/format-maker.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import type { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { type Plan, planPage, type PlanOptions } from './plan.ts'
import { AppError, failure } from '../../kernel/error.ts'

/** Fields of the call that a scrape needs. */
export type ScrapeCall = Pick<
  Ctx,
  'team' | 'jobId' | 'startedAt' | 'signal' | 'queuedMs' | 'progress' | 'reportStep' | 'pictureSide'
>

/** One scrape: its input, plan and call. Created once and passed as a whole. */
export type ScrapeRequest = ScrapeCall & {
  input: ScrapeInput
  plan: Plan
  /**
   * False for a page without links to it, for example one listed only in a sitemap; change tracking reports it as
   * hidden.
   */
  isLinked: boolean
  /** True for a single scrape; false for a page of a job. */
  isSingle: boolean
}

/** Fields needed to get a page, without creating a document. */
export type PageRequest = Pick<ScrapeRequest, 'input' | 'plan' | 'team' | 'signal' | 'reportStep'>

type RequestOptions = Omit<PlanOptions, 'pictureSide'> & Partial<Pick<ScrapeRequest, 'isLinked' | 'isSingle'>>

export function scrapeRequest(
  input: ScrapeInput,
  { team, jobId, startedAt, signal, queuedMs, progress, reportStep, pictureSide }: ScrapeCall,
  { isLinked = true, isSingle = false, ...options }: RequestOptions = {},
): ScrapeRequest {
  const plan = planPage(input, team.id, { ...options, pictureSide })
  return { input, plan, team, jobId, startedAt, signal, queuedMs, progress, reportStep, isLinked, isSingle }
}

type TimedCall = Pick<Ctx, 'signal' | 'startedAt'>

/** Returns a signal that aborts with the caller's signal, or `timeoutMs` after the call was received. */
export function timeLeft(clock: Clock, call: TimedCall, timeoutMs: number): AbortSignal {
  return AbortSignal.any([call.signal, AbortSignal.timeout(leftMs(clock, call, timeoutMs))])
}

const leftMs = (clock: Clock, { startedAt }: TimedCall, timeoutMs: number) =>
  Math.max(0, Math.floor(timeoutMs - (clock.now() - startedAt)))

type TimeLimit = {
  signal: AbortSignal
  /** Returns the error to throw: an abort becomes REQUEST_CANCELLED or SCRAPE_TIMEOUT. */
  explain(thrown: unknown): unknown
  end(): void
}

/**
 * Same as `timeLeft`, for work that may end early: `end` releases the timer and the caller's signal. With `timeLeft` a
 * crawl would keep the pages of the last minute in memory.
 */
export function startTimeLimit(clock: Clock, call: TimedCall, timeoutMs: number): TimeLimit {
  const over = new AbortController()
  const cancel = () => over.abort(call.signal.reason)
  const expire = () => over.abort(new DOMException('The time limit of the scrape was reached.', 'TimeoutError'))
  const timer = setTimeout(expire, leftMs(clock, call, timeoutMs)).unref()
  call.signal.addEventListener('abort', cancel, { once: true })
  if (call.signal.aborted) cancel()
  return {
    signal: over.signal,
    explain: (thrown) => interrupted(thrown, over.signal, call.signal, timeoutMs),
    end: () => {
      clearTimeout(timer)
      call.signal.removeEventListener('abort', cancel)
    },
  }
}

function interrupted(thrown: unknown, signal: AbortSignal, callerSignal: AbortSignal, timeoutMs: number): unknown {
  if (thrown instanceof AppError || !signal.aborted) return thrown
  if (callerSignal.aborted) return failure('REQUEST_CANCELLED', { cause: thrown })
  return failure('SCRAPE_TIMEOUT', {
    message: `The scrape did not finish within ${timeoutMs} ms.`,
    details: { timeoutMs },
    cause: thrown,
  })
}

type ModelCall = Pick<ScrapeCall, 'team' | 'signal' | 'startedAt'> & { timeoutMs: number; isZeroRetention: boolean }

/** Share of the remaining time that a model may use, so its answer still reaches the caller. */
const timeShare = 0.9

/** Returns the model for the formats of one scrape. With zero data retention no model sees the page. */
export function modelFor(
  { model, clock }: Pick<Ports, 'model' | 'clock'>,
  { team, signal, startedAt, timeoutMs, isZeroRetention }: ModelCall,
): PageView['model'] {
  if (!model.isSet()) return 'none is set'
  if (isZeroRetention) return 'nothing may leave'
  return createPageModel(model, {
    teamId: team.id,
    keyName: team.key,
    signal,
    timeoutMs: () => Math.max(1, timeShare * (startedAt + timeoutMs - clock.now())),
  })
}
