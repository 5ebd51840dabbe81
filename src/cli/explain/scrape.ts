import type { ScrapeStep, TellStep } from '../../contracts/pages/scrape-step.ts'
import type { AppError } from '../../kernel/error.ts'
import type { Document } from '../../schema/scrape/document.ts'

/** A step, and how long it took, ms. */
export type TimedStep = ScrapeStep & { ms: number }

/** How a scrape went, and why. */
export type Explanation = {
  url: string
  /** Empty where a remote service has done the work: it tells its answer alone. */
  steps: readonly TimedStep[]
  tookMs: number
  answer?: Answer
  error?: { code: string; message: string }
}
type Answer = Pick<Document['metadata'], 'statusCode' | 'url' | 'cacheState' | 'cachedAt' | 'creditsUsed'> & {
  warning?: string | undefined
  /** Time spent waiting for a free slot of the team, before the first step. */
  queuedMs?: number | undefined
}
type Ended = { document: Document } | { error: AppError }

/** Gathers the steps of one scrape. `now` is in ms, from any start. */
export function gatherSteps(
  url: string,
  now: () => number,
): { tellStep: TellStep; explained(ended: Ended): Explanation } {
  const steps: TimedStep[] = []
  const startedAt = now()
  let last = startedAt
  return {
    tellStep(step) {
      const at = now()
      steps.push({ ...step, ms: Math.round(at - last) })
      last = at
    },
    explained: (ended) => ({
      url,
      steps,
      tookMs: Math.round(now() - startedAt),
      ...('error' in ended
        ? { error: { code: ended.error.code, message: ended.error.message } }
        : { answer: answerOf(ended.document) }),
    }),
  }
}

function answerOf({ metadata, warning }: Document): Answer {
  const { statusCode, url, cacheState, cachedAt, creditsUsed, concurrencyQueueDurationMs: queuedMs } = metadata
  return { statusCode, url, cacheState, cachedAt, creditsUsed, queuedMs, warning }
}
