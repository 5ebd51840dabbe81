import type { Ports, Clock } from '../../contracts/ports.ts'
import { createPageModel } from '../understand/page-model.ts'
import type { PageView } from './formats/format-maker.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import type { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { type Plan, planPage, type PlanOptions } from './plan.ts'
import { AppError, failure } from '../../kernel/error.ts'

/** What a scrape needs of the call that it belongs to. */
export type ScrapeCall = Pick<
  Ctx,
  'team' | 'jobId' | 'startedAt' | 'signal' | 'queuedMs' | 'progress' | 'tellStep' | 'pictureSide'
>

/** One scrape: its input, what was decided about it, and its call. Made once and passed whole. */
export type ScrapeRequest = ScrapeCall & {
  input: ScrapeInput
  plan: Plan
  /** False for a page that no link led to, such as one that only a sitemap names; change tracking calls it hidden. */
  isLinked: boolean
}

/** What it takes to get a page, without making a document of it. */
export type PageRequest = Pick<ScrapeRequest, 'input' | 'plan' | 'team' | 'signal' | 'tellStep'>

export function scrapeRequest(
  input: ScrapeInput,
  { team, jobId, startedAt, signal, queuedMs, progress, tellStep, pictureSide }: ScrapeCall,
  { isLinked = true, ...options }: Omit<PlanOptions, 'pictureSide'> & { isLinked?: boolean } = {},
): ScrapeRequest {
  const plan = planPage(input, team.id, { ...options, pictureSide })
  return { input, plan, team, jobId, startedAt, signal, queuedMs, progress, tellStep, isLinked }
}

type TimedCall = Pick<Ctx, 'signal' | 'startedAt'>

/** Aborts with the caller's signal, or `timeoutMs` after the call came in. */
export function timeLeft(clock: Clock, call: TimedCall, timeoutMs: number): AbortSignal {
  return AbortSignal.any([call.signal, AbortSignal.timeout(leftMs(clock, call, timeoutMs))])
}

const leftMs = (clock: Clock, { startedAt }: TimedCall, timeoutMs: number) =>
  Math.max(0, Math.floor(timeoutMs - (clock.now() - startedAt)))

type TimeLimit = {
  signal: AbortSignal
  /** What to throw for what was thrown: an abort becomes the error of whoever caused it. */
  explain(thrown: unknown): unknown
  end(): void
}

/**
 * The same for work that ends before its time: `end` lets go of the timer and of the caller's signal. With `timeLeft` a
 * crawl would hold on to the pages of the last minute.
 */
export function startTimeLimit(clock: Clock, call: TimedCall, timeoutMs: number): TimeLimit {
  const over = new AbortController()
  const leave = () => over.abort(call.signal.reason)
  const late = () => over.abort(new DOMException('The time is up.', 'TimeoutError'))
  const timer = setTimeout(late, leftMs(clock, call, timeoutMs)).unref()
  call.signal.addEventListener('abort', leave, { once: true })
  if (call.signal.aborted) leave()
  return {
    signal: over.signal,
    explain: (thrown) => interrupted(thrown, over.signal, call.signal, timeoutMs),
    end: () => {
      clearTimeout(timer)
      call.signal.removeEventListener('abort', leave)
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

type ModelCall = Pick<ScrapeCall, 'team' | 'signal' | 'startedAt'> & { timeoutMs: number; keepsNothing: boolean }

/** Of the time left, what a model may take, so that its answer still reaches the caller. */
const timeShare = 0.9

/** The model for the formats of one scrape. With zero data retention the page is shown to none. */
export function modelFor(
  { model, clock }: Pick<Ports, 'model' | 'clock'>,
  { team, signal, startedAt, timeoutMs, keepsNothing }: ModelCall,
): PageView['model'] {
  if (!model.isSet()) return 'none is set'
  if (keepsNothing) return 'nothing may leave'
  return createPageModel(model, {
    teamId: team.id,
    keyName: team.key,
    signal,
    timeoutMs: () => Math.max(1, timeShare * (startedAt + timeoutMs - clock.now())),
  })
}
